/* Paths (POSIX): what the system knows of them is an input. */
void *memcpy(void *to, const void *from, hardbop_size size);
void *malloc(hardbop_size size);
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
hardbop_size __VERIFIER_nondet_size_t(void);
void __VERIFIER_assume(int condition);
void __undecided_a_path_that_begins_with_two_slashes(void);

static hardbop_size length_of(const char *text) {
  hardbop_size length = 0;
  while (text[length]) length++;
  return length;
}

/* An absolute path of so many characters. */
static void any_path(char *to, hardbop_size length) {
  char any[4096];
  memcpy(to, any, length);
  to[0] = '/';
  to[length] = 0;
}

/* Without a buffer, glibc makes one; where the size is 0, too, it is as long as it has to be. */
char *getcwd(char *to, hardbop_size size) {
  hardbop_size length = __VERIFIER_nondet_size_t();
  __VERIFIER_assume(length > 0 && length < 4096);
  if ((to && !size) || (size && size <= length) || __VERIFIER_nondet_bool()) return 0;
  if (!to) to = malloc(size ? size : length + 1);
  if (to) any_path(to, length);
  return to;
}

char *realpath(const char *path, char *to) {
  hardbop_size length = __VERIFIER_nondet_size_t();
  if (!path || !length_of(path) || __VERIFIER_nondet_bool()) return 0;
  __VERIFIER_assume(length > 0 && length < 4096);
  if (!to) to = malloc(length + 1);
  if (to) any_path(to, length);
  return to;
}

/* Six letters X become others. */
static int is_made(char *path) {
  hardbop_size length = length_of(path), i;
  if (length < 6) return 0;
  for (i = length - 6; i < length; i++)
    if (path[i] != 'X') return 0;
  for (i = length - 6; i < length; i++) {
    int c = __VERIFIER_nondet_int();
    __VERIFIER_assume((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
    path[i] = (char)c;
  }
  return 1;
}

int mkstemp(char *path) {
  int number = __VERIFIER_nondet_int();
  if (!is_made(path) || number < 0) return -1;
  return number;
}

char *mkdtemp(char *path) { return is_made(path) && __VERIFIER_nondet_bool() ? path : 0; }

/* What <string.h> has, and what <libgen.h> has, which may write to the path. */
char *basename(const char *path) {
  const char *last = path;
  for (; *path; path++)
    if (*path == '/') last = path + 1;
  return (char *)last;
}

char *__xpg_basename(char *path) {
  static char here[] = ".";
  hardbop_size length, start;
  if (!path || !*path) return here;
  length = length_of(path);
  while (length > 1 && path[length - 1] == '/') length--;
  if (length == 1 && *path == '/') {
    if (path[1]) __undecided_a_path_that_begins_with_two_slashes();
    return path;
  }
  if (path[length]) path[length] = 0;
  for (start = length; start && path[start - 1] != '/'; start--) {}
  return path + start;
}

char *dirname(char *path) {
  static char here[] = ".";
  hardbop_size length;
  if (!path || !*path) return here;
  if (path[0] == '/' && path[1] == '/') __undecided_a_path_that_begins_with_two_slashes();
  length = length_of(path);
  while (length > 1 && path[length - 1] == '/') length--;
  while (length && path[length - 1] != '/') length--;
  if (!length) return here;
  while (length > 1 && path[length - 1] == '/') length--;
  path[length] = 0;
  return path;
}
