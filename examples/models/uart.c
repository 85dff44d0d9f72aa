/* A model of a serial line, for `hardbop check --library examples/models`. */
#include <assert.h>
int __VERIFIER_nondet_int(void);   /* any value of a type: an input of the trace */
void __VERIFIER_assume(int);       /* no execution in which this is 0 */

static int is_open;

int uart_open(int port) {
  is_open = port >= 0 && port < 4;
  return is_open ? 0 : -1;
}

int uart_waiting(void) {
  int n = __VERIFIER_nondet_int();
  assert(is_open);                 /* shown where it fails, with the caller */
  __VERIFIER_assume(n >= 0 && n <= 16);
  return n;
}
