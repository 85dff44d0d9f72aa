#include <assert.h>
#include <ctype.h>
extern char __VERIFIER_nondet_char(void);
static const char *at;
static int number(void)
{
    int value = 0;
    while (*at >= '0' && *at <= '9')
        value = 10 * value + (*at++ - '0');
    return value;
}
static int sum(void)
{
    int value = number();
    while (*at == '+' || *at == '-') {
        char op = *at++;
        int right = number();
        value = op == '+' ? value + right : value - right;
    }
    return value;
}
int main(void)
{
    char text[6];
    for (int i = 0; i < 5; i++)
        text[i] = __VERIFIER_nondet_char();
    text[5] = 0;
    at = text;
    int value = sum();
    assert(at >= text && at <= text + 5);
    assert(value <= 99999 - BUG && value >= -9999);
    return 0;
}
