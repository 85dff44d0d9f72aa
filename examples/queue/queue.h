#ifndef CAPACITY
#define CAPACITY 8
#endif
#ifndef LIMIT
#define LIMIT CAPACITY
#endif

struct queue {
    int items[CAPACITY];
    unsigned first, count;
};

/* Both return whether there was room, or an item. */
int put(struct queue *queue, int item);
int take(struct queue *queue, int *item);

void check(int condition);
