/* Wide texts (C11, 7.29.4), as far as their characters are numbers of type int. */
hardbop_size wcslen(const int *text) {
  hardbop_size length = 0;
  while (text[length]) length++;
  return length;
}

int *wcschr(const int *text, int c) {
  for (;; text++) {
    if (*text == c) return (int *)text;
    if (!*text) return 0;
  }
}
