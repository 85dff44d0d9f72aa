int main(void) {
  int x = 0;
  x = 1;
  else x = 2;
  return x;
}
