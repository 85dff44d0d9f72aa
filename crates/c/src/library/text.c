// Bodies of functions of the C library on texts.  Those that have the name of a function do all that it does; others do
// what `checks::models` needs: they read what a function reads, or write a part of what it writes.  hardbop_size is
// size_t, hardbop_wide is wchar_t.
void __VERIFIER_assume(int condition);
void *malloc(hardbop_size size);

// Of the result only the sign is known.

int strcmp(const char *a, const char *b) {
  hardbop_size i = 0;
  int sign;
  while (a[i] && a[i] == b[i]) i++;
  if (a[i] == b[i]) return 0;
  __VERIFIER_assume(sign && (sign < 0) == ((unsigned char)a[i] < (unsigned char)b[i]));
  return sign;
}

int strncmp(const char *a, const char *b, hardbop_size n) {
  hardbop_size i = 0;
  int sign;
  while (i < n && a[i] && a[i] == b[i]) i++;
  if (i >= n || a[i] == b[i]) return 0;
  __VERIFIER_assume(sign && (sign < 0) == ((unsigned char)a[i] < (unsigned char)b[i]));
  return sign;
}

int memcmp(const void *a, const void *b, hardbop_size n) {
  hardbop_size i = 0;
  int sign;
  while (i < n && ((const unsigned char *)a)[i] == ((const unsigned char *)b)[i]) i++;
  if (i >= n) return 0;
  __VERIFIER_assume(sign && (sign < 0) == (((const unsigned char *)a)[i] < ((const unsigned char *)b)[i]));
  return sign;
}

// Twice: these, and with wchar_t in place of char (wide, wide_within, wcslen, wcscpy, ...).

void text(const char *a) {
  hardbop_size n = 0;
  while (a[n]) n++;
}

void text_within(const char *a, hardbop_size n) {
  hardbop_size i = 0;
  while (i < n && a[i]) i++;
}

hardbop_size strlen(const char *a) {
  hardbop_size n = 0;
  while (a[n]) n++;
  return n;
}

char *strcpy(char *a, const char *b) {
  hardbop_size i = 0;
  while (b[i]) {
    a[i] = b[i];
    i++;
  }
  a[i] = 0;
  return a;
}

char *strncpy(char *a, const char *b, hardbop_size n) {
  hardbop_size i = 0;
  while (i < n && b[i]) {
    a[i] = b[i];
    i++;
  }
  while (i < n) {
    a[i] = 0;
    i++;
  }
  return a;
}

char *strcat(char *a, const char *b) {
  hardbop_size n = 0, i = 0;
  while (a[n]) n++;
  while (b[i]) {
    a[n + i] = b[i];
    i++;
  }
  a[n + i] = 0;
  return a;
}

char *strncat(char *a, const char *b, hardbop_size n) {
  hardbop_size k = 0, i = 0;
  while (a[k]) k++;
  while (i < n && b[i]) {
    a[k + i] = b[i];
    i++;
  }
  a[k + i] = 0;
  return a;
}

// Once.

void text_if_any(const char *a) {
  hardbop_size n = 0;
  while (a && a[n]) n++;
}

void found_always(const char *a, int c) {
  hardbop_size i = 0;
  while (a[i] != (char)c) i++;
}

// The results have the sign of those of the functions; those of 'alike' do not tell small letters from capital ones.

int compared(const char *a, const char *b) {
  hardbop_size i = 0;
  while (a[i] == b[i] && a[i]) i++;
  return (unsigned char)a[i] - (unsigned char)b[i];
}

int compared_within(const char *a, const char *b, hardbop_size n) {
  hardbop_size i = 0;
  while (i < n && a[i] == b[i] && a[i]) i++;
  if (i < n) return (unsigned char)a[i] - (unsigned char)b[i];
  return 0;
}

int alike(const char *a, const char *b) {
  hardbop_size i = 0;
  int x = 1, y = 1;
  while (x == y && x) {
    x = (unsigned char)a[i];
    y = (unsigned char)b[i];
    if (x >= 'A' && x <= 'Z') x = x + ('a' - 'A');
    if (y >= 'A' && y <= 'Z') y = y + ('a' - 'A');
    i++;
  }
  return x - y;
}

int alike_within(const char *a, const char *b, hardbop_size n) {
  hardbop_size i = 0;
  int x = 1, y = 1;
  while (i < n && x == y && x) {
    x = (unsigned char)a[i];
    y = (unsigned char)b[i];
    if (x >= 'A' && x <= 'Z') x = x + ('a' - 'A');
    if (y >= 'A' && y <= 'Z') y = y + ('a' - 'A');
    i++;
  }
  return x - y;
}

char *strchr(const char *a, int c) {
  hardbop_size i = 0;
  while (a[i] != (char)c && a[i]) i++;
  if (a[i] == (char)c) return (char *)a + i;
  return 0;
}

char *strrchr(const char *a, int c) {
  hardbop_size i = 0;
  char *last = 0;
  while (a[i]) {
    if (a[i] == (char)c) last = (char *)a + i;
    i++;
  }
  if (!(char)c) return (char *)a + i;
  return last;
}

char *strchrnul(const char *a, int c) {
  hardbop_size i = 0;
  while (a[i] != (char)c && a[i]) i++;
  return (char *)a + i;
}

char *memchr(const char *a, int c, hardbop_size n) {
  hardbop_size i = 0;
  while (i < n && a[i] != (char)c) i++;
  if (i < n) return (char *)a + i;
  return 0;
}

hardbop_size strcspn(const char *a, const char *b) {
  hardbop_size i = 0, k;
  while (a[i]) {
    k = 0;
    while (b[k] && b[k] != a[i]) k++;
    if (b[k]) return i;
    i++;
  }
  return i;
}

hardbop_size strspn(const char *a, const char *b) {
  hardbop_size i = 0, k;
  while (a[i]) {
    k = 0;
    while (b[k] && b[k] != a[i]) k++;
    if (!b[k]) return i;
    i++;
  }
  return i;
}

char *strpbrk(const char *a, const char *b) {
  hardbop_size i = 0, k;
  while (a[i]) {
    k = 0;
    while (b[k] && b[k] != a[i]) k++;
    if (b[k]) return (char *)a + i;
    i++;
  }
  return 0;
}

hardbop_size strnlen(const char *a, hardbop_size n) {
  hardbop_size i = 0;
  while (i < n && a[i]) i++;
  return i;
}

char *stpcpy(char *a, const char *b) {
  hardbop_size i = 0;
  while (b[i]) {
    a[i] = b[i];
    i++;
  }
  a[i] = 0;
  return a + i;
}

hardbop_size strlcpy(char *a, const char *b, hardbop_size n) {
  hardbop_size i = 0;
  while (b[i]) {
    if (i + 1 < n) a[i] = b[i];
    i++;
  }
  if (n) a[i < n ? i : n - 1] = 0;
  return i;
}

hardbop_size strlcat(char *a, const char *b, hardbop_size n) {
  hardbop_size k = 0, i = 0;
  while (k < n && a[k]) k++;
  while (b[i]) {
    if (k + i + 1 < n) a[k + i] = b[i];
    i++;
  }
  if (k < n) a[k + i < n ? k + i : n - 1] = 0;
  return k + i;
}

hardbop_wide *wmemset(hardbop_wide *a, hardbop_wide b, hardbop_size n) {
  hardbop_size i = 0;
  while (i < n) {
    a[i] = b;
    i++;
  }
  return a;
}

hardbop_wide *wmemcpy(hardbop_wide *a, const hardbop_wide *b, hardbop_size n) {
  hardbop_size i = 0;
  while (i < n) {
    a[i] = b[i];
    i++;
  }
  return a;
}

hardbop_wide *wmemmove(hardbop_wide *a, const hardbop_wide *b, hardbop_size n) {
  hardbop_size i = 0;
  if (a < b) {
    while (i < n) {
      a[i] = b[i];
      i++;
    }
    return a;
  }
  while (n) {
    n--;
    a[n] = b[n];
  }
  return a;
}

// What snprintf writes at position i of the n characters of a, and the position behind it.

hardbop_size put_text(char *a, hardbop_size n, hardbop_size i, const char *b) {
  hardbop_size k = 0;
  while (b[k]) {
    if (i + 1 < n) a[i] = b[k];
    i++;
    k++;
  }
  return i;
}

hardbop_size put_text_within(char *a, hardbop_size n, hardbop_size i, const char *b, hardbop_size most) {
  hardbop_size k = 0;
  while (k < most && b[k]) {
    if (i + 1 < n) a[i] = b[k];
    i++;
    k++;
  }
  return i;
}

hardbop_size put_padded_text(char *a, hardbop_size n, hardbop_size i, const char *b, hardbop_size most,
                             hardbop_size width, int is_left) {
  hardbop_size length = 0, k = 0, gap = 0;
  while (length < most && b[length]) length++;
  if (width > length) gap = width - length;
  while (!is_left && gap) {
    if (i + 1 < n) a[i] = ' ';
    i++;
    gap--;
  }
  while (k < length) {
    if (i + 1 < n) a[i] = b[k];
    i++;
    k++;
  }
  while (gap) {
    if (i + 1 < n) a[i] = ' ';
    i++;
    gap--;
  }
  return i;
}

hardbop_size put_character(char *a, hardbop_size n, hardbop_size i, int c) {
  if (i + 1 < n) a[i] = (char)c;
  return i + 1;
}

// How many digits a number has, whose sign counts or not.
hardbop_size digits_of(unsigned long long x, int is_signed, unsigned base) {
  if (is_signed && (long long)x < 0) x = 0 - x;
  if (base == 10)
    return 1 + (x >= 10) + (x >= 100) + (x >= 1000) + (x >= 10000) + (x >= 100000) + (x >= 1000000)
           + (x >= 10000000) + (x >= 100000000) + (x >= 1000000000) + (x >= 10000000000) + (x >= 100000000000)
           + (x >= 1000000000000) + (x >= 10000000000000) + (x >= 100000000000000) + (x >= 1000000000000000)
           + (x >= 10000000000000000) + (x >= 100000000000000000) + (x >= 1000000000000000000)
           + (x >= 10000000000000000000u);
  if (base == 16)
    return 1 + (x >= 0x10) + (x >= 0x100) + (x >= 0x1000) + (x >= 0x10000) + (x >= 0x100000) + (x >= 0x1000000)
           + (x >= 0x10000000) + (x >= 0x100000000) + (x >= 0x1000000000) + (x >= 0x10000000000)
           + (x >= 0x100000000000) + (x >= 0x1000000000000) + (x >= 0x10000000000000) + (x >= 0x100000000000000)
           + (x >= 0x1000000000000000);
  return 1 + (x >= 0x8) + (x >= 0x40) + (x >= 0x200) + (x >= 0x1000) + (x >= 0x8000) + (x >= 0x40000)
         + (x >= 0x200000) + (x >= 0x1000000) + (x >= 0x8000000) + (x >= 0x40000000) + (x >= 0x200000000)
         + (x >= 0x1000000000) + (x >= 0x8000000000) + (x >= 0x40000000000) + (x >= 0x200000000000)
         + (x >= 0x1000000000000) + (x >= 0x8000000000000) + (x >= 0x40000000000000) + (x >= 0x200000000000000)
         + (x >= 0x1000000000000000) + (x >= 0x8000000000000000);
}

// A number that has so many digits, written with no less than 'least' of them, with a sign in front of it: none, as 0; 1, if
// it is negative; another one, else.  What fills the width: spaces before it, as 0; spaces behind it, as 1; zeros, as 2.
hardbop_size put_number(char *a, hardbop_size n, hardbop_size i, unsigned long long x, int sign, unsigned base,
                        int ten, hardbop_size least, hardbop_size width, int pad, hardbop_size count) {
  hardbop_size zeros = 0, gap = 0, k;
  if (sign && (long long)x < 0) {
    sign = '-';
    x = 0 - x;
  }
  if (!x && !least) count = 0;
  if (least > count) zeros = least - count;
  k = count + zeros + (sign > 1);
  if (width > k) gap = width - k;
  if (pad == 2) {
    zeros = zeros + gap;
    gap = 0;
  }
  while (pad == 0 && gap) {
    if (i + 1 < n) a[i] = ' ';
    i++;
    gap--;
  }
  if (sign > 1) {
    if (i + 1 < n) a[i] = (char)sign;
    i++;
  }
  while (zeros) {
    if (i + 1 < n) a[i] = '0';
    i++;
    zeros--;
  }
  k = count;
  while (k) {
    int digit = (int)(x % base);
    k--;
    if (i + k + 1 < n) a[i + k] = (char)(digit < 10 ? '0' + digit : ten + digit - 10);
    x = x / base;
  }
  i = i + count;
  while (gap) {
    if (i + 1 < n) a[i] = ' ';
    i++;
    gap--;
  }
  return i;
}

// The position behind what the functions above write.

hardbop_size count_plain(hardbop_size i, hardbop_size n) {
  return i + n;
}

hardbop_size count_text(hardbop_size i, const char *b, hardbop_size most, hardbop_size width) {
  hardbop_size k = 0;
  while (k < most && b[k]) k++;
  return i + (width > k ? width : k);
}

hardbop_size count_number(hardbop_size i, unsigned long long x, int sign, hardbop_size least, hardbop_size width,
                          hardbop_size count) {
  if (!x && !least) count = 0;
  if (least > count) count = least;
  count = count + (sign > 1 || (sign && (long long)x < 0));
  return i + (width > count ? width : count);
}

// A new block for n characters and a zero: where it is, and how many characters it has room for, since there may be none.

char *put_block(char **to, hardbop_size n) {
  char *a = malloc(n + 1);
  if (a) *to = a;
  return a;
}

char *strdup(const char *a) {
  hardbop_size n = 0, i = 0;
  char *b;
  while (a[n]) n++;
  b = malloc(n + 1);
  if (!b) return 0;
  while (i <= n) {
    b[i] = a[i];
    i++;
  }
  return b;
}

char *strndup(const char *a, hardbop_size most) {
  hardbop_size n = 0, i = 0;
  char *b;
  while (n < most && a[n]) n++;
  b = malloc(n + 1);
  if (!b) return 0;
  while (i < n) {
    b[i] = a[i];
    i++;
  }
  b[n] = 0;
  return b;
}

hardbop_size put_room(const char *a) {
  return a ? (hardbop_size)-1 : 0;
}

int put_end_of_block(char *a, hardbop_size i) {
  if (!a) return -1;
  a[i] = 0;
  return (int)i;
}

// Puts the zero behind it; the result of the call.
int put_end(char *a, hardbop_size n, hardbop_size i) {
  if (n) a[i < n ? i : n - 1] = 0;
  return (int)i;
}
