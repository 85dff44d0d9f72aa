// safe
// Expressions divided into single steps, with pointers in integers, as CIL writes them.
void reach_error(void);
void *malloc(unsigned long);
struct node { int value; struct node *next; };
int main(void)
{
	unsigned long t1, t2, t3, t4, t5;
	struct node a, *b, *p;
	void *tmp = malloc(sizeof(struct node));
	b = (struct node *)tmp;
	t1 = (unsigned long)b;
	t2 = (unsigned long)(void *)0;
	if (t1 == t2)
		return 0;
	t3 = (unsigned long)&a;
	t4 = t3 + sizeof(void *);
	*((struct node **)t4) = b;
	*((int *)t3) = 1;
	*((int *)t1) = 2;
	p = *((struct node **)t4);
	t5 = (unsigned long)p;
	if (*((int *)t5) != 2 || a.value != 1)
		reach_error();
	return 0;
}
