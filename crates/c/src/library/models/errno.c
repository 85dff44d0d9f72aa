/* errno (C11, 7.5): a number that calls of the library may set to another positive one. */
int __VERIFIER_error_number(int *number);

int *__errno_location(void) {
  static int number;
  int n = __VERIFIER_error_number(&number);
  if (n > 0) number = n;
  return &number;
}
