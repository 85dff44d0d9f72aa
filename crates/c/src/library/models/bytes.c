/* Older names of functions on bytes, and wide texts (POSIX; C11, 7.29.4). */
void *memset(void *to, int byte, hardbop_size size);
void *memmove(void *to, const void *from, hardbop_size size);
int memcmp(const void *a, const void *b, hardbop_size size);

void bzero(void *to, hardbop_size size) { memset(to, 0, size); }
void explicit_bzero(void *to, hardbop_size size) { memset(to, 0, size); }
void bcopy(const void *from, void *to, hardbop_size size) { memmove(to, from, size); }
int bcmp(const void *a, const void *b, hardbop_size size) { return memcmp(a, b, size); }
void *mempcpy(void *to, const void *from, hardbop_size size) {
  hardbop_size i;
  for (i = 0; i < size; i++) ((char *)to)[i] = ((const char *)from)[i];
  return (char *)to + size;
}

hardbop_size wcslen(const int *text) {
  hardbop_size length = 0;
  while (text[length]) length++;
  return length;
}

int wcscmp(const int *a, const int *b) {
  hardbop_size i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return a[i] < b[i] ? -1 : a[i] > b[i];
}

int *wcschr(const int *text, int c) {
  for (;; text++) {
    if (*text == c) return (int *)text;
    if (!*text) return 0;
  }
}
