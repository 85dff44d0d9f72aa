// safe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
struct l { struct l *next; };
struct item { int v; struct l l; };
int main(void) {
    struct item a = {1}, b = {2};
    a.l.next = &b.l;
    b.l.next = 0;
    int s = 0;
    for (struct l *p = &a.l; p; p = p->next)
        s = s * 10 + ((struct item *)((char *)p - __builtin_offsetof(struct item, l)))->v;
    if (s != 12) reach_error();
    return 0;
}
