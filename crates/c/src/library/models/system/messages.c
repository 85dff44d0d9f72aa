/* Messages: error and error_at_line (GNU C library), and texts that belong to the C library.  What they say is not fixed: they
   are not empty, and shorter than 1024 characters. */
void *memcpy(void *to, const void *from, hardbop_size size);
int vprintf(const char *format, __builtin_va_list list);
void exit(int status);

static char message[1024];

static char *any_message(void) {
  char any[1024];
  memcpy(message, any, sizeof any);
  message[1023] = 0;
  if (!message[0]) message[0] = '?';
  return message;
}

char *strerror(int number) { return any_message(); }
char *strsignal(int number) { return any_message(); }
const char *gai_strerror(int number) { return any_message(); }
const char *hstrerror(int number) { return any_message(); }
char *nl_langinfo(int item) { return any_message(); }

void error(int status, int number, const char *format, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, format);
  vprintf(format, list);
  __builtin_va_end(list);
  if (status) exit(status);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, format);
  vprintf(format, list);
  __builtin_va_end(list);
  if (status) exit(status);
}
