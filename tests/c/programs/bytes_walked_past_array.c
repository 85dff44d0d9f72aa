// unsafe: a pointer to bytes that walks out of a large array into the rest of the object
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { int a[100]; int c; } s;
int main(void) {
    char *p = (char *)&s + sizeof s - 6;
    p++;
    p++;
    *p = 9;
    if (s.c == 9) reach_error();
    return 0;
}
