/* bzip2: canonical Huffman codes fit into their lengths if the lengths fill at most one tree. */
#include <assert.h>
#include "bzlib_private.h"

#define SYMBOLS 3

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    Int32 code[SYMBOLS];
    UChar length[SYMBOLS];
    int sum = 0;

    for (int i = 0; i < SYMBOLS; i++) {
        length[i] = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(length[i] >= 1 && length[i] <= 4);
        sum += 16 >> length[i];
    }
#ifndef NO_TREE                 /* without it: three codes of length 1 */
    __VERIFIER_assume(sum <= 16);
#endif
    BZ2_hbAssignCodes(code, length, 1, 4, SYMBOLS);
    for (int i = 0; i < SYMBOLS; i++)
        assert(code[i] < 1 << length[i]);
    return 0;
}
