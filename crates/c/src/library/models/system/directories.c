/* Directories (POSIX): any entries, with names of 1 to 255 characters other than '/'.  An entry is there until its directory is
   closed; the next one of the same directory may have its place. */
struct dirent {
  unsigned long d_ino;
  long d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
struct __dirstream;
struct hardbop_directory {
  struct dirent entries[2];
};
void *malloc(hardbop_size size);
void free(void *block);
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
hardbop_size __VERIFIER_nondet_size_t(void);
void __VERIFIER_assume(int condition);

struct __dirstream *opendir(const char *name) {
  while (*name) name++;
  if (__VERIFIER_nondet_bool()) return 0;
  return (struct __dirstream *)malloc(sizeof(struct hardbop_directory));
}

struct dirent *readdir(void *directory) {
  struct hardbop_directory *of = directory;
  struct dirent *entry = __VERIFIER_nondet_bool() ? of->entries : of->entries + 1;
  hardbop_size length = __VERIFIER_nondet_size_t(), i;
  entry->d_reclen = __VERIFIER_nondet_ushort();
  if (__VERIFIER_nondet_bool()) return 0;
  __VERIFIER_assume(length > 0 && length < 256);
  __VERIFIER_assume(entry->d_reclen >= 24 && entry->d_reclen >= 20 + length && entry->d_reclen <= 280);
  entry->d_ino = __VERIFIER_nondet_ulong();
  entry->d_off = __VERIFIER_nondet_long();
  entry->d_type = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(entry->d_type <= 14 && (entry->d_type == 1 || entry->d_type % 2 == 0));
  for (i = 0; i < length; i++) {
    char character = __VERIFIER_nondet_char();
    __VERIFIER_assume(character != 0 && character != '/');
    entry->d_name[i] = character;
  }
  entry->d_name[length] = 0;
  return entry;
}

int closedir(void *directory) {
  ((struct hardbop_directory *)directory)->entries[0].d_reclen = 0;
  free(directory);
  return __VERIFIER_nondet_bool() ? 0 : -1;
}

int dirfd(void *directory) {
  int number = __VERIFIER_nondet_int();
  ((struct hardbop_directory *)directory)->entries[0].d_reclen = 0;
  __VERIFIER_assume(number >= -1 && number < 0x7fffffbf);
  return number;
}

void rewinddir(void *directory) { ((struct hardbop_directory *)directory)->entries[0].d_reclen = 0; }
