char *s = "abc;
int main(void) {
  return 0;
}
