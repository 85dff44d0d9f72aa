__int128 wide;
int main(void) {
  return 0;
}
