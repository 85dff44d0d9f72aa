// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
void __VERIFIER_error(void) {}
static void call(void (*f)(void)) { f(); }
int main(void) {
    call(__VERIFIER_error);
    return 0;
}
