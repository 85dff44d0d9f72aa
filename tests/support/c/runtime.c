/* What the programs of the tests call, without a C library: values from the arguments, and how the
   run ends, on standard output: END, ERROR, DROPPED or MORE (the values are used up), then how many
   values were used, and the result of main. */
typedef unsigned long long bits;
#if defined __x86_64__
static void print(const char *text, unsigned long size) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "0"(1L), "D"(1L), "S"(text), "d"(size)
                   : "rcx", "r11", "memory");
}
static void leave(int code) {
  for (;;) __asm__ volatile("syscall" : : "a"(231L), "D"((long)code) : "rcx", "r11", "memory");
}
__asm__(".globl _start\n_start: movq %rsp, %rdi\n andq $-16, %rsp\n call start\n");
#else
static void print(const char *text, unsigned long size) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "0"(4), "b"(1), "c"(text), "d"(size) : "memory");
}
static void leave(int code) {
  for (;;) __asm__ volatile("int $0x80" : : "a"(252), "b"(code) : "memory");
}
__asm__(".globl _start\n_start: movl %esp, %eax\n andl $-16, %esp\n subl $12, %esp\n pushl %eax\n call start\n");
#endif
static char **values;
static unsigned count, used;
static void number(unsigned value) {
  char digits[12];
  unsigned at = sizeof digits;
  digits[--at] = ' ';
  do digits[--at] = '0' + value % 10; while (value /= 10);
  print(digits + at, sizeof digits - at);
}
static void finish(const char *how, unsigned status) {
  unsigned long size = 0;
  while (how[size]) size++;
  print(how, size);
  print(" ", 1);
  number(used);
  number(status);
  print("\n", 1);
  leave(0);
}
static bits next(void) {
  bits value = 0;
  char *text;
  int negative;
  if (used >= count) finish("MORE", 0);
  text = values[used++];
  negative = *text == '-';
  for (text += negative; *text; text++) value = value * 10 + (*text - '0');
  return negative ? -value : value;
}
#define VALUE(name, type) type __VERIFIER_nondet_##name(void) { return (type)next(); }
VALUE(int, int)
VALUE(uint, unsigned)
VALUE(char, char)
VALUE(uchar, unsigned char)
VALUE(short, short)
VALUE(ushort, unsigned short)
VALUE(long, long)
VALUE(ulong, unsigned long)
VALUE(longlong, long long)
VALUE(ulonglong, unsigned long long)
_Bool __VERIFIER_nondet_bool(void) { return next() != 0; }
void __VERIFIER_assume(int condition) { if (!condition) finish("DROPPED", 0); }
void reach_error(void) { finish("ERROR", 0); }
void __VERIFIER_error(void) { finish("ERROR", 0); }
void abort(void) { finish("DROPPED", 0); }
void exit(int status) { finish("DROPPED", 0); }
void *memset(void *a, int c, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i;
  for (i = 0; i < n; i++) ((volatile char *)a)[i] = c;
  return a;
}
void *memcpy(void *a, const void *b, __SIZE_TYPE__ n) {
  __SIZE_TYPE__ i;
  for (i = 0; i < n; i++) ((volatile char *)a)[i] = ((const char *)b)[i];
  return a;
}
#include "../../../crates/c/src/harness/divide.c"
extern int program_main(void);
void start(long *stack) {
  count = stack[0] - 1;
  values = (char **)(stack + 2);
  finish("END", program_main());
}
