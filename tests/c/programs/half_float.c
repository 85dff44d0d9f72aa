// rejected: numbers of 16 bits are not modelled
extern void reach_error(void);
int main(void) {
  _Float16 a = 1.5, b = 2.5;
  if (a + b != 4.0) reach_error();
  return 0;
}
