static int hardbop_scan(const char *f, __builtin_va_list a, const struct hardbop_value *values,
                        unsigned count, unsigned *next) {
  int result, done = 0;
  while (*f == ' ' || (*f >= 9 && *f <= 13)) f++;
  if (!*f) return 0;
  result = (int)hardbop_take(values, count, next);
  while (*f && done < result) {
    unsigned i, width = 0, size = 4, stores = 1;
    char kind, *to;
    if (*f++ != '%') continue;
    if (*f == '%') {
      f++;
      continue;
    }
    if (*f == '*') stores = 0, f++;
    while (*f >= '0' && *f <= '9') width = 10 * width + (unsigned)(*f++ - '0');
    for (;; f++)
      if (*f == 'h')
        size /= 2;
      else if (*f == 'l')
        size = size == 4 && f[1] != 'l' ? (unsigned)sizeof(hardbop_word) : 8;
      else if (*f == 'z' || *f == 't')
        size = (unsigned)sizeof(hardbop_word);
      else if (*f == 'q' || *f == 'j' || *f == 'L')
        size = 8;
      else
        break;
    kind = *f++;
    if (kind == '[') {
      if (*f == '^') f++;
      if (*f) f++;
      while (*f && *f++ != ']') { }
    }
    if (!stores) continue;
    to = __builtin_va_arg(a, char *);
    done++;
    if (kind == 's' || kind == '[') {
      to[0] = (char)hardbop_take(values, count, next);
      for (i = 1; !width || i < width; i++)
        if (!(to[i] = (char)hardbop_take(values, count, next))) break;
      to[i] = 0;
    } else if (kind == 'c') {
      for (i = 0; i < (width ? width : 1); i++) to[i] = (char)hardbop_take(values, count, next);
    } else {
      hardbop_bits bits = hardbop_take(values, count, next);
      int real = kind != 'd' && kind != 'i' && kind != 'u' && kind != 'o' && kind != 'x' && kind != 'X';
      if (real && f[-2] == 'l') size = 8;
      for (i = 0; i < size; i++) to[i] = (char)(bits >> 8 * i);
    }
  }
  return result;
}
