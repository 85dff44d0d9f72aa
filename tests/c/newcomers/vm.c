#include <assert.h>
extern int __VERIFIER_nondet_int(void);
enum { DEC, DUP, JNZ, HALT };
/* Counts down to zero. */
static const int code[] = { DEC, BUG ? DEC : DUP, JNZ, 0, HALT };
int main(void)
{
    int stack[4], sp = 0, pc = 0;
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5)
        return 0;
    stack[sp++] = n;
    for (;;) {
        assert(pc >= 0 && pc < 5);
        assert(sp >= 1 && sp < 4);
        switch (code[pc]) {
        case DEC:
            stack[sp - 1]--;
            pc++;
            break;
        case DUP:
            stack[sp] = stack[sp - 1];
            sp++;
            pc++;
            break;
        case JNZ:
            pc = stack[--sp] ? code[pc + 1] : pc + 2;
            break;
        case HALT:
            assert(sp == 1 && stack[0] == 0);
            return 0;
        }
    }
}
