// both: constructors run by rising priority, destructors by falling one and behind what is given to atexit
// constructor(200) ==> constructor(100)
extern void reach_error(void);
int atexit(void (*)(void));
int x, y;
__attribute__((constructor(200))) static void second(void) { if (y != 5) reach_error(); x = x * 2 + y; }
void first(void) __attribute__((constructor(101)));
void first(void) { x = 1; y = 5; }
__attribute__((constructor)) void last(void) { if (x != 7) reach_error(); x = 8; }
void handler(void) { if (x != 9) reach_error(); x = 10; }
__attribute__((destructor)) void before(void) { if (x != 10) reach_error(); x = 11; }
__attribute__((destructor(300))) int between(void) { if (x != 11) reach_error(); return x = 12; }
__attribute__((destructor(200))) void behind(void) { if (x != 12) reach_error(); }
int main(void) { if (x != 8) reach_error(); atexit(handler); x = 9; return 0; }
