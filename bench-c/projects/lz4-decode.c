/* lz4: bytes from outside are decoded into no more than there is room for. */
#include <assert.h>
#include "lz4.h"

#ifndef LENGTH
#define LENGTH 2
#endif

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char in[LENGTH], out[4];
    int n;

    for (int i = 0; i < LENGTH; i++)
        in[i] = __VERIFIER_nondet_char();
    n = LZ4_decompress_safe(in, out, LENGTH, sizeof out);
#ifdef NO_LITERALS              /* not so: 10 78 is an 'x' */
    assert(n <= 0);
#else
    assert(n <= (int)sizeof out);
#endif
    return 0;
}
