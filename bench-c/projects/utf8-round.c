/* utf8proc: what is encoded is decoded to the same code point, for all 2^32 numbers. */
#include <assert.h>
#include "utf8proc.h"

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    utf8proc_int32_t c = __VERIFIER_nondet_int(), back;
    utf8proc_uint8_t text[4];
    utf8proc_ssize_t written = utf8proc_encode_char(c, text), read;

    assert(written >= 0 && written <= 4);
    if (!utf8proc_codepoint_valid(c)) {
#ifdef SURROGATES               /* not so: the half of a pair is encoded, too */
        assert(written == 0);
#endif
        return 0;
    }
    read = utf8proc_iterate(text, written, &back);
    assert(read == written);
    assert(back == c);
    return 0;
}
