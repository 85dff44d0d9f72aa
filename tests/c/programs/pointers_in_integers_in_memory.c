// unsafe
// The integer goes through memory, and through a call.
void reach_error(void);
unsigned long kept;
unsigned long same(unsigned long x) { return x; }
int main(void)
{
	int a = 0, b = 0;
	unsigned long t1, t2, t3;
	t1 = (unsigned long)&a;
	kept = t1;
	t2 = kept;
	*((int *)t2) = 5;
	t3 = same((unsigned long)&b);
	t1 = t3;
	*((int *)t1) = 6;
	if (a == 5 && b == 6)
		reach_error();
	return 0;
}
