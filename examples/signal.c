#include <signal.h>
static volatile sig_atomic_t rate = 5;
static void on(int number) { rate = 0; }
int main(void) {
  signal(SIGINT, on);
  if (rate != 0) return 100 / rate;
  return 1;
}
