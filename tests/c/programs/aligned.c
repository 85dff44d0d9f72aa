// safe: blocks and variables lie where they were asked to
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *aligned_alloc(unsigned long, unsigned long);
extern void *malloc(unsigned long);
struct line { _Alignas(128) char c; } line;
char before;
_Alignas(64) int variable;
int main(void) {
  _Alignas(32) char local[3];
  malloc(24);
  switch (__VERIFIER_nondet_int()) {
  case 1: if ((unsigned long)&variable & 63) reach_error(); break;
  case 2: if ((unsigned long)&line & 127) reach_error(); break;
  case 3: if ((unsigned long)local & 31) reach_error(); break;
  case 4: if ((unsigned long)aligned_alloc(64, 128) & 63) reach_error(); break;
  }
  return 0;
}
