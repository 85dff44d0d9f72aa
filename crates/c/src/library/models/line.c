/* getline and getdelim (POSIX): a line is any characters, the last of which may be what ends it. */
typedef struct _IO_FILE FILE;
void *malloc(hardbop_size size);
void *realloc(void *block, hardbop_size size);
void free(void *block);
void *memcpy(void *to, const void *from, hardbop_size size);
_Bool __VERIFIER_nondet_bool(void);
hardbop_size __VERIFIER_nondet_size_t(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int condition);

long getdelim(char **line, hardbop_size *room, int end, FILE *stream) {
  hardbop_size length, i;
  char *text;
  if (__VERIFIER_nondet_bool()) return -1;
  /* Most are short, where executions are tried. */
  length = __VERIFIER_nondet_bool() ? __VERIFIER_nondet_uchar() : __VERIFIER_nondet_size_t();
  __VERIFIER_assume(1 <= length && length < 1048576);
  text = malloc(length);
  __VERIFIER_assume(text != 0);
  for (i = 0; i + 1 < length; i++) __VERIFIER_assume(text[i] != (char)end);
  if (!*line || *room < length + 1) {
    *line = realloc(*line, length + 1);
    __VERIFIER_assume(*line != 0);
    *room = length + 1;
  }
  memcpy(*line, text, length);
  (*line)[length] = 0;
  free(text);
  return (long)length;
}

long getline(char **line, hardbop_size *room, FILE *stream) { return getdelim(line, room, '\n', stream); }
