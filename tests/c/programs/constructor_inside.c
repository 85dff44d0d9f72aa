// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void __attribute__((__constructor__)) aside(void) { reach_error(); }
int main(void) { return 0; }
