// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
int main(void) {
    int x[2] = {0};
    unsigned long t = (unsigned long)x | 1;
    if (t & 1) {
        int *p = (int *)(t - 1);
        *p = 5;
    }
    if (x[0] == 5) reach_error();
    return 0;
}
