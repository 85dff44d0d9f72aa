// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
static char pool[64];
static int used;
void *malloc(unsigned n) {
    void *p = pool + used;
    used += n;
    return p;
}
int main(void) {
    int *a = malloc(4), *b = malloc(4);
    *a = 1;
    *b = 2;
    if (b - a == 1 && a[1] == 2) reach_error();
    return 0;
}
