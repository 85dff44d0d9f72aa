int a[2] = {1, 2, 3};
char s[2] = "abc";
struct p { int x, y; } p = {.z = 1};
int b[2] = {[5] = 1};
int c[] = 3;
int main(void) { return 0; }
