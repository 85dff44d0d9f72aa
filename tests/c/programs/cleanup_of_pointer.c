// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void end(int **p) { reach_error(); }
int main(void) {
    int x = 0;
    int *p __attribute__((cleanup(end))) = &x;
    return *p;
}
