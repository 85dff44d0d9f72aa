// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void aside(void) __attribute__((constructor));
static void aside(void) { reach_error(); }
int main(void) { return 0; }
