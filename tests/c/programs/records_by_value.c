// safe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
struct s { int a, b[2]; };
static struct s make(int x) {
    struct s s = {x, {x + 1, x + 2}};
    return s;
}
static struct s add(struct s x, struct s y) {
    x.a += y.a;
    x.b[1] = y.b[0];
    return x;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n == 3);
    struct s s = add(make(1), add(make(2), make(n)));
    if (s.a != 6 || s.b[1] != 3 || add(s, s).b[1] != 2) reach_error();
    return 0;
}
