/* What gcc calls for products and quotients of complex numbers (C11, Annex G.5.1): (a + bi) * (c + di) and (a + bi) / (c + di).
   Quotients of 'double' as of Baudin and Smith, "A Robust Complex Division in Scilab" (2012), which libgcc has since 2021. */
static double boxed(double x) { return __builtin_copysign(__builtin_isinf(x) ? 1.0 : 0.0, x); }
static double without_nan(double x) { return __builtin_isnan(x) ? __builtin_copysign(0.0, x) : x; }
static int is_infinite(double x, double y) { return __builtin_isinf(x) || __builtin_isinf(y); }
static int is_finite(double x, double y) { return __builtin_isfinite(x) && __builtin_isfinite(y); }

static double _Complex complex_of(double x, double y) {
  double _Complex z;
  __real__ z = x;
  __imag__ z = y;
  return z;
}

/* As an operation on 'float' rounds, where the operands are such numbers: that on 'double' before loses nothing. */
static double rounded(double x, int is_single) { return is_single ? (float)x : x; }

/* a * b + c * d */
static double products(double a, double b, double c, double d, int is_single) {
  return rounded(rounded(a * b, is_single) + rounded(c * d, is_single), is_single);
}

/* The product where both parts, as they are defined, are no numbers. */
static double _Complex product(double a, double b, double c, double d, int overflows, int is_single) {
  int found = 0;
  if (is_infinite(a, b)) {
    a = boxed(a), b = boxed(b), c = without_nan(c), d = without_nan(d);
    found = 1;
  }
  if (is_infinite(c, d)) {
    c = boxed(c), d = boxed(d), a = without_nan(a), b = without_nan(b);
    found = 1;
  }
  if (!found && overflows) {
    a = without_nan(a), b = without_nan(b), c = without_nan(c), d = without_nan(d);
    found = 1;
  }
  if (found)
    return complex_of(__builtin_inf() * products(a, c, -b, d, is_single),
                      __builtin_inf() * products(a, d, b, c, is_single));
  return complex_of(a * c - b * d, a * d + b * c);
}

double _Complex __muldc3(double a, double b, double c, double d) {
  double x = a * c - b * d, y = a * d + b * c;
  if (!__builtin_isnan(x) || !__builtin_isnan(y)) return complex_of(x, y);
  return product(a, b, c, d, is_infinite(a * c, b * d) || is_infinite(a * d, b * c), 0);
}

float _Complex __mulsc3(float a, float b, float c, float d) {
  float ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc;
  float _Complex z;
  if (__builtin_isnan(x) && __builtin_isnan(y)) return product(a, b, c, d, is_infinite(ac, bd) || is_infinite(ad, bc), 1);
  __real__ z = x;
  __imag__ z = y;
  return z;
}

/* The quotient (x + yi) of numbers of which one is infinite, or the divisor is 0; no numbers otherwise. */
static double _Complex quotient(double a, double b, double c, double d, double x, double y, int is_single) {
  if (!__builtin_isnan(x) || !__builtin_isnan(y)) return complex_of(x, y);
  if (c == 0 && d == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b)))
    return complex_of(__builtin_copysign(__builtin_inf(), c) * a, __builtin_copysign(__builtin_inf(), c) * b);
  if (is_infinite(a, b) && is_finite(c, d)) {
    a = boxed(a), b = boxed(b);
    return complex_of(__builtin_inf() * products(a, c, b, d, is_single),
                      __builtin_inf() * products(b, c, -a, d, is_single));
  }
  if (is_infinite(c, d) && is_finite(a, b)) {
    c = boxed(c), d = boxed(d);
    return complex_of(0.0 * products(a, c, b, d, is_single), 0.0 * products(b, c, -a, d, is_single));
  }
  return complex_of(x, y);
}

/* Whether the operands are to be multiplied by 2 to the power of 52: the greater part of the divisor is small, or a part of
   the dividend is, and nothing overflows. */
static int is_small(double a, double b, double great) {
  const double least = 0x1p-1022, limit = 0x1.fffffffffffffp+1022 * 0x1p-52;
  if (great < 0x1p-52) return 1;
  a = __builtin_fabs(a), b = __builtin_fabs(b);
  return great < limit && (a < least && b < limit || b < least && a < limit);
}

double _Complex __divdc3(double a, double b, double c, double d) {
  int is_steep = __builtin_fabs(c) < __builtin_fabs(d);
  double great = is_steep ? __builtin_fabs(d) : __builtin_fabs(c), ratio, divisor, x, y;
  if (great >= 0x1.fffffffffffffp+1022) a = a / 2, b = b / 2, c = c / 2, d = d / 2, great = great / 2;
  if (is_small(a, b, great)) a = a * 0x1p52, b = b * 0x1p52, c = c * 0x1p52, d = d * 0x1p52;
  if (is_steep) {
    ratio = c / d;
    divisor = c * ratio + d;
    if (__builtin_fabs(ratio) > 0x1p-1022) {
      x = (a * ratio + b) / divisor;
      y = (b * ratio - a) / divisor;
    } else {
      x = (c * (a / d) + b) / divisor;
      y = (c * (b / d) - a) / divisor;
    }
  } else {
    ratio = d / c;
    divisor = d * ratio + c;
    if (__builtin_fabs(ratio) > 0x1p-1022) {
      x = (b * ratio + a) / divisor;
      y = (b - a * ratio) / divisor;
    } else {
      x = (a + d * (b / c)) / divisor;
      y = (b - d * (a / c)) / divisor;
    }
  }
  return quotient(a, b, c, d, x, y, 0);
}

float _Complex __divsc3(float a, float b, float c, float d) {
  double aa = a, bb = b, cc = c, dd = d, divisor = cc * cc + dd * dd;
  float x = (aa * cc + bb * dd) / divisor, y = (bb * cc - aa * dd) / divisor;
  return quotient(a, b, c, d, x, y, 1);
}
