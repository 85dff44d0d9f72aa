/* Which revision is the first bad one?  The middle of two large numbers is where this goes wrong. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int is_bad(int revision);

static int first_bad(int good, int bad)
{
    while (bad - good > 1) {
        int middle = (good + bad) / 2;

        if (middle <= good || middle >= bad)
            reach_error();
        if (is_bad(middle))
            bad = middle;
        else
            good = middle;
    }
    return bad;
}

int main(void)
{
    int good = __VERIFIER_nondet_int(), bad = __VERIFIER_nondet_int();

    if (0 <= good && good < bad)
        first_bad(good, bad);
    return 0;
}
