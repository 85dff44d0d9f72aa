/* lz4: the bound of compressed sizes is larger than the size, or 0 where the size is too large. */
#include <assert.h>
#include "lz4.h"

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int size = __VERIFIER_nondet_int(), bound = LZ4_compressBound(size);

#ifdef NEVER_ZERO               /* not so: sizes above LZ4_MAX_INPUT_SIZE */
    assert(bound > size);
#else
    assert(bound == 0 || bound > size);
    assert((bound == 0) == (size < 0 || size > LZ4_MAX_INPUT_SIZE));
#endif
    return 0;
}
