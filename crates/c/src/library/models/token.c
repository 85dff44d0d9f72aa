/* strtok (C11, 7.24.5.8), strtok_r (POSIX) and strsep (BSD). */
static char *next_token;

static int is_one_of(char c, const char *set) {
  hardbop_size i = 0;
  while (set[i] && set[i] != c) i++;
  return set[i] != 0;
}

char *strtok_r(char *text, const char *set, char **next) {
  hardbop_size start = 0, end;
  if (!text) text = *next;
  while (text[start] && is_one_of(text[start], set)) start++;
  end = start;
  while (text[end] && !is_one_of(text[end], set)) end++;
  if (text[end]) {
    text[end] = 0;
    *next = text + end + 1;
  } else {
    *next = text + end;
  }
  return end > start ? text + start : 0;
}

char *__strtok_r(char *text, const char *set, char **next) { return strtok_r(text, set, next); }

char *strtok(char *text, const char *set) { return strtok_r(text, set, &next_token); }

char *strsep(char **next, const char *set) {
  char *text = *next;
  hardbop_size end = 0;
  if (!text) return 0;
  while (text[end] && !is_one_of(text[end], set)) end++;
  if (text[end]) {
    text[end] = 0;
    *next = text + end + 1;
  } else {
    *next = 0;
  }
  return text;
}
