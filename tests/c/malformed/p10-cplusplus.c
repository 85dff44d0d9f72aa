class Lock {
  int held;
};
int main() { return 0; }
