// both: what a pointer leads to has no qualifiers, where that is certain
// default: 4 ==> default: 5
extern void reach_error(void);
struct opaque;
struct opaque *find(void);
int a[3];
int main(void) {
  char *p = 0;
  struct opaque *o = 0;
  if (_Generic(p, const char *: 1, char *: 2, volatile char *: 3, default: 0) != 2) reach_error();
  if (_Generic("text", const char *: 1, default: 4) != 4) reach_error();
  if (_Generic(&p, char *const *: 1, char **: 2, default: 3) != 2) reach_error();
  if (_Generic(a, int *: 1, default: 2) != 1 || _Generic(&a[1], const int *: 1, default: 2) != 2) reach_error();
  if (_Generic(o, struct opaque *: 1, default: 2) != 1) reach_error();
  return 0;
}
