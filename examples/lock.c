/* A lock that is taken and released under the same condition. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int held;

void take(void) {
    if (held) reach_error();
    held = 1;
}

void release(void) {
    if (!held) reach_error();
    held = 0;
}

int main(void) {
    int urgent, more = 1;
    while (more) {
        urgent = __VERIFIER_nondet_int();
        if (urgent) take();
        more = __VERIFIER_nondet_int();
        if (urgent) release();
    }
    if (held) reach_error();
    return 0;
}
