// safe: what is not supported is declared, and not used
extern _Float16 widened(_Float16);
typedef float four __attribute__((vector_size(16)));
typedef struct { four all[8]; } registers;
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 3 && x < 3) reach_error();
  return 0;
}
