unsigned char uc = 200; signed char sc = -3; short s = -2; unsigned short us = 65535;
long long ll = -5000000000LL; unsigned u = 4000000000u; unsigned long ul = 7;
_Bool b;
int h; void add(int x) { h = h * 31 + x; }
int main(void) {
  add(uc + sc); add(sc < uc); add(s < us); add((unsigned)s < us); add(-1 < 1u); add(sc > u);
  add(ll < u); add((int)ll); add((short)70000); add((unsigned char)-1); add((signed char)200);
  b = 256; add(b); b = 0.5; add(b); b = &b; add(b); b++; add(b); b--; add(b);
  add(u / 2); add((int)u / 2); add(-7 / 2); add(-7 % 3); add(7 % -3); add(us * us > 0);
  add(sc >> 1); add((unsigned)sc >> 28); add(1 << 31); add(~uc); add(-uc); add(!uc); add(+sc);
  add(sizeof(uc + uc)); add(sizeof(+ll)); add(sizeof('a')); add(sizeof 1L); add(sizeof 1.0f);
  add(3000000000 > 0); add(0xffffffff > 0); add(2147483648 > 0); add(-2147483648 < 0); add(sizeof 2147483648);
  add(sizeof 0x80000000); add((ul - 8) > 0); add((char)0xff == -1); add('\xff'); add('\377' + 'ab');
  add(1 ? -1 : 1u); add((1 ? -1 : 1u) > 0); add((1 ? sc : uc)); add(sizeof(1 ? sc : uc));
  add((int)3.99); add((int)-3.99); add(1e3 > 999); add((unsigned char)300.0f == 44 || 1);
  add(u++ == 4000000000u); add((uc += 100) == 44); add(uc); add((sc -= 200)); add((s *= 3)); add((ul <<= 3));
  add(u >>= 1); add((us ^= 0xff)); add((s |= 8)); add(s &= ~1); add(uc %= 7); add(uc /= 2);
  return h & 0x7f;
}
