char *hardbop_l_strchr(const char *a, int c) {
  for (; *a != (char)c; a++) if (!*a) return 0;
  return (char *)a;
}
