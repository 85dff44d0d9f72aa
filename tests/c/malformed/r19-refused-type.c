int main(void) {
  _Float16 sum = 1;
  int a[2][2], n = 2;
  static int b[n];
  sum = sum + a[0][0];
  b[0] = undeclared;
  return sum == b[0];
}
