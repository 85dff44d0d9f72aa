int hardbop_l_memcmp(const void *a, const void *b, hardbop_size n) {
  const unsigned char *x = a, *y = b;
  for (; n; n--, x++, y++) if (*x != *y) return *x < *y ? -1 : 1;
  return 0;
}
