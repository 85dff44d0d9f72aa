// The size of objects is of type hardbop_size, which is what the data model makes it.
void __VERIFIER_assume(int condition);

hardbop_size strlen(const char *a) {
  hardbop_size n = 0;
  while (a[n]) n++;
  return n;
}

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

char *strchr(const char *a, int c) {
  hardbop_size i = 0;
  while (a[i] != (char)c && a[i]) i++;
  return a[i] == (char)c ? (char *)a + i : (char *)0;
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
