/* signal (C11, 7.14.1.1), as far as signals are ignored or left to the system: a handler of the program is left undecided. */
void __undecided_a_signal_handler_of_the_program(void);

typedef void (*signal_handler)(int);
/* What a program begins with is what it was started with. */
static signal_handler actions[65];
static char is_known[65];
_Bool __VERIFIER_nondet_bool(void);

signal_handler signal(int number, signal_handler action) {
  signal_handler before;
  if (number < 1 || number > 64 || number == 9 || number == 19 || number == 32 || number == 33) return (signal_handler)-1;
  if (action != (signal_handler)0 && action != (signal_handler)1) __undecided_a_signal_handler_of_the_program();
  if (!is_known[number]) {
    is_known[number] = 1;
    actions[number] = (signal_handler)__VERIFIER_nondet_bool();
  }
  before = actions[number];
  actions[number] = action;
  return before;
}
