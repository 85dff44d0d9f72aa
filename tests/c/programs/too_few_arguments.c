// unknown: gcc reaches the error
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void takes(int unused) { reach_error(); }
static void nothing(void) {}
int main(void) {
    void (*f)() = __VERIFIER_nondet_int() ? takes : nothing;
    f();
    return 0;
}
