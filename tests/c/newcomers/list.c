#include <assert.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *push(struct node *head, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->value = value;
    n->next = head;
    return n;
}
int main(void)
{
    struct node *head = NULL;
    int i, count = 0, sum = 0;
    for (i = 1; i <= 5; i++)
        head = push(head, i);
    for (struct node *n = head; n; n = n->next) {
        sum += n->value;
        count++;
    }
    assert(count == 5);
    assert(sum == 15 + BUG);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
