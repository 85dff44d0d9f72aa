int main(void) {
  void *p = &&end;
  goto *p;
  return 0;
}
