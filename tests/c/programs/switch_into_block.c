// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
int main(void) {
    int x = 0;
    switch (3) {
        case 1: { case 3: x = 5; }
        while (0) { default: x = 9; }
    }
    if (x == 5) reach_error();
    return 0;
}
