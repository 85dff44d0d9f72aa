// safe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
struct s { int a[3]; int b; } *p = &(struct s){{7, 8}, 9};
int *q = (int[]){1, 2, 3};
int main(void) {
    if (p->a[1] != 8 || p->b != 9 || q[2] != 3) reach_error();
    return 0;
}
