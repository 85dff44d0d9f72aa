int main(void) {
  int x = 1;
  switch (x) {
  case 1: x = 2; break;
  case 1: x = 3;
  case x: x = 4;
  default: x = 5;
  default: x = 6;
  }
  case 3: break;
  continue;
  return x;
}
