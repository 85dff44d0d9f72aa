/* zlib: bytes from outside are inflated without an error of memory, and into no more than there is room for. */
#include <assert.h>
#include "zlib.h"

#ifndef LENGTH
#define LENGTH 2
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    z_stream s = { 0 };
    unsigned char in[LENGTH], out[4];
    int answer;

    for (int i = 0; i < LENGTH; i++)
        in[i] = __VERIFIER_nondet_uchar();
    s.next_in = in;
    s.avail_in = LENGTH;
    s.next_out = out;
    s.avail_out = sizeof out;
    assert(inflateInit2(&s, -8) == Z_OK);
    answer = inflate(&s, Z_FINISH);
    assert(s.total_out + s.avail_out == sizeof out);
#ifdef NEVER_DONE               /* not so: 03 00 is the empty stream */
    assert(answer != Z_STREAM_END);
#else
    assert(answer == Z_STREAM_END || answer == Z_BUF_ERROR || answer == Z_DATA_ERROR);
#endif
    return 0;
}
