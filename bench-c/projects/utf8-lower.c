/* utf8proc: small letters of ASCII, by the tables of all of Unicode. */
#include <assert.h>
#include "utf8proc.h"

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    int c = __VERIFIER_nondet_int();

    __VERIFIER_assume(c >= 'A' && c <= 'Z');
    assert(utf8proc_tolower(c) == c + 32);
#ifdef NOT_ALL                  /* not so */
    assert(utf8proc_toupper(c + 32) == c + 32);
#else
    assert(utf8proc_toupper(c + 32) == c);
#endif
    return 0;
}
