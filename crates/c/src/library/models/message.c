/* strerror (C11, 7.24.6.2) and what else lends a text that the system has: any text, which the next call may change. */
void *malloc(hardbop_size size);
_Bool __VERIFIER_nondet_bool(void);
hardbop_size __VERIFIER_nondet_size_t(void);
void __VERIFIER_assume(int condition);

static char *message;

static char *any_message(void) {
  hardbop_size length = __VERIFIER_nondet_size_t();
  __VERIFIER_assume(length < 131072);
  message = malloc(length + 1);
  __VERIFIER_assume(message != 0);
  message[length] = 0;
  return message;
}

char *strerror(int number) { return any_message(); }
char *strsignal(int number) { return any_message(); }

/* The locale can always be asked for; it can be set to "C". */
char *setlocale(int category, const char *locale) {
  if (locale && !(locale[0] == 'C' && !locale[1]) && __VERIFIER_nondet_bool()) return 0;
  return any_message();
}
