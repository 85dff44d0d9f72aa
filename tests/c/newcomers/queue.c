#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define SIZE 4
struct queue { int items[SIZE]; unsigned head, count; };
static int put(struct queue *q, int x)
{
    if (q->count == SIZE + BUG)
        return 0;
    q->items[(q->head + q->count) % SIZE] = x;
    q->count++;
    return 1;
}
static int get(struct queue *q, int *x)
{
    if (q->count == 0)
        return 0;
    *x = q->items[q->head];
    q->head = (q->head + 1) % SIZE;
    q->count--;
    return 1;
}
int main(void)
{
    struct queue q = { {0}, 0, 0 };
    int x;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            put(&q, __VERIFIER_nondet_int());
        else
            get(&q, &x);
        assert(q.head < SIZE);
        assert(q.count <= SIZE);
    }
    return 0;
}
