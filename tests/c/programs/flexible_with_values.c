// both: an object has the elements that its last member is given, and its type has none
// f.a[1] != 3 ==> f.a[1] != 2
extern void reach_error(void);
typedef struct { char n; short a[]; } T;
extern T f;
T f = {1, {2, 3, 0}};
extern T f;
struct menu { const char *name; int items[]; };
static struct menu m = { "main", .items = {[3] = 4, 5} };
static T *p = &f; short *q = &f.a[1];
T g = {7};
int main(void) {
  static T h = {1, {2, 3, 0}};
  if (f.a[1] != 3 || p->a[0] != 2 || *q != 3) reach_error();
  if (sizeof f != 2 || sizeof(h) != 2) reach_error();
  if (m.items[3] != 4 || m.items[4] != 5 || m.items[0]) reach_error();
  h.a[2] = 9;
  T *r = &h;
  if (r->a[2] != 9) reach_error();
  g = f;
  if (g.n != 1) reach_error();
  __typeof__(f) k;
  k.n = 3;
  if (sizeof k != 2) reach_error();
  return 0;
}
