char *hardbop_l_strcpy(char *a, const char *b) {
  hardbop_size i = 0;
  do a[i] = b[i]; while (b[i++]);
  return a;
}
