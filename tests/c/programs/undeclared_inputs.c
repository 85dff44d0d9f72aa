// unsafe: inputs that are not declared have the type that their name says
extern void reach_error(void);
int main(void) {
  double x = nondet_double();
  if (x > 0.25 && x < 0.75) reach_error();
  return 0;
}
