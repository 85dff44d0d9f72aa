// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static int down(int *up, int n) {
    int x = n;
    if (n > 0) down(&x, n - 1);
    else *up = 50;
    if (n == 1 && x == 50) reach_error();
    return x;
}
int main(void) { down(0, 2); }
