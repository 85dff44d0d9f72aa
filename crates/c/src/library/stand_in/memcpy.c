void *hardbop_l_memcpy(void *a, const void *b, hardbop_size n) {
  hardbop_size i;
  for (i = 0; i < n; i++) ((volatile unsigned char *)a)[i] = ((const unsigned char *)b)[i];
  return a;
}
