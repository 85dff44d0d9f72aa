int f(int);
char *f(int);
extern int x;
long *x;
struct t { int a; };
struct t { int b; };
union t u;
int g;
int g(void);
int main(void) { return 0; }
