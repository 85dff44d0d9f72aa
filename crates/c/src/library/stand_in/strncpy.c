char *hardbop_l_strncpy(char *a, const char *b, hardbop_size n) {
  hardbop_size i = 0;
  for (; i < n && b[i]; i++) a[i] = b[i];
  for (; i < n; i++) a[i] = 0;
  return a;
}
