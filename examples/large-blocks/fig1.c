/* After Fig. 1 (a) of Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, "Software Model Checking via
   Large-Block Encoding" (FMCAD 2009): three flags, three variables, and eight ways through. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int p1 = __VERIFIER_nondet_int();
    int p2 = __VERIFIER_nondet_int();
    int p3 = __VERIFIER_nondet_int();
    int x1 = 0, x2 = 0, x3 = 0;

    if (p1)
        x1 = 1;
    if (p2)
        x2 = 2;
    if (p3)
        x3 = 3;
    if (p1) {
        if (x1 != 1)
            goto ERROR;
    }
    if (p2) {
        if (x2 != 2)
            goto ERROR;
    }
    if (p3) {
        if (x3 != 3)
            goto ERROR;
    }
    return 0;
ERROR:
    return 1;
}
