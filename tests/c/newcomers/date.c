#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }
static int days_in(int m, int y)
{
    switch (m) {
    case 2: return 28 + leap(y);
    case 4: case 6: case 9: case 11: return 30;
    default: return 31;
    }
}
int main(void)
{
    int y = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();
    if (y < 1900 || y > 2100 || m < 1 || m > 12 || d < 1 || d > days_in(m, y))
        return 0;
    if (++d > days_in(m, y)) {
        d = 1;
        if (++m > 12) {
            m = 1;
            y++;
        }
    }
    assert(d >= 1 && d <= days_in(m, y));
    assert(m >= 1 && m <= 12);
    assert(y <= 2101 - BUG);
    return 0;
}
