// safe: each round of the loop has a new local, whatever the one before was
extern void reach_error(void);
int main(void) {
  int i, seen = 0;
  for (i = 0; i < 5; i++) {
    int x, *p = &x;
    if (*p > 3) x = 3;
    if (x < 0) *p = 0;
    if (seen < x) seen = x;
  }
  if (seen > 3) reach_error();
  return 0;
}
