#ifdef HARDBOP_FREESTANDING
  /* Exact for numbers of up to 15 digits and exponents up to 22. */
  double value = 0, power = 1;
  __SIZE_TYPE__ i = 0;
  long point = 0, exponent = 0, minus, down = 0;
  while (text[i] == ' ' || (text[i] >= 9 && text[i] <= 13)) i++;
  minus = text[i] == '-';
  if (text[i] == '-' || text[i] == '+') i++;
  if (!length || (text[i] | 32) == 'n' || (text[i] | 32) == 'i')
    return !length ? 0 : (text[i] | 32) == 'n' ? __builtin_nan("") : minus ? -__builtin_inf() : __builtin_inf();
  for (; i < length && (text[i] | 32) != 'e'; i++)
    if (text[i] == '.')
      point = 1;
    else {
      value = value * 10 + (text[i] - '0');
      down += point;
    }
  if (i < length) {
    long sign = text[++i] == '-' ? -1 : 1;
    if (text[i] == '-' || text[i] == '+') i++;
    for (; i < length && exponent < 1000; i++) exponent = exponent * 10 + (text[i] - '0');
    exponent *= sign;
  }
  if (value == 0) return minus ? -value : value;
  exponent -= down;
  for (down = exponent < 0 ? -exponent : exponent; down > 0; down--) power *= 10;
  value = exponent < 0 ? value / power : value * power;
  return minus ? -value : value;
#else
  extern int sscanf(const char *, const char *, ...);
  number value = 0;
  char copy[length + 1];
  __SIZE_TYPE__ i;
  for (i = 0; i < length; i++) copy[i] = text[i];
  copy[length] = 0;
  sscanf(copy, sizeof(number) == sizeof(float) ? "%f" : "%lf", &value);
  return value;
#endif
}
