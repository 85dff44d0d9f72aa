int h, g; int f(int x) { h = h * 7 + x; g += x; return x; }
int id(int a, int b, int c) { return a * 100 + b * 10 + c; }
int main(void) {
  int x = f(1) + f(2) * f(3); int i = 3;
  x += (i++, i = 5, i); x += i--; x -= --i;
  x += f(4) && f(0) || f(5); x += f(0) && f(9); x += f(1) || f(9); x += (f(2), f(3));
  x += f(1) ? f(6) : f(7); x += (f(0) ?: f(8)); x += (f(3) ?: f(9));
  int a[4] = {0, 1, 2, 3}; int *p = a; x += *p++; x += *++p; x += (*p)++; x += p[-1]; x += a[2]; x += p - a;
  x += id(f(1), 2, 3); i = 0; a[i++] = 7; a[i] = f(2);
  x = x * 3 + a[0] + a[1] + a[2] + a[3];
  int c = 0; c = (c++, c + 1); x += c;
  int y = !(f(1) && !f(0)); x += y * 3; x += !!f(5) + (f(0) == 0) + ((f(1) && f(2)) == 0) + ((f(0) || f(2)) != 0);
  return (x * 31 + h + g) & 0x7f;
}
