/* A ring of items: one of the two files of a program. */
#include "queue.h"

static unsigned place(const struct queue *queue, unsigned number) {
    return (queue->first + number) % CAPACITY;
}

int put(struct queue *queue, int item) {
    if (queue->count >= LIMIT)
        return 0;
    check(queue->count < CAPACITY);
    queue->items[place(queue, queue->count)] = item;
    queue->count++;
    return 1;
}

int take(struct queue *queue, int *item) {
    if (queue->count == 0)
        return 0;
    *item = queue->items[queue->first];
    queue->first = place(queue, 1);
    queue->count--;
    return 1;
}
