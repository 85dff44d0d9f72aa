/* Texts of wide characters (C11, 7.29.4), and those characters in the locale "C" (7.30). */
int __VERIFIER_nondet_int(void);

/* Of results that are not 0, only the sign is fixed, or not even that. */
static int ordered(int a, int b) {
  int some = __VERIFIER_nondet_int();
  if (a < b) return some < 0 ? some : -1;
  return some > 0 ? some : 1;
}

static int truth(int is_so) {
  int some = __VERIFIER_nondet_int();
  return is_so ? some ? some : 1 : 0;
}

int wcscmp(const int *a, const int *b) {
  while (*a == *b && *a) a++, b++;
  return *a == *b ? 0 : ordered(*a, *b);
}

int wcsncmp(const int *a, const int *b, hardbop_size size) {
  hardbop_size i;
  for (i = 0; i < size; i++) {
    if (a[i] != b[i]) return ordered(a[i], b[i]);
    if (!a[i]) break;
  }
  return 0;
}

int wmemcmp(const int *a, const int *b, hardbop_size size) {
  hardbop_size i;
  for (i = 0; i < size; i++)
    if (a[i] != b[i]) return ordered(a[i], b[i]);
  return 0;
}

int *wcsrchr(const int *a, int c) {
  const int *last = 0;
  for (;; a++) {
    if (*a == c) last = a;
    if (!*a) return (int *)last;
  }
}

int *wmemchr(const int *a, int c, hardbop_size size) {
  hardbop_size i;
  for (i = 0; i < size; i++)
    if (a[i] == c) return (int *)a + i;
  return 0;
}

int *wcsstr(const int *in, const int *what) {
  hardbop_size k;
  for (;; in++) {
    for (k = 0; what[k] && in[k] == what[k]; k++) {}
    if (!what[k]) return (int *)in;
    if (!*in) return 0;
  }
}

static int is_among(int c, const int *set) {
  for (; *set; set++)
    if (*set == c) return 1;
  return 0;
}

hardbop_size wcsspn(const int *a, const int *set) {
  hardbop_size n = 0;
  while (a[n] && is_among(a[n], set)) n++;
  return n;
}

hardbop_size wcscspn(const int *a, const int *set) {
  hardbop_size n = 0;
  while (a[n] && !is_among(a[n], set)) n++;
  return n;
}

int *wcspbrk(const int *a, const int *set) {
  for (; *a; a++)
    if (is_among(*a, set)) return (int *)a;
  return 0;
}

hardbop_size wcsnlen(const int *a, hardbop_size size) {
  hardbop_size n = 0;
  while (n < size && a[n]) n++;
  return n;
}

int *wcstok(int *text, const int *set, int **rest) {
  if (!text) text = *rest;
  if (!text) return 0;
  while (*text && is_among(*text, set)) text++;
  if (!*text) {
    *rest = 0;
    return 0;
  }
  *rest = text;
  while (**rest && !is_among(**rest, set)) ++*rest;
  if (**rest)
    *(*rest)++ = 0;
  else
    *rest = 0;
  return text;
}

static int is_digit(unsigned c) { return c >= '0' && c <= '9'; }
static int is_lower(unsigned c) { return c >= 'a' && c <= 'z'; }
static int is_upper(unsigned c) { return c >= 'A' && c <= 'Z'; }
static int is_letter(unsigned c) { return is_lower(c) || is_upper(c); }
int iswdigit(unsigned c) { return truth(is_digit(c)); }
int iswlower(unsigned c) { return truth(is_lower(c)); }
int iswupper(unsigned c) { return truth(is_upper(c)); }
int iswalpha(unsigned c) { return truth(is_letter(c)); }
int iswalnum(unsigned c) { return truth(is_letter(c) || is_digit(c)); }
int iswblank(unsigned c) { return truth(c == ' ' || c == '\t'); }
int iswcntrl(unsigned c) { return truth(c < 32 || c == 127); }
int iswgraph(unsigned c) { return truth(c > 32 && c < 127); }
int iswprint(unsigned c) { return truth(c >= 32 && c < 127); }
int iswpunct(unsigned c) { return truth(c > 32 && c < 127 && !is_letter(c) && !is_digit(c)); }
int iswspace(unsigned c) { return truth(c == ' ' || (c >= '\t' && c <= '\r')); }
int iswxdigit(unsigned c) { return truth(is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')); }
unsigned towlower(unsigned c) { return is_upper(c) ? c + 32 : c; }
unsigned towupper(unsigned c) { return is_lower(c) ? c - 32 : c; }
