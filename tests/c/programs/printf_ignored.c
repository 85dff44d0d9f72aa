// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
extern int printf(const char *, ...);
int main(void) {
    printf("100%% of %d\n", 3);
    reach_error();
    return 0;
}
