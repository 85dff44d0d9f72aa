/* The functions of <complex.h> whose results are exact (C11, 7.3.8.2 and 7.3.9). */
void __undecided_the_absolute_value_of_a_complex_number(void);
void __undecided_the_argument_of_a_complex_number(void);

double creal(double _Complex z) { return __real__ z; }
float crealf(float _Complex z) { return __real__ z; }
long double creall(long double _Complex z) { return __real__ z; }
double cimag(double _Complex z) { return __imag__ z; }
float cimagf(float _Complex z) { return __imag__ z; }
long double cimagl(long double _Complex z) { return __imag__ z; }
double _Complex conj(double _Complex z) { return ~z; }
float _Complex conjf(float _Complex z) { return ~z; }
long double _Complex conjl(long double _Complex z) { return ~z; }

/* Exact where a part is 0, and for integers of 26 bits whose result is one. */
double cabs(double _Complex z) {
  double x = __builtin_fabs(__real__ z), y = __builtin_fabs(__imag__ z), square = x * x + y * y, root;
  if (x == 0 && y == y) return y;
  if (y == 0 && x == x) return x;
  if (x >= 0x1p26 || y >= 0x1p26 || __builtin_floor(x) != x || __builtin_floor(y) != y)
    __undecided_the_absolute_value_of_a_complex_number();
  root = __builtin_sqrt(square);
  if (root * root != square || __builtin_floor(root) != root) __undecided_the_absolute_value_of_a_complex_number();
  return root;
}

float cabsf(float _Complex z) { return cabs(z); }

/* Of a positive number, it is 0 with the sign of the imaginary part. */
double carg(double _Complex z) {
  if (__imag__ z != 0 || !(__real__ z > 0)) __undecided_the_argument_of_a_complex_number();
  return __imag__ z;
}

float cargf(float _Complex z) { return carg(z); }

/* All infinite numbers are one. */
double _Complex cproj(double _Complex z) {
  if (__builtin_isinf(__real__ z) || __builtin_isinf(__imag__ z)) {
    __real__ z = __builtin_inf();
    __imag__ z = __builtin_copysign(0.0, __imag__ z);
  }
  return z;
}

float _Complex cprojf(float _Complex z) { return cproj(z); }
