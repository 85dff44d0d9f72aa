// unsafe
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct s { int a[100]; int c; } s[2];
int main(void) { s[0].c = 0; char *p = (char *)s, *e = p + 404; p = e - 8; while (p < e) *p++ = 9; if (s[0].c == 0x09090909) reach_error(); return 0; }
