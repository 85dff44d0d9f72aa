// safe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
int main(void) {
    void (*f)(void) = abort;
    f();
    reach_error();
    return 0;
}
