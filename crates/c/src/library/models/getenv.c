/* getenv (C11, 7.22.4.6): the environment has any texts, or not; what has been asked for stays as it is. */
void __undecided_a_name_of_32_characters(void);
void __undecided_more_than_8_names(void);
void __undecided_a_changed_environment(void);
void *malloc(hardbop_size size);
_Bool __VERIFIER_nondet_bool(void);
hardbop_size __VERIFIER_nondet_size_t(void);
void __VERIFIER_assume(int condition);

static char names[8][32];
static char *values[8];
static int known;
static _Bool is_changed;

char *getenv(const char *name) {
  int i, k;
  if (is_changed) __undecided_a_changed_environment();
  for (i = 0; i < known; i++) {
    for (k = 0; names[i][k] == name[k]; k++)
      if (!name[k]) return values[i];
  }
  if (known == 8) __undecided_more_than_8_names();
  for (k = 0; name[k]; k++) {
    if (k == 31) __undecided_a_name_of_32_characters();
    names[known][k] = name[k];
  }
  names[known][k] = 0;
  if (__VERIFIER_nondet_bool()) {
    hardbop_size length = __VERIFIER_nondet_size_t();
    char *value;
    __VERIFIER_assume(length < 131072);
    value = malloc(length + 1);
    __VERIFIER_assume(value != 0);
    value[length] = 0;
    values[known] = value;
  }
  known++;
  return values[known - 1];
}

int setenv(const char *name, const char *value, int overwrites) {
  is_changed = 1;
  return __VERIFIER_nondet_bool() ? 0 : -1;
}

int unsetenv(const char *name) {
  is_changed = 1;
  return __VERIFIER_nondet_bool() ? 0 : -1;
}
