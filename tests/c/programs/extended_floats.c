// safe: an extended type is the next wider one
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
  _Float32x wide = 16777217.0;
  _Float32 narrow = 16777217.0;
  if (sizeof wide != 8 || sizeof narrow != 4 || wide == narrow) reach_error();
  return 0;
}
