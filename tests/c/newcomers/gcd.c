#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned gcd(unsigned a, unsigned b)
{
    while (b) {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}
int main(void)
{
    unsigned a = __VERIFIER_nondet_uint() % 64 + !BUG, b = __VERIFIER_nondet_uint() % 64;
    unsigned g = gcd(a, b);
    assert(g > 0);
    assert(a % g == 0 && b % g == 0);
    return 0;
}
