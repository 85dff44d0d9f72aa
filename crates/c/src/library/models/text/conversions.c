/* strtol and its like (C11, 7.22.1.4).  Which number a text is, executions know; to the analyses it is any.  What is read of the
   text, and where the number ends, is as in glibc. */
void __undecided_a_number_in_another_base(void);
long __VERIFIER_long_of(const char *text, int end, int base);
long long __VERIFIER_long_long_of(const char *text, int end, int base);
unsigned long __VERIFIER_unsigned_long_of(const char *text, int end, int base);
unsigned long long __VERIFIER_unsigned_long_long_of(const char *text, int end, int base);

static int digit_of(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

static hardbop_size end_of_number(const char *text, int base) {
  hardbop_size i = 0, first;
  if (base < 0 || base == 1 || base > 36) __undecided_a_number_in_another_base();
  while (text[i] == ' ' || (text[i] >= 9 && text[i] <= 13)) i++;
  if (text[i] == '-' || text[i] == '+') i++;
  if ((base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X') && digit_of(text[i + 2]) < 16) {
    i += 2;
    base = 16;
  } else if (base == 0)
    base = text[i] == '0' ? 8 : 10;
  first = i;
  while (digit_of(text[i]) < base) i++;
  return i == first ? 0 : i;
}

long strtol(const char *text, char **end, int base) {
  hardbop_size length = end_of_number(text, base);
  long number = __VERIFIER_long_of(text, 0, base);
  if (end) *end = (char *)text + length;
  return number;
}

long long strtoll(const char *text, char **end, int base) {
  hardbop_size length = end_of_number(text, base);
  long long number = __VERIFIER_long_long_of(text, 0, base);
  if (end) *end = (char *)text + length;
  return number;
}

unsigned long strtoul(const char *text, char **end, int base) {
  hardbop_size length = end_of_number(text, base);
  unsigned long number = __VERIFIER_unsigned_long_of(text, 0, base);
  if (end) *end = (char *)text + length;
  return number;
}

unsigned long long strtoull(const char *text, char **end, int base) {
  hardbop_size length = end_of_number(text, base);
  unsigned long long number = __VERIFIER_unsigned_long_long_of(text, 0, base);
  if (end) *end = (char *)text + length;
  return number;
}
