__SIZE_TYPE__ hardbop_l_strlcat(char *a, const char *b, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ k = 0, i = 0;
  while (k < n && a[k]) k++;
  for (; k + i + 1 < n && b[i]; i++) a[k + i] = b[i];
  if (k < n) a[k + i] = 0;
  while (b[i]) i++;
  return k + i;
}
