/* Puts items into a queue and takes them out again, as the outside world likes. */
#include "queue.h"

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static struct queue queue;

/* Not that of the other file. */
static int place(void) {
    return __VERIFIER_nondet_int();
}

void check(int condition) {
    if (!condition)
        reach_error();
}

int main(void) {
    int item;

    for (;;) {
        if (__VERIFIER_nondet_int())
            put(&queue, place());
        else
            take(&queue, &item);
    }
}
