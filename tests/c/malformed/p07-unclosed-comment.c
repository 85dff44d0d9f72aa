int main(void) {
  return 0; /* for now
}
