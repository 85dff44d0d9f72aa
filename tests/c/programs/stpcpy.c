// unknown: gcc reaches the error
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
extern char *stpcpy(char *, const char *);
int main(void) {
    char b[8] = {0};
    char *end = stpcpy(b, "ab");
    *end = 'c';
    if (b[0] == 'a' && b[2] == 'c') reach_error();
    return 0;
}
