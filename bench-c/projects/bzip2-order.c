/* bzip2: what BZ2_bzCompress answers in which order of calls. */
#include <assert.h>
#include "bzlib_private.h"

extern int __VERIFIER_nondet_int(void);

void bz_internal_error(int code) { assert(0); }

int main(void)
{
    bz_stream s = { 0 };
    char out[64];
    int level = __VERIFIER_nondet_int(), action = __VERIFIER_nondet_int();
    int answer = BZ2_bzCompressInit(&s, level, 0, 0);

    assert((answer == BZ_PARAM_ERROR) == (level < 1 || level > 9));
    if (answer != BZ_OK)
        return 0;
    s.next_out = out;
    s.avail_out = 0;            /* no room: nothing gets finished */
    answer = BZ2_bzCompress(&s, BZ_FINISH);
    assert(answer == BZ_FINISH_OK || answer == BZ_SEQUENCE_ERROR);
    answer = BZ2_bzCompress(&s, action);
#ifdef ANY_ORDER                /* not so: once finishing, only BZ_FINISH is allowed */
    assert(answer >= 0);
#else
    if (action != BZ_FINISH)
        assert(answer == BZ_SEQUENCE_ERROR);
#endif
    return 0;
}
