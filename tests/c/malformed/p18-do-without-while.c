int main(void) {
  do { ; }
  return 0;
}
