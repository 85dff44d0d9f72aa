int main(void) {
  uint32_t x = 1;
  return x;
}
