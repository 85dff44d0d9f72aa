// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
int main(void) {
    void (*f)(void) = __VERIFIER_nondet_int() ? abort : reach_error;
    f();
    return 0;
}
