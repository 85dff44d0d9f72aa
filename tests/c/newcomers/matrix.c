#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define N 3
int main(void)
{
    int a[N][N], t[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = __VERIFIER_nondet_int();
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            t[j][i] = a[i][j];
#if BUG
    t[1][2] = a[1][2];
#endif
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert(t[i][j] == a[j][i]);
    return 0;
}
