#include <assert.h>
#include <stdint.h>
extern uint32_t __VERIFIER_nondet_uint(void);
int popcount(uint32_t x)
{
    int n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    return n;
}
int popcount_fast(uint32_t x)
{
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return (x * 0x01010101u) >> (24 + BUG);
}
int main(void)
{
    uint32_t x = __VERIFIER_nondet_uint() & 0xffff;
    assert(popcount(x) == popcount_fast(x));
    uint32_t y = __VERIFIER_nondet_uint();
    int power = y && !(y & (y - 1));
    assert(!power || popcount_fast(y) == 1);
    return 0;
}
