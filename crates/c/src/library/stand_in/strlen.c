hardbop_size hardbop_l_strlen(const char *a) {
  hardbop_size n = 0;
  while (((const volatile char *)a)[n]) n++;
  return n;
}
