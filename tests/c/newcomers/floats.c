#include <assert.h>
extern float __VERIFIER_nondet_float(void);
float clamp(float x, float low, float high)
{
    if (x < low)
        return low;
    if (x > high)
        return high;
    return x;
}
int main(void)
{
    float x = __VERIFIER_nondet_float();
#if !BUG
    if (x != x)
        return 0;
#endif
    float y = clamp(x, -1.0f, 1.0f);
    assert(y >= -1.0f && y <= 1.0f);
    return 0;
}
