int main(void) {
  int default = 3;
  return default;
}
