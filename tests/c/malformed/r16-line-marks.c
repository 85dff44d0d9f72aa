# 1 "lock.c"
# 7 "include/lock.h" 1
int held;
# 3 "lock.c" 2
int main(void) {
  return hold;
}
