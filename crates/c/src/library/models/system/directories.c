/* Directories (POSIX): any entries, with names of 1 to 255 characters other than '/'.  There is one entry for all that is read. */
struct dirent {
  unsigned long d_ino;
  long d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
void *memcpy(void *to, const void *from, hardbop_size size);
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
hardbop_size __VERIFIER_nondet_size_t(void);
void __VERIFIER_assume(int condition);

static struct dirent entry;

/* What is no directory is an access through null. */
static void look_at(void *directory) {
  if (!directory) *(char *)0 = 0;
}

struct dirent *readdir(void *directory) {
  struct dirent any;
  hardbop_size length = __VERIFIER_nondet_size_t();
  look_at(directory);
  if (__VERIFIER_nondet_bool()) return 0;
  __VERIFIER_assume(length > 0 && length < 256);
  memcpy(&entry, &any, sizeof any);
  __VERIFIER_assume(entry.d_name[0] != 0 && entry.d_name[0] != '/');
  entry.d_name[length] = 0;
  return &entry;
}

int closedir(void *directory) {
  look_at(directory);
  return __VERIFIER_nondet_bool() ? 0 : -1;
}

int dirfd(void *directory) {
  int number = __VERIFIER_nondet_int();
  look_at(directory);
  __VERIFIER_assume(number >= -1);
  return number;
}

void rewinddir(void *directory) { look_at(directory); }
