/* setlocale (C11, 7.11.1.1): a program begins in the locale "C"; which others there are is not known. */
void *memcpy(void *to, const void *from, hardbop_size size);
_Bool __VERIFIER_nondet_bool(void);

static _Bool is_changed;
static char name[256];

static char *any_name(void) {
  char any[256];
  memcpy(name, any, sizeof any);
  name[255] = 0;
  if (!name[0]) name[0] = 'C';
  return name;
}

char *setlocale(int category, const char *locale) {
  static char first[] = "C";
  if (category < 0 || category > 12) return 0;
  if (!locale) return is_changed ? any_name() : first;
  if (locale[0] == 'C' && !locale[1] && !is_changed) return first;
  if (__VERIFIER_nondet_bool()) return 0;
  is_changed = 1;
  return any_name();
}
