// both: where output does not fail
// == 0 ==> == 3
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
extern int printf(const char *, ...);
int main(void) {
    if (printf("abc") == 0) reach_error();
    return 0;
}
