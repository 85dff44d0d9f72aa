__SIZE_TYPE__ hardbop_l_strlcpy(char *a, const char *b, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i = 0;
  for (; i + 1 < n && b[i]; i++) a[i] = b[i];
  if (n) a[i] = 0;
  while (b[i]) i++;
  return i;
}
