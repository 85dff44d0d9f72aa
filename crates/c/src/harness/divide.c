/* Division of 64 bits on processors with 32, for programs without libgcc. */
#if __SIZEOF_POINTER__ == 4
static unsigned long long hardbop_divide(unsigned long long a, unsigned long long b,
                                         unsigned long long *rest) {
  unsigned long long quotient = 0, remainder = 0;
  int i;
  for (i = 63; i >= 0; i--) {
    int carry = (int)(remainder >> 63);
    remainder = remainder << 1 | (a >> i & 1);
    if (carry || remainder >= b) {
      remainder -= b;
      quotient |= 1ULL << i;
    }
  }
  *rest = remainder;
  return quotient;
}
unsigned long long __udivdi3(unsigned long long a, unsigned long long b) {
  unsigned long long rest;
  return hardbop_divide(a, b, &rest);
}
unsigned long long __umoddi3(unsigned long long a, unsigned long long b) {
  unsigned long long rest;
  hardbop_divide(a, b, &rest);
  return rest;
}
long long __divdi3(long long a, long long b) {
  unsigned long long rest, positive = a < 0 ? 0ULL - a : a, by = b < 0 ? 0ULL - b : b;
  unsigned long long quotient = hardbop_divide(positive, by, &rest);
  return (a < 0) != (b < 0) ? 0ULL - quotient : quotient;
}
long long __moddi3(long long a, long long b) {
  unsigned long long rest;
  hardbop_divide(a < 0 ? 0ULL - a : a, b < 0 ? 0ULL - b : b, &rest);
  return a < 0 ? 0ULL - rest : rest;
}
#endif
