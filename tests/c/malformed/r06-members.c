struct lock { int held; int owner; };
int main(void) {
  struct lock l, *p = &l;
  l.heid = 1;
  p.held = 1;
  l->owner = 2;
  int x = 3;
  x.held = 1;
  return x->held;
}
