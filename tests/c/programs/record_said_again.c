// both: a record may be defined again with the same members (C23, 6.7.3.4)
// b.y == 2 ==> b.y == 1
extern void reach_error(void);
struct s {
  int x, y : 4;
};
struct s a = {1, 2};
struct s {
  int x, y : 4;
};
int main(void) {
  struct s b = a;
  if (!(b.y == 2)) reach_error();
  return 0;
}
