/* fesetround, fegetround (C11, 7.6.3): the modes are those of x86. */
static int rounding_mode;

int fesetround(int mode) {
  if (mode & ~0xc00) return 1;
  rounding_mode = mode;
  return 0;
}

int fegetround(void) { return rounding_mode; }
