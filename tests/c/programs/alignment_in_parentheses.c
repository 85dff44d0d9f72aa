// safe: `__alignof__` of `double` and `long long` is 8 in both data models, in parentheses or not.
void reach_error(void);

int main(void) {
  if (__alignof__(long long) != 8 || (__alignof__(long long)) != 8 || ( ( __alignof__ (double))) != 8)
    reach_error();
  if ((_Alignof(double)) != (sizeof(long) == 8 ? 8 : 4))
    reach_error();
  return 0;
}
