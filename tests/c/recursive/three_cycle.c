// both
// turn = 2; ==> if (n != 5) turn = 2;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int turn;
void b(int n);
void c(int n);
void a(int n) {
  if (turn != 0) reach_error();
  if (n <= 0) return;
  turn = 1;
  b(n - 1);
}
void b(int n) {
  if (turn != 1) reach_error();
  turn = 2;
  c(n - 1);
}
void c(int n) {
  if (turn != 2) reach_error();
  turn = 0;
  a(n - 1);
}
int main(void) {
  turn = 0;
  a(__VERIFIER_nondet_int());
  return 0;
}
