// both
// move(from, to); ==> if (n != 2) move(from, to);
extern void reach_error(void);
int on[4];
int moves;
void move(int from, int to) {
  on[from] = on[from] - 1;
  on[to] = on[to] + 1;
  moves = moves + 1;
}
void hanoi(int n, int from, int to, int by) {
  if (n == 0) return;
  hanoi(n - 1, from, by, to);
  move(from, to);
  hanoi(n - 1, by, to, from);
}
int main(void) {
  on[1] = 3;
  hanoi(3, 1, 3, 2);
  if (on[1] != 0 || on[3] != 3) reach_error();
  return 0;
}
