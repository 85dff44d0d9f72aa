// both: a packed bit-field has parts of the bytes of others
// s.c = n ==> s.c = n + 1
extern void reach_error(void);
extern int nondet_int(void);
struct s { unsigned char a : 6; unsigned char b : 5; int c : 30; unsigned char d : 7; } __attribute__((packed));
int main(void) {
  int n = nondet_int();
  if (n < -100 || n > 100) return 0;
  struct s s = { 1, 2, 3, 4 };
  s.c = n;
  if (sizeof s != 6 || s.a != 1 || s.b != 2 || s.c != n || s.d != 4) reach_error();
  return 0;
}
