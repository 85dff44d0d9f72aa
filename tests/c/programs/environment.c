// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
extern int atexit(void (*)(void));
static void last(void) { reach_error(); }
int main(void) { return atexit(last); }
