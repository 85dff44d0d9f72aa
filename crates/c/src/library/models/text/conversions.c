/* strtol, strtod and their like (C11, 7.22.1.3 and 7.22.1.4).  Which number a text is, executions know; to the analyses it is any.
   Where the number ends is as in glibc, in the locale "C". */
void __undecided_a_number_in_another_base(void);
long __VERIFIER_long_of(const char *text, int end, int base);
long long __VERIFIER_long_long_of(const char *text, int end, int base);
unsigned long __VERIFIER_unsigned_long_of(const char *text, int end, int base);
unsigned long long __VERIFIER_unsigned_long_long_of(const char *text, int end, int base);

hardbop_size __VERIFIER_length_of_floating_number(const char *text);
double __VERIFIER_double_of(const char *text, hardbop_size length);
float __VERIFIER_float_of(const char *text, hardbop_size length);

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

/* A walk along a number, of which executions know the length; to the analyses it is any that the text has. */
static hardbop_size walked(const char *text, hardbop_size length) {
  hardbop_size i = 0;
  while (text[i] && i < length) i++;
  return i;
}

double strtod(const char *text, char **end) {
  hardbop_size length = walked(text, __VERIFIER_length_of_floating_number(text));
  double number = __VERIFIER_double_of(text, length);
  if (end) *end = (char *)text + length;
  return number;
}

float strtof(const char *text, char **end) {
  hardbop_size length = walked(text, __VERIFIER_length_of_floating_number(text));
  float number = __VERIFIER_float_of(text, length);
  if (end) *end = (char *)text + length;
  return number;
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
