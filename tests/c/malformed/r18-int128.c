__int128 wide;
struct pair {
  __int128 first;
  int second;
};
int main(void) {
  struct pair *p = 0;
  wide = 1;
  return p->second;
}
