/* After Fig. 2 of Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, "Software Model Checking via
   Large-Block Encoding" (FMCAD 2009): a loop with a diamond in it.  The figure has no error; this
   one, and what the variables start with, are ours. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    int z = 0;

    while (i > 0) {
        if (x == 1)
            z = 0;
        else
            z = 1;
        i = i - 1;
    }
    if (x == 1 && z != 0)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
