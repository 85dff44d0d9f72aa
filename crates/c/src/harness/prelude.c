#if __SIZEOF_LONG__ == 4
#define hardbop_long long
#define hardbop_long_with_int long
#else
#define hardbop_long int
#define hardbop_long_with_int
#endif
typedef unsigned long long hardbop_bits;
#if defined __x86_64__
static void hardbop_write(const char *text, unsigned long size) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "0"(1L), "D"(2L), "S"(text), "d"(size)
                   : "rcx", "r11", "memory");
}
static void hardbop_exit(int code) {
  for (;;) __asm__ volatile("syscall" : : "a"(231L), "D"((long)code) : "rcx", "r11", "memory");
}
#elif defined __i386__
static void hardbop_write(const char *text, unsigned long size) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "0"(4), "b"(2), "c"(text), "d"(size) : "memory");
}
static void hardbop_exit(int code) {
  for (;;) __asm__ volatile("int $0x80" : : "a"(252), "b"(code) : "memory");
}
#else
extern long hardbop_libc_write(int, const void *, unsigned long) __asm__("write");
extern void hardbop_libc_exit(int) __asm__("_exit");
static void hardbop_write(const char *text, unsigned long size) { hardbop_libc_write(2, text, size); }
static void hardbop_exit(int code) { hardbop_libc_exit(code); }
#endif
static void hardbop_say(const char *text, int code) {
  unsigned long size = 0;
  while (text[size]) size++;
  hardbop_write(text, size);
  hardbop_exit(code);
}
static int hardbop_reached(void) {
  hardbop_say("hardbop: the error is reached\n", 107);
  return 0;
}
struct hardbop_value { hardbop_bits bits; void *object; };
static hardbop_bits hardbop_value(const struct hardbop_value *value) {
  return value->object ? (hardbop_bits)(__UINTPTR_TYPE__)value->object : value->bits;
}
static hardbop_bits hardbop_take(const struct hardbop_value *values, unsigned count, unsigned *next) {
  if (*next >= count) hardbop_say("hardbop: no value is left\n", 109);
  return hardbop_value(values + (*next)++);
}
static float hardbop_float(hardbop_bits bits) {
  union { unsigned bits; float value; } both;
  both.bits = (unsigned)bits;
  return both.value;
}
static double hardbop_double(hardbop_bits bits) {
  union { hardbop_bits bits; double value; } both;
  both.bits = bits;
  return both.value;
}
struct hardbop_part { unsigned instance; unsigned bit; unsigned bits; struct hardbop_value value; };
static int hardbop_fill(void *object, const struct hardbop_part *parts, unsigned count, unsigned *next) {
  unsigned char *bytes = object;
  unsigned i, k;
  for (i = 0; i < count; i++)
    for (k = 0; parts[i].instance == *next && k < parts[i].bits; k++) {
      unsigned bit = parts[i].bit + k;
      bytes[bit / 8] &= ~(1u << bit % 8);
      bytes[bit / 8] |= (unsigned)(hardbop_value(&parts[i].value) >> k & 1) << bit % 8;
    }
  (*next)++;
  return 0;
}
static int hardbop_copy(void *to, const void *from, unsigned long size) {
  unsigned long i;
  for (i = 0; i < size; i++) ((volatile unsigned char *)to)[i] = ((const unsigned char *)from)[i];
  return 0;
}
