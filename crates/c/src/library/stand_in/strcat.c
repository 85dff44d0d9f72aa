char *hardbop_l_strcat(char *a, const char *b) {
  hardbop_size n = 0, i = 0;
  while (a[n]) n++;
  do a[n + i] = b[i]; while (b[i++]);
  return a;
}
