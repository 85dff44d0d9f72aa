// unsafe: a pointer to bytes that walks out of a large array into the rest of the object
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct s { char a[100]; int c; } s, *q = &s;
static void clear(char *p, unsigned n, char v) { while (n--) *p++ = v; }
int main(void) { s.c = 0; clear((char *)q + 98, 3, 9); if (s.c == 9) reach_error(); return 0; }
