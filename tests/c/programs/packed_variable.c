// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
struct __attribute__((packed)) p { char c; int x; short s; } one, two;
union __attribute__((aligned(8))) { int i; char c; } three;
int main(void) {
    one.x = 4;
    three.c = 1;
    if (sizeof one == 7 && sizeof three == 8) reach_error();
    return 0;
}
