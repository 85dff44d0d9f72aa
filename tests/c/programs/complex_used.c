// rejected: what is not supported is used
extern double cabs(double _Complex);
extern void reach_error(void);
int main(void) {
  if (cabs(1.0) > 2) reach_error();
  return 0;
}
