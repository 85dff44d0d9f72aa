#include <assert.h>
#include <stddef.h>
#include <stdint.h>
uint8_t crc8(const uint8_t *data, size_t length)
{
    uint8_t crc = 0;
    for (size_t i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x80 ? (uint8_t)(crc << 1) ^ 0x07 : (uint8_t)(crc << 1);
    }
    return crc;
}
int main(void)
{
    const char text[] = "123456789";
    assert(crc8((const uint8_t *)text, 9) == 0xf4 + BUG);
    return 0;
}
