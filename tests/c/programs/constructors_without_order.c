// unknown: C and gcc do not say which of them is the first
extern void reach_error(void);
int x;
__attribute__((constructor)) void one(void) { x = 1; }
__attribute__((constructor)) void other(void) { x = 2; }
int main(void) { if (x != 2) reach_error(); return 0; }
