// safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { int a[100]; int c; } s;
int main(void) {
    int *p = s.a;
    s.c = 3;
    p = p + 1;
    *p = 9;
    p++;
    *p = 8;
    if (s.c != 3) reach_error();
    return 0;
}
