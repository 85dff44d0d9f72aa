struct s { int a; } s;
int main(void) {
  int x = s;
  int *p = 1.5;
  if (s) x = 1;
  x = *x;
  x = s + 1;
  x = -s;
  x = (int)s;
  x = p * 2;
  3 = x;
  int a[2];
  a = p;
  return x % 1.5;
}
