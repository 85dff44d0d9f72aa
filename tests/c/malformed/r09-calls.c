int f(int a, int b) { return a + b; }
void g(void) { }
int main(void) {
  int x = f(1);
  x = f(1, 2, 3);
  x = g();
  x();
  return x;
}
