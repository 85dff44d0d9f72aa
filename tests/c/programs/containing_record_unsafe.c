// unsafe: records found by their members
extern void reach_error(void);
typedef struct _LIST_ENTRY { struct _LIST_ENTRY *Flink, *Blink; } LIST_ENTRY, *PLIST_ENTRY;
typedef struct _CTX { int id; LIST_ENTRY link; int state; } CTX;
LIST_ENTRY head;
void insert(PLIST_ENTRY h, PLIST_ENTRY e) { e->Flink = h->Flink; e->Blink = h; h->Flink->Blink = e; h->Flink = e; }
PLIST_ENTRY pop(PLIST_ENTRY h) { PLIST_ENTRY e = h->Flink; h->Flink = e->Flink; e->Flink->Blink = h; return e; }
int main(void) {
  CTX a, b, *c;
  a.id = 1; a.state = 10;
  b.id = 2; b.state = 20;
  head.Flink = head.Blink = &head;
  insert(&head, &a.link);
  insert(&head, &b.link);
  c = ((CTX *)((char *)(pop(&head)) - (unsigned long)(&((CTX *)0)->link)));
  if (c->id != 2 || c->state != 20) reach_error();
  c->state = 21;
  if (b.state == 21 && a.state == 10) reach_error();
  c = ((CTX *)((char *)(pop(&head)) - (unsigned long)(&((CTX *)0)->link)));
  if (c != &a || head.Flink != &head) reach_error();
  if ((unsigned long)&((CTX *)0)->link != sizeof(void *)) reach_error();
  return 0;
}
