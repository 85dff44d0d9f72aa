void *hardbop_l_memset(void *a, int c, hardbop_size n) {
  hardbop_size i;
  for (i = 0; i < n; i++) ((volatile unsigned char *)a)[i] = c;
  return a;
}
