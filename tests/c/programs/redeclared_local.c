// both: a second variable of the name, where compilers refuse it, hides the first
// x == 2 ==> x == 1
extern void reach_error(void);
int main(void) {
  int x = 1;
  int *first = &x;
  int x = 2;
  if (!(x == 2)) reach_error();
  if (*first != 1) reach_error();
  return 0;
}
