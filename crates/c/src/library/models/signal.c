/* signal (C11, 7.14.1.1), as far as signals are ignored or left to the system: a handler of the program is left undecided. */
void __undecided_a_signal_handler_of_the_program(void);

typedef void (*signal_handler)(int);
static signal_handler actions[65];

signal_handler signal(int number, signal_handler action) {
  signal_handler before;
  if (number < 1 || number > 64) return (signal_handler)-1;
  if (action != (signal_handler)0 && action != (signal_handler)1) __undecided_a_signal_handler_of_the_program();
  before = actions[number];
  actions[number] = action;
  return before;
}
