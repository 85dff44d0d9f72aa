// unsafe: it is C code of the library
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
extern void *mempcpy(void *, const void *, __typeof__(sizeof 0));
int main(void) {
    int a = 3, b[2] = {0};
    int *end = mempcpy(b, &a, 4);
    *end = 4;
    if (b[0] == 3 && b[1] == 4) reach_error();
    return 0;
}
