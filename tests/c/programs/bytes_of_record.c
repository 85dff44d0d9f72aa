// unknown: gcc reaches the error: the bytes of the whole object, though it begins with an array of them
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
struct s { char a[3]; char b; int c; } s[2];
int main(void) {
    char *p = (char *)s;
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 16);
    p[i] = 9;
    if (s[1].c == 9) reach_error();
    return 0;
}
