_Float16 half;
struct pair {
  _Float16 first;
  int second;
};
int main(void) {
  struct pair *p = 0;
  half = 1;
  return p->second;
}
