// unknown: gcc reaches the error
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
struct s { char a[1000]; int c; } s;
int main(void) {
    char *p = (char *)&s;
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 1004);
    p[i] = 9;
    if (s.c == 9) reach_error();
    return 0;
}
