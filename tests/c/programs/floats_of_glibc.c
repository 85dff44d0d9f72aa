// safe: what the macros of older headers call
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern int __isinf(double), __isinff(float), __finite(double), __signbitf(float), __fpclassify(double);
extern int fegetround(void);
extern double sqrt(double);
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (__isinf(x) && x > 0 && __isinf(x) != 1) reach_error();
  if (__isinff(-1.0f / 0.0f) != -1 || __finite(1.0 / 0.0) || !__signbitf(-0.0f)) reach_error();
  int kind = __fpclassify(x);
  if (kind < 0 || kind > 4 || (kind == 0) != (x != x) || (kind == 2) != (x == 0)) reach_error();
  if (fegetround()) reach_error();
  double root = sqrt(-4.0);
  if (root == root) reach_error();
  return 0;
}
