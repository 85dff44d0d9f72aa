// safe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
int main(void) {
    int a[2] = {0, 0};
    *(int *)((char *)a + 2) = 0x01020304;
    if (a[0] != 0x03040000 || a[1] != 0x0102) reach_error();
    return 0;
}
