// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static void copy(void *to, const void *from, unsigned n) {
    char *a = to;
    const char *b = from;
    while (n--) *a++ = *b++;
}
int main(void) {
    int x = 0, *p = &x, *q;
    copy(&q, &p, sizeof p);
    *q = 3;
    if (x == 3) reach_error();
    return 0;
}
