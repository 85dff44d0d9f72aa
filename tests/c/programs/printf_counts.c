// unknown: gcc reaches the error
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
extern int printf(const char *, ...);
int main(void) {
    int n = 0;
    printf("abc%n", &n);
    if (n == 3) reach_error();
    return 0;
}
