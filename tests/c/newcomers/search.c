#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define N 8
static int find(const int *a, int n, int key)
{
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle - 1 - BUG;
    }
    return -1;
}
int main(void)
{
    int a[N], key = __VERIFIER_nondet_int();
    a[0] = __VERIFIER_nondet_int();
    for (int i = 1; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
        if (a[i] < a[i - 1])
            return 0;
    }
    int at = find(a, N, key);
    assert(at == -1 || a[at] == key);
    if (at == -1)
        for (int i = 0; i < N; i++)
            assert(a[i] != key);
    return 0;
}
