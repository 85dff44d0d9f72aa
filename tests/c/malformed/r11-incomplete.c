struct s;
struct s v;
int main(void) {
  struct s l;
  struct s *p = &v;
  int x = sizeof(struct s);
  return p->a;
}
