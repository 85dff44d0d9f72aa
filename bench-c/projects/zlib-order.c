/* zlib: a stream that is not one is refused, and one that is made is freed once. */
#include <assert.h>
#include "zutil.h"
#include "inftrees.h"
#include "inflate.h"

extern int __VERIFIER_nondet_int(void);

static struct inflate_state state;
static int used;

/* zlib lets its user allocate: here there is one state, which has to be given back. */
static void *allocate(void *opaque, unsigned items, unsigned size)
{
    if (used || (unsigned long)items * size > sizeof state)
        return Z_NULL;
    used = 1;
    return &state;
}

static void release(void *opaque, void *block)
{
    assert(used && block == &state);
    used = 0;
}

int main(void)
{
    z_stream s = { 0 };
    int bits = __VERIFIER_nondet_int(), answer;

    s.zalloc = allocate;
    s.zfree = release;
    assert(inflateReset(&s) == Z_STREAM_ERROR);
    answer = inflateInit2(&s, bits);
    if (answer == Z_OK) {
        assert(inflateEnd(&s) == Z_OK);
#ifdef TWICE
        assert(inflateEnd(&s) == Z_OK);
#else
        assert(inflateEnd(&s) == Z_STREAM_ERROR);
#endif
    }
    assert(!used);
    return 0;
}
