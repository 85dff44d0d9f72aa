// unsafe
// An integer may leave the object, and come back.
void reach_error(void);
int main(void)
{
	int a = 0;
	unsigned long t1, t2, t3;
	t1 = (unsigned long)&a;
	t2 = t1 + 100;
	t3 = t2 - 100;
	*((int *)t3) = 5;
	if (a == 5)
		reach_error();
	return 0;
}
