__SIZE_TYPE__ hardbop_l___VERIFIER_length_of_floating_number(const char *text) {
#define HARDBOP_DIGIT(c, hexadecimal) \
  (((c) >= '0' && (c) <= '9') || ((hexadecimal) && ((c) | 32) >= 'a' && ((c) | 32) <= 'f'))
  __SIZE_TYPE__ i = 0, last, digits = 0;
  int hexadecimal = 0;
  while (text[i] == ' ' || (text[i] >= 9 && text[i] <= 13)) i++;
  if (text[i] == '-' || text[i] == '+') i++;
  for (last = 0; last < 8 && (text[i + last] | 32) == "infinity"[last]; last++);
  if (last >= 3) return i + (last == 8 ? 8 : 3);
  if ((text[i] | 32) == 'n' && (text[i + 1] | 32) == 'a' && (text[i + 2] | 32) == 'n') {
    last = i += 3;
    if (text[i] == '(') {
      do i++;
      while (HARDBOP_DIGIT(text[i], 0) || ((text[i] | 32) >= 'a' && (text[i] | 32) <= 'z') || text[i] == '_');
      if (text[i] == ')') last = i + 1;
    }
    return last;
  }
  if (text[i] == '0' && (text[i + 1] | 32) == 'x' &&
      (HARDBOP_DIGIT(text[i + 2], 1) || (text[i + 2] == '.' && HARDBOP_DIGIT(text[i + 3], 1)))) {
    i += 2;
    hexadecimal = 1;
  }
  for (; HARDBOP_DIGIT(text[i], hexadecimal); i++) digits++;
  if (text[i] == '.' && (digits || HARDBOP_DIGIT(text[i + 1], hexadecimal)))
    for (i++; HARDBOP_DIGIT(text[i], hexadecimal); i++) digits++;
  if (!digits) return 0;
  if ((text[i] | 32) == (hexadecimal ? 'p' : 'e')) {
    last = i + 1;
    if (text[last] == '-' || text[last] == '+') last++;
    if (HARDBOP_DIGIT(text[last], 0))
      for (i = last; HARDBOP_DIGIT(text[i], 0); i++);
  }
  return i;
#undef HARDBOP_DIGIT
}
