// safe: this memcpy copies nothing, this memset sets one
extern void reach_error(void);
struct s { int a, b; };
void *memcpy(void *to, const void *from, unsigned size) { return to; }
void *memset(void *to, int c, unsigned size) { ((struct s *)to)->a = c; return to; }
int main(void) {
  struct s x = { 1, 2 }, y = { 3, 4 };
  memcpy(&x, &y, sizeof x);
  if (x.a != 1 || x.b != 2) reach_error();
  memset(&y, 7, sizeof y);
  if (y.a != 7 || y.b != 4) reach_error();
  return 0;
}
