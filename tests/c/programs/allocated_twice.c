// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
extern void *malloc(unsigned long);
int main(void) {
    int *p = 0, *q;
again:
    q = malloc(4);
    *q = 0;
    if (!p) {
        p = q;
        goto again;
    }
    *p = 5;
    if (*q == 0 && p != q) reach_error();
    return 0;
}
