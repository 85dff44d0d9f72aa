typedef int T;
int main(void) {
  int x = T;
  void v;
  unsigned float f;
  return x;
}
