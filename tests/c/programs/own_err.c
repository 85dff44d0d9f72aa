// unknown: without 'noreturn' it may be the program's own, which returns
extern void reach_error(void);
extern void err(const char *);
int main(void) {
  err("told");
  reach_error();
  return 0;
}
