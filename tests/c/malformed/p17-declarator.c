int 3x;
int main(void) { return 0; }
