/* What the system says of itself and of its users (POSIX): texts of which only the greatest length is known. */
struct in_addr {
  unsigned s_addr;
};
struct passwd {
  char *pw_name;
  char *pw_passwd;
  unsigned pw_uid;
  unsigned pw_gid;
  char *pw_gecos;
  char *pw_dir;
  char *pw_shell;
};
void *memcpy(void *to, const void *from, hardbop_size size);
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
hardbop_size __VERIFIER_nondet_size_t(void);
void __VERIFIER_assume(int condition);

/* Six parts of 65 characters on Linux. */
int uname(void *to) {
  char any[390];
  int part;
  if (__VERIFIER_nondet_bool()) return -1;
  memcpy(to, any, 390);
  for (part = 0; part < 6; part++) ((char *)to)[65 * part + 64] = 0;
  return 0;
}

/* A name of no more than 64 characters; glibc says no where it does not fit. */
int gethostname(char *to, hardbop_size size) {
  hardbop_size length = __VERIFIER_nondet_size_t();
  char any[65];
  __VERIFIER_assume(length <= 64);
  memcpy(to, any, length < size ? length + 1 : size);
  if (length >= size || __VERIFIER_nondet_bool()) return -1;
  to[length] = 0;
  return 0;
}

static char *put_number(char *to, unsigned number) {
  if (number >= 100) *to++ = (char)('0' + number / 100);
  if (number >= 10) *to++ = (char)('0' + number / 10 % 10);
  *to++ = (char)('0' + number % 10);
  return to;
}

/* The first byte in memory comes first. */
char *inet_ntoa(struct in_addr address) {
  static char text[18];
  char *to = text;
  int part;
  for (part = 0; part < 4; part++) {
    if (part) *to++ = '.';
    to = put_number(to, address.s_addr >> 8 * part & 255);
  }
  *to = 0;
  return text;
}

static struct passwd user;
static char name_of_user[1024], password[1024], description[1024], folder[1024], shell[1024];

static char *any_text(char *to) {
  char any[1024];
  memcpy(to, any, 1024);
  to[1023] = 0;
  return to;
}

static struct passwd *any_user(void) {
  if (__VERIFIER_nondet_bool()) return 0;
  user.pw_name = any_text(name_of_user);
  user.pw_passwd = any_text(password);
  user.pw_gecos = any_text(description);
  user.pw_dir = any_text(folder);
  user.pw_shell = any_text(shell);
  user.pw_gid = (unsigned)__VERIFIER_nondet_int();
  return &user;
}

struct passwd *getpwuid(unsigned number) {
  struct passwd *found = any_user();
  if (found) found->pw_uid = number;
  return found;
}

struct passwd *getpwnam(const char *name) {
  struct passwd *found = any_user();
  hardbop_size i = 0;
  while (name[i]) {
    if (i == 1023) return 0;
    name_of_user[i] = name[i];
    i++;
  }
  if (!found) return 0;
  name_of_user[i] = 0;
  found->pw_uid = (unsigned)__VERIFIER_nondet_int();
  return found;
}
