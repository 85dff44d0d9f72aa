// both: the bits of a number are stored, whatever the pointer is to
// n != 1 ==> n != 0x3f800000
extern void reach_error(void);
int scanf(const char *, ...);
int main(void) {
  float x = 0;
  int n;
  if (scanf("%d", &x) != 1) return 0;
  __builtin_memcpy(&n, &x, sizeof n);
  if (x == 1.0f && !(n != 1)) reach_error();
  return 0;
}
