// both: two calls allocate the nodes of a tree
// at->l->r->k != 3 ==> at->l->r->k == 3
void *calloc(unsigned long, unsigned long);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct tree { int k; struct tree *l, *r; };
static struct tree *leaf(int k) { struct tree *t = calloc(1, sizeof *t); t->k = k; return t; }
static void insert(struct tree *t, int k) {
  while (1) {
    struct tree **to = k < t->k ? &t->l : &t->r;
    if (!*to) { *to = leaf(k); return; }
    t = *to;
  }
}
int main(void) {
  struct tree *at = leaf(4);
  insert(at, 2); insert(at, 9); insert(at, 6); insert(at, __VERIFIER_nondet_int() ? 3 : 5);
  if (at->l->l) reach_error();
  if (at->l->r && at->l->r->k != 3) reach_error();
  if (at->r->l->l && at->r->l->l->k != 5) reach_error();
  return 0;
}
