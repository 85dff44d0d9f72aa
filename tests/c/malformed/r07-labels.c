int main(void) {
  goto ot;
out:
  return 0;
out:
  return 1;
}
