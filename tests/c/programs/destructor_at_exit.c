// both: exit runs destructors
// x = 3; exit(0) ==> x = 4; exit(0)
extern void reach_error(void);
void exit(int);
int x;
__attribute__((destructor)) void behind(void) { if (x != 3) reach_error(); }
int main(void) { x = 3; exit(0); }
