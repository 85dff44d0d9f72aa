/* bzip2: which arguments BZ2_bzDecompressInit takes, and what it answers if memory runs out. */
#include <assert.h>
#include <stddef.h>
#include "bzlib.h"

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

void bz_internal_error(int code) { assert(0); }

int main(void)
{
    bz_stream s = { 0 };
    int verbosity = __VERIFIER_nondet_int(), small = __VERIFIER_nondet_int();
    int answer = BZ2_bzDecompressInit(&s, verbosity, small);

    if (answer == BZ_OK)
        assert(s.state != NULL && (small == 0 || small == 1) && verbosity >= 0 && verbosity <= 4);
    else
#ifdef NEVER_FULL               /* not so, with --malloc-may-fail */
        assert(answer == BZ_PARAM_ERROR);
#else
        assert(answer == BZ_PARAM_ERROR || answer == BZ_MEM_ERROR);
#endif
    return 0;
}
