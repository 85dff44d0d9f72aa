int main(void) {
  int locked = 1;
  return loked;
}
