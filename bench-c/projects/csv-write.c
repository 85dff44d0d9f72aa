/* libcsv: csv_write says how long a quoted field gets, and writes no more than it may. */
#include <assert.h>
#include "csv.h"

#define LENGTH 3

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void)
{
#ifdef WRONG_ROOM               /* a caller who makes the buffer one byte too short */
    unsigned char quoted[2 * LENGTH + 1];
#else
    unsigned char quoted[2 * LENGTH + 2];
#endif
    unsigned char field[LENGTH];
    unsigned length = __VERIFIER_nondet_uint();
    unsigned room = __VERIFIER_nondet_uint();
    size_t needed;

    __VERIFIER_assume(length <= LENGTH);
    __VERIFIER_assume(room <= 2 * LENGTH + 2);
    for (unsigned i = 0; i < LENGTH; i++)
        field[i] = __VERIFIER_nondet_uchar();
    needed = csv_write(quoted, room, field, length);
    assert(needed >= length + 2);
#ifdef WRONG_BOUND
    assert(needed < 2 * length + 2);
#else
    assert(needed <= 2 * length + 2);
#endif
    return 0;
}
