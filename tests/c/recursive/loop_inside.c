// both
// balance = balance + 1; ==> balance = balance + (n == 3 ? 2 : 1);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int balance;
void spend(int n) {
  while (__VERIFIER_nondet_int()) {
    balance = balance - 1;
    if (n > 0) spend(n - 1);
    balance = balance + 1;
  }
}
int main(void) {
  balance = 5;
  spend(__VERIFIER_nondet_int());
  if (balance != 5) reach_error();
  return 0;
}
