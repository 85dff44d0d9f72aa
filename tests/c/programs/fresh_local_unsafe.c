// unsafe: each round of the loop has a new local
extern void reach_error(void);
int main(void) {
  int i, first = 0, second = 0;
  for (i = 0; i < 2; i++) {
    int x, *p = &x;
    if (i == 0) first = *p; else second = x;
  }
  if (first == 41 && second == 4711) reach_error();
  return 0;
}
