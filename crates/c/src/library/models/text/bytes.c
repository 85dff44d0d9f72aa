/* Functions on bytes and texts that the GNU C library has, or POSIX, and those of C in the locale "C". */
int __VERIFIER_nondet_int(void);
void __undecided_a_number_of_more_than_31_bits(void);

void *memrchr(const void *from, int byte, hardbop_size size) {
  const unsigned char *bytes = from;
  while (size) {
    size--;
    if (bytes[size] == (unsigned char)byte) return (void *)(bytes + size);
  }
  return 0;
}

void *memmem(const void *in, hardbop_size size, const void *what, hardbop_size length) {
  hardbop_size i, k;
  for (i = 0; length <= size && i <= size - length; i++) {
    for (k = 0; k < length && ((const char *)in)[i + k] == ((const char *)what)[k]; k++) {}
    if (k == length) return (char *)in + i;
  }
  return 0;
}

void *memccpy(void *to, const void *from, int last, hardbop_size size) {
  hardbop_size i;
  for (i = 0; i < size; i++) {
    ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    if (((const unsigned char *)from)[i] == (unsigned char)last) return (char *)to + i + 1;
  }
  return 0;
}

void swab(const void *from, void *to, long size) {
  long i;
  for (i = 0; i + 1 < size; i += 2) {
    char first = ((const char *)from)[i];
    ((char *)to)[i] = ((const char *)from)[i + 1];
    ((char *)to)[i + 1] = first;
  }
}

static int small(char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

char *strcasestr(const char *in, const char *what) {
  hardbop_size k;
  for (;; in++) {
    for (k = 0; what[k] && small(in[k]) == small(what[k]); k++) {}
    if (!what[k]) return (char *)in;
    if (!*in) return 0;
  }
}

char *stpncpy(char *to, const char *from, hardbop_size size) {
  hardbop_size length = 0, i;
  while (length < size && from[length]) {
    to[length] = from[length];
    length++;
  }
  for (i = length; i < size; i++) to[i] = 0;
  return to + length;
}

/* Of a result that is not 0, only the sign is fixed. */
int strcoll(const char *a, const char *b) {
  int some = __VERIFIER_nondet_int();
  while (*a == *b && *a) a++, b++;
  if (*a == *b) return 0;
  if ((unsigned char)*a < (unsigned char)*b) return some < 0 ? some : -1;
  return some > 0 ? some : 1;
}

hardbop_size strxfrm(char *to, const char *from, hardbop_size size) {
  hardbop_size length = 0, i;
  while (from[length]) length++;
  for (i = 0; i < size && i <= length; i++) to[i] = from[i];
  return length;
}

int isascii(int c) { return c >= 0 && c < 128; }
int toascii(int c) { return c & 127; }

long a64l(const char *text) {
  unsigned number = 0;
  int i, digit;
  for (i = 0; i < 6 && text[i]; i++) {
    char c = text[i];
    digit = c >= 'a' && c <= 'z' ? c - 'a' + 38 : c >= 'A' && c <= 'Z' ? c - 'A' + 12 : c >= '.' && c <= '9' ? c - '.' : -1;
    if (digit < 0) break;
    if (i == 5 && digit > 1) __undecided_a_number_of_more_than_31_bits();
    number |= (unsigned)digit << 6 * i;
  }
  return (int)number;
}

int getsubopt(char **options, char *const *tokens, char **value) {
  char *start = *options, *end = start, *equals;
  int i, k;
  if (!*start) return -1;
  while (*end && *end != ',') end++;
  for (equals = start; equals < end && *equals != '='; equals++) {}
  *value = equals < end ? equals + 1 : 0;
  if (*end) *end++ = 0;
  *options = end;
  for (i = 0; tokens[i]; i++) {
    for (k = 0; start + k < equals && tokens[i][k] == start[k]; k++) {}
    if (start + k == equals && !tokens[i][k]) return i;
  }
  *value = start;
  return -1;
}
