int hardbop_l_strncmp(const char *a, const char *b, hardbop_size n) {
  for (; n && *a && *a == *b; n--) a++, b++;
  return n ? *(const unsigned char *)a - *(const unsigned char *)b : 0;
}
