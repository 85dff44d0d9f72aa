// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
struct t { int tag; union { int i; int *p; } u; };
int main(void) {
    int x = 0;
    struct t t;
    t.tag = 1;
    t.u.p = &x;
    struct t s = t;
    if (s.tag) *s.u.p = 5;
    if (x == 5) reach_error();
    return 0;
}
