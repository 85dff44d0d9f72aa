char *hardbop_l_strncat(char *a, const char *b, hardbop_size n) {
  hardbop_size k = 0, i = 0;
  while (a[k]) k++;
  for (; i < n && b[i]; i++) a[k + i] = b[i];
  a[k + i] = 0;
  return a;
}
