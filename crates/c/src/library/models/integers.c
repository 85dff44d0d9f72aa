/* Operations on integers of 128 bits: the functions of gcc's library for quotients, remainders and conversions, and whether a
   product overflows. */
void __undecided_a_number_that_is_too_large_for_128_bits(void);

typedef unsigned __int128 wide;
typedef unsigned long word;

static wide magnitude(__int128 x) { return x < 0 ? -(wide)x : (wide)x; }

/* A digit of 32 bits of the quotient of 'high' followed by the digit 'next', and a divisor that is greater than 'high' and
   whose highest bit is 1.  The upper half of the divisor gives a digit that is at most 2 too large (Knuth, TAOCP 2, 4.3.1). */
static word digit_of(word high, word next, word divisor) {
  word upper = divisor >> 32, lower = divisor & 0xffffffff, digit = high / upper, rest = high % upper;
  if (digit > 0xffffffff || digit * lower > (rest << 32 | next)) {
    digit--, rest += upper;
    if (rest <= 0xffffffff && (digit > 0xffffffff || digit * lower > (rest << 32 | next))) digit--;
  }
  return digit;
}

/* The quotient of two words and a divisor that is greater than the upper one, so that it is a word. */
static word word_of(word high, word low, word divisor) {
  int shift = __builtin_clzl(divisor);
  wide number = ((wide)high << 64 | low) << shift;
  word first, second, rest;
  high = number >> 64, low = number, divisor <<= shift;
  first = digit_of(high, low >> 32, divisor);
  rest = (high << 32 | low >> 32) - first * divisor;
  second = digit_of(rest, low & 0xffffffff, divisor);
  return first << 32 | second;
}

wide __udivti3(wide a, wide b) {
  word high = a >> 64, low = a, divisor = b >> 64, quotient;
  int shift;
  if (!divisor) {
    divisor = b;
    if (!high) return low / divisor;
    if (high < divisor) return word_of(high, low, divisor);
    return (wide)(high / divisor) << 64 | word_of(high % divisor, low, divisor);
  }
  shift = __builtin_clzl(divisor);
  if (!shift) return a >= b;
  /* That of half the number and the highest 64 bits of the divisor is less than 1 too small or too large in the end. */
  a >>= 1;
  quotient = word_of(a >> 64, a, b << shift >> 64) >> (63 - shift);
  a = (wide)high << 64 | low;
  if (quotient) quotient--;
  return a - quotient * b >= b ? quotient + 1 : quotient;
}

wide __umodti3(wide a, wide b) { return a - __udivti3(a, b) * b; }

__int128 __divti3(__int128 a, __int128 b) {
  wide quotient = __udivti3(magnitude(a), magnitude(b));
  return a < 0 != b < 0 ? -quotient : quotient;
}

__int128 __modti3(__int128 a, __int128 b) {
  wide rest = __umodti3(magnitude(a), magnitude(b));
  return a < 0 ? -rest : rest;
}

int __product_overflows_uti(wide a, wide b) {
  word x = a >> 64, y = b >> 64;
  wide crossed;
  if (!x && !y) return 0;
  if (x && y) return 1;
  crossed = x ? (wide)x * (word)b : (wide)y * (word)a;
  return (crossed + ((wide)(word)a * (word)b >> 64)) >> 64 != 0;
}

int __product_overflows_ti(__int128 a, __int128 b) {
  wide x = magnitude(a), y = magnitude(b), limit = (wide)1 << 127;
  return __product_overflows_uti(x, y) || x * y > limit - (a < 0 == b < 0);
}

/* A number is its highest bits, which a 'long' holds, times a power of 2.  The last of these bits is 1 if one that is left out
   is, as that decides how the number is rounded. */
static int shift_of(wide x) {
  word high = x >> 64;
  return high ? __builtin_clzl(high) : (word)x >> 63 ? 64 : 65;
}

static long highest(wide x, int shift) {
  x <<= shift;
  return x >> 65 | ((x & (((wide)1 << 65) - 1)) != 0);
}

static double power(int shift) { return shift < 2 ? (2 - shift) * 0x1p64 : (double)((word)1 << (65 - shift)); }

double __floatuntidf(wide x) {
  int shift = shift_of(x);
  return (double)highest(x, shift) * power(shift);
}

float __floatuntisf(wide x) {
  int shift = shift_of(x);
  return (float)highest(x, shift) * (float)power(shift);
}

double __floattidf(__int128 x) {
  int shift = shift_of(magnitude(x));
  long bits = highest(magnitude(x), shift);
  return (double)(x < 0 ? -bits : bits) * power(shift);
}

float __floattisf(__int128 x) {
  int shift = shift_of(magnitude(x));
  long bits = highest(magnitude(x), shift);
  return (float)(x < 0 ? -bits : bits) * (float)power(shift);
}

/* Both words of a number that is less than 2 to the power of 128 are exact. */
wide __fixunsdfti(double x) {
  word high, low;
  if (!(x > -1 && x < 0x1p128)) __undecided_a_number_that_is_too_large_for_128_bits();
  if (x < 1) return 0;
  high = (word)(x * 0x1p-64), low = (word)(x - (double)high * 0x1p64);
  return (wide)high << 64 | low;
}

__int128 __fixdfti(double x) {
  if (!(x >= -0x1p127 && x < 0x1p127)) __undecided_a_number_that_is_too_large_for_128_bits();
  return x < 0 ? -__fixunsdfti(-x) : __fixunsdfti(x);
}
