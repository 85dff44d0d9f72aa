// Bodies of functions of the C library, as far as they access memory.  They stand at a call where accesses are checked:
// those that have the name of a function do all that it does; others only read what it reads.  hardbop_size is size_t,
// hardbop_wide is wchar_t.

void text(const char *a) {
  hardbop_size n = 0;
  while (a[n]) n++;
}

void text_within(const char *a, hardbop_size n) {
  hardbop_size i = 0;
  while (i < n && a[i]) i++;
}

void wide(const hardbop_wide *a) {
  hardbop_size n = 0;
  while (a[n]) n++;
}

void wide_within(const hardbop_wide *a, hardbop_size n) {
  hardbop_size i = 0;
  while (i < n && a[i]) i++;
}

void compared(const char *a, const char *b) {
  hardbop_size i = 0;
  while (a[i] == b[i] && a[i]) i++;
}

void compared_within(const char *a, const char *b, hardbop_size n) {
  hardbop_size i = 0;
  while (i < n && a[i] == b[i] && a[i]) i++;
}

void found(const char *a, int c) {
  hardbop_size i = 0;
  while (a[i] != (char)c && a[i]) i++;
}

hardbop_size strlen(const char *a) {
  hardbop_size n = 0;
  while (a[n]) n++;
  return n;
}

hardbop_size strnlen(const char *a, hardbop_size n) {
  hardbop_size i = 0;
  while (i < n && a[i]) i++;
  return i;
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

char *stpcpy(char *a, const char *b) {
  hardbop_size i = 0;
  while (b[i]) {
    a[i] = b[i];
    i++;
  }
  a[i] = 0;
  return a + i;
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

hardbop_size strlcpy(char *a, const char *b, hardbop_size n) {
  hardbop_size i = 0;
  while (b[i]) {
    if (i + 1 < n) a[i] = b[i];
    i++;
  }
  if (n) a[i < n ? i : n - 1] = 0;
  return i;
}

hardbop_size wcslen(const hardbop_wide *a) {
  hardbop_size n = 0;
  while (a[n]) n++;
  return n;
}

hardbop_wide *wcscpy(hardbop_wide *a, const hardbop_wide *b) {
  hardbop_size i = 0;
  while (b[i]) {
    a[i] = b[i];
    i++;
  }
  a[i] = 0;
  return a;
}

hardbop_wide *wcsncpy(hardbop_wide *a, const hardbop_wide *b, hardbop_size n) {
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

hardbop_wide *wcscat(hardbop_wide *a, const hardbop_wide *b) {
  hardbop_size n = 0, i = 0;
  while (a[n]) n++;
  while (b[i]) {
    a[n + i] = b[i];
    i++;
  }
  a[n + i] = 0;
  return a;
}

hardbop_wide *wcsncat(hardbop_wide *a, const hardbop_wide *b, hardbop_size n) {
  hardbop_size k = 0, i = 0;
  while (a[k]) k++;
  while (i < n && b[i]) {
    a[k + i] = b[i];
    i++;
  }
  a[k + i] = 0;
  return a;
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

hardbop_size put_character(char *a, hardbop_size n, hardbop_size i, int c) {
  if (i + 1 < n) a[i] = (char)c;
  return i + 1;
}

hardbop_size put_unsigned(char *a, hardbop_size n, hardbop_size i, unsigned long long x, unsigned base) {
  unsigned long long power = 1;
  while (x / power >= base) power = power * base;
  while (power) {
    int digit = (int)(x / power % base);
    if (i + 1 < n) a[i] = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
    i++;
    power = power / base;
  }
  return i;
}

hardbop_size put_signed(char *a, hardbop_size n, hardbop_size i, long long x) {
  unsigned long long y = (unsigned long long)x, power = 1;
  if (x < 0) {
    if (i + 1 < n) a[i] = '-';
    i++;
    y = 0 - y;
  }
  while (y / power >= 10) power = power * 10;
  while (power) {
    if (i + 1 < n) a[i] = (char)('0' + y / power % 10);
    i++;
    power = power / 10;
  }
  return i;
}

// Puts the zero behind it; the result of the call.
int put_end(char *a, hardbop_size n, hardbop_size i) {
  if (n) a[i < n ? i : n - 1] = 0;
  return (int)i;
}
