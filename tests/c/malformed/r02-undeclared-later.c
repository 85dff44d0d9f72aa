int f(void) { return later; }
int later;
int main(void) { return f(); }
