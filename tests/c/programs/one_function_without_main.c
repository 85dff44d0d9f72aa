// unsafe
// It starts in the only function that no other calls, with any arguments.
void assert(int);
static int twice(int x) { return x + x; }
int limit;
void f(int a)
{
	assert(twice(a) != 8 || limit != 0);
}
