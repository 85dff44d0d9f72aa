int main(void) {
  int x = 1;
  typedef int x;
  return x;
}
