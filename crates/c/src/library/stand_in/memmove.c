void *hardbop_l_memmove(void *a, const void *b, hardbop_size n) {
  hardbop_size i;
  if (a < b) for (i = 0; i < n; i++) ((volatile char *)a)[i] = ((const char *)b)[i];
  else for (i = n; i-- > 0;) ((volatile char *)a)[i] = ((const char *)b)[i];
  return a;
}
