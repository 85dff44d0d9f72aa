// unknown: it returns 0 or -1
extern void reach_error(void);
extern int timer_delete(void *);
int main(void) {
  int result = timer_delete(0);
  if (result != 0 && result != -1) reach_error();
  return 0;
}
