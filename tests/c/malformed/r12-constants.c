int n;
int a[n];
int b[-1];
int c = n++;
struct s { int f : 40; int g : n; };
enum { A = n };
int main(void) { return 0; }
