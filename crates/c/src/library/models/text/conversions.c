/* strtol and its like (C11, 7.22.1.4).  What number a text is, and where it ends, executions know; to the analyses it is any
   number, and an end within the text. */
void __VERIFIER_assume(int condition);
void __undecided_a_number_in_another_base(void);
hardbop_size __VERIFIER_number_length(const char *text, int base);
long __VERIFIER_long_of(const char *text, int end, int base);
long long __VERIFIER_long_long_of(const char *text, int end, int base);
unsigned long __VERIFIER_unsigned_long_of(const char *text, int end, int base);
unsigned long long __VERIFIER_unsigned_long_long_of(const char *text, int end, int base);

static void ends(const char *text, char **end, int base) {
  if (base < 0 || base == 1 || base > 36) __undecided_a_number_in_another_base();
  if (end) {
    hardbop_size length = 0, used;
    while (text[length]) length++;
    used = __VERIFIER_number_length(text, base);
    __VERIFIER_assume(used <= length);
    *end = (char *)text + used;
  }
}

long strtol(const char *text, char **end, int base) {
  ends(text, end, base);
  return __VERIFIER_long_of(text, 0, base);
}

long long strtoll(const char *text, char **end, int base) {
  ends(text, end, base);
  return __VERIFIER_long_long_of(text, 0, base);
}

unsigned long strtoul(const char *text, char **end, int base) {
  ends(text, end, base);
  return __VERIFIER_unsigned_long_of(text, 0, base);
}

unsigned long long strtoull(const char *text, char **end, int base) {
  ends(text, end, base);
  return __VERIFIER_unsigned_long_long_of(text, 0, base);
}
