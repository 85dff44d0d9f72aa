/* getdelim and getline (POSIX): a line of any length and content, in which the delimiter is the last character if it is there.
   Each line may need a longer block, and so gets one: the old one is gone.  There may be a first block without a line. */
void *malloc(hardbop_size size);
void free(void *block);
_Bool __VERIFIER_nondet_bool(void);
hardbop_size __VERIFIER_nondet_size_t(void);
void __VERIFIER_assume(int condition);

long getdelim(char **line, hardbop_size *size, int delimiter, void *stream) {
  hardbop_size length = __VERIFIER_nondet_size_t(), room = __VERIFIER_nondet_size_t(), i;
  char *text;
  if (!line || !size || __VERIFIER_nondet_bool()) return -1;
  __VERIFIER_assume(length < room && room < 0x7fffffff);
  if (!length && *line) return -1;
  text = malloc(room);
  if (!text) return -1;
  free(*line);
  *line = text;
  *size = room;
  if (!length) return -1;
  for (i = 0; i + 1 < length; i++) __VERIFIER_assume(text[i] != (char)delimiter);
  text[length] = 0;
  return (long)length;
}

long getline(char **line, hardbop_size *size, void *stream) { return getdelim(line, size, '\n', stream); }
