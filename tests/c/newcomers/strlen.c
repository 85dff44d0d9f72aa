#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
int main(void)
{
    char name[9];
    int i;
    for (i = 0; i < 8; i++)
        name[i] = __VERIFIER_nondet_char();
#if BUG
    name[7] = 'x';
#endif
    name[8] = '\0';
    size_t n = strlen(name);
    assert(n <= 8);
    char copy[8 + !BUG];
    if (n + 1 <= 9) {
        assert(n < sizeof copy);
        strcpy(copy, name);
        assert(strcmp(copy, name) == 0);
    }
    return 0;
}
