// unsafe
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
void (*handlers[2])(void) = {abort, reach_error};
int main(void) {
    handlers[1]();
    return 0;
}
