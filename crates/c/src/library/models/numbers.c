/* Functions of math.h that take floating-point numbers apart and put them together (C11, 7.12.6, 7.12.10.3, 7.12.11.3):
   exact, as glibc has them.  They are there for double and for float. */
hardbop_number trunc_real(hardbop_number x);
hardbop_number fabs_real(hardbop_number x);
hardbop_number copysign_real(hardbop_number x, hardbop_number y);
hardbop_number fmod_real(hardbop_number x, hardbop_number y);
hardbop_number remainder_real(hardbop_number x, hardbop_number y);
int __VERIFIER_nondet_int(void);

typedef union {
  hardbop_number number;
  hardbop_pattern bits;
} pattern_real;

static int exponent_of_real(hardbop_number x) {
  pattern_real p;
  p.number = x;
  return (int)(p.bits >> hardbop_digits) & hardbop_exponents;
}

/* 2 to the power of an exponent of normal numbers. */
static hardbop_number power_of_two_real(int exponent) {
  pattern_real p;
  p.bits = (hardbop_pattern)(exponent + hardbop_bias) << hardbop_digits;
  return p.number;
}

/* Is it 0, infinite or no number? */
static int is_special_number_real(hardbop_number x) { return x == 0 || exponent_of_real(x) == hardbop_exponents; }

hardbop_number frexp_real(hardbop_number x, int *exponent) {
  pattern_real p;
  int shift = 0;
  *exponent = 0;
  if (is_special_number_real(x)) return x + x;
  if (!exponent_of_real(x)) {
    shift = hardbop_digits + 2;
    x *= power_of_two_real(shift);
  }
  p.number = x;
  *exponent = exponent_of_real(x) - (hardbop_bias - 1) - shift;
  p.bits &= ~((hardbop_pattern)hardbop_exponents << hardbop_digits);
  p.bits |= (hardbop_pattern)(hardbop_bias - 1) << hardbop_digits;
  return p.number;
}

hardbop_number scalbln_real(hardbop_number x, long n) {
  int exponent;
  hardbop_number part;
  if (is_special_number_real(x)) return x + x;
  part = frexp_real(x, &exponent);
  if (n > 4 * hardbop_bias) n = 4 * hardbop_bias;
  if (n < -4 * hardbop_bias) n = -4 * hardbop_bias;
  exponent += (int)n;
  if (exponent > hardbop_bias + 1) return part * power_of_two_real(hardbop_bias) * power_of_two_real(hardbop_bias);
  if (exponent > hardbop_bias) return part * power_of_two_real(hardbop_bias) * 2;
  if (exponent > 2 - hardbop_bias) return part * power_of_two_real(exponent);
  /* Below normal numbers it is rounded, once. */
  if (exponent < -hardbop_bias - 60) return part * power_of_two_real(1 - hardbop_bias) * power_of_two_real(1 - hardbop_bias);
  return part * power_of_two_real(exponent + 64) * power_of_two_real(-64);
}

hardbop_number scalbn_real(hardbop_number x, int n) { return scalbln_real(x, n); }
hardbop_number ldexp_real(hardbop_number x, int n) { return scalbln_real(x, n); }

hardbop_number modf_real(hardbop_number x, hardbop_number *whole) {
  *whole = trunc_real(x);
  if (exponent_of_real(x) == hardbop_exponents && x == x) return copysign_real(0, x);
  return copysign_real(x - *whole, x);
}

int ilogb_real(hardbop_number x) {
  int exponent;
  if (x == 0 || x != x) return -2147483647 - 1;
  if (is_special_number_real(x)) return 2147483647;
  frexp_real(x, &exponent);
  return exponent - 1;
}

hardbop_number logb_real(hardbop_number x) {
  if (x == 0) return -1 / fabs_real(x);
  if (is_special_number_real(x)) return x * x;
  return ilogb_real(x);
}

hardbop_number nextafter_real(hardbop_number x, hardbop_number y) {
  pattern_real p;
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  p.number = x;
  if (x == 0) {
    p.bits = 1;
    return copysign_real(p.number, y);
  }
  if ((x < y) == (x > 0)) p.bits++;
  else p.bits--;
  return p.number;
}

hardbop_number remquo_real(hardbop_number x, hardbop_number y, int *quotient) {
  hardbop_number result = remainder_real(x, y), size = fabs_real(y), rest = fabs_real(x);
  int n = 0;
  /* Where there is no rest, the quotient is any number. */
  *quotient = __VERIFIER_nondet_int();
  if (result != result) return result;
  *quotient = 0;
  if (exponent_of_real(y) == hardbop_exponents) return result;
  if (size <= power_of_two_real(hardbop_bias - 3)) rest = fmod_real(rest, 8 * size);
  if (size <= power_of_two_real(hardbop_bias - 2) && rest >= 4 * size) {
    rest -= 4 * size;
    n += 4;
  }
  if (size <= power_of_two_real(hardbop_bias - 1) && rest >= 2 * size) {
    rest -= 2 * size;
    n += 2;
  }
  if (size < 2 * power_of_two_real(1 - hardbop_bias)) {
    if (rest + rest > size) {
      rest -= size;
      n++;
      if (rest + rest >= size) n++;
    }
  } else if (rest > size / 2) {
    rest -= size;
    n++;
    if (rest >= size / 2) n++;
  }
  *quotient = copysign_real(1, x) == copysign_real(1, y) ? n : -n;
  return result;
}
