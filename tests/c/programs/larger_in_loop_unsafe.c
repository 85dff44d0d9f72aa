// unsafe: a new object each time, all of it
extern void reach_error(void);
struct wide { int a, b, c, d; };
int peek(struct wide *w) { return w->c; }
int main(void) {
  int i, last = 0, changes = 0;
  for (i = 0; i < 2; i++) {
    int x;
    int now = peek((struct wide *)&x);
    if (i == 1 && now != last) changes++;
    last = now;
    ((struct wide *)&x)->c = 5;
  }
  if (changes && last != 5) reach_error();
  return 0;
}
