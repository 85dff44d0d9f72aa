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

// Of numbers that do not fit, C says nothing.
int atoi(const char *a) {
  hardbop_size i = 0;
  int n = 0, sign = 1, any;
  while (a[i] == ' ' || a[i] >= 9 && a[i] <= 13) i++;
  if (a[i] == '-') sign = -1;
  if (a[i] == '-' || a[i] == '+') i++;
  while (a[i] >= '0' && a[i] <= '9') {
    int digit = sign * (a[i] - '0');
    if (n > 214748364 || n < -214748364) return any;
    n = n * 10;
    if (digit > 0 && n > 2147483647 - digit || digit < 0 && n < -2147483647 - 1 - digit) return any;
    n = n + digit;
    i++;
  }
  return n;
}

long long atoll(const char *a) {
  hardbop_size i = 0;
  long long n = 0, sign = 1, any;
  while (a[i] == ' ' || a[i] >= 9 && a[i] <= 13) i++;
  if (a[i] == '-') sign = -1;
  if (a[i] == '-' || a[i] == '+') i++;
  while (a[i] >= '0' && a[i] <= '9') {
    long long digit = sign * (a[i] - '0');
    if (n > 922337203685477580 || n < -922337203685477580) return any;
    n = n * 10;
    if (digit > 0 && n > 9223372036854775807 - digit || digit < 0 && n < -9223372036854775807 - 1 - digit) return any;
    n = n + digit;
    i++;
  }
  return n;
}

long atol(const char *a) {
  hardbop_size i = 0;
  long long n = 0, sign = 1;
  long any;
  while (a[i] == ' ' || a[i] >= 9 && a[i] <= 13) i++;
  if (a[i] == '-') sign = -1;
  if (a[i] == '-' || a[i] == '+') i++;
  while (a[i] >= '0' && a[i] <= '9') {
    long long digit = sign * (a[i] - '0');
    if (n > 922337203685477580 || n < -922337203685477580) return any;
    n = n * 10;
    if (digit > 0 && n > 9223372036854775807 - digit || digit < 0 && n < -9223372036854775807 - 1 - digit) return any;
    n = n + digit;
    if ((long)n != n) return any;
    i++;
  }
  return (long)n;
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
