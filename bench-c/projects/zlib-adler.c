/* zlib: a checksum of parts is that of the whole. */
#include <assert.h>
#include "zlib.h"

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char b[2] = { __VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar() };
    uLong whole = adler32(1, b, 2), parts = adler32(adler32(1, b, 1), b + 1, 1);

    assert(whole == parts);
    assert((whole & 0xffff) < 65521);
#ifdef SAME_ORDER               /* not so: the order counts */
    unsigned char turned[2] = { b[1], b[0] };
    assert(adler32(1, turned, 2) == whole);
#endif
    return 0;
}
