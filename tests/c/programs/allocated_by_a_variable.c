// safe
// The size is a constant, but goes through a variable.
void reach_error(void);
void *malloc(unsigned long);
struct link { struct link *previous, *next; int inserted; };
static void add(struct link *new)
{
	if (new->inserted != 0)
		reach_error();
	new->inserted = 1;
}
int main(void)
{
	unsigned long size, address;
	void *made;
	struct link *link;
	size = 24;
	made = malloc(size);
	link = (struct link *)made;
	address = (unsigned long)link;
	if (address != 0) {
		link->inserted = 0;
		add(link);
	}
	return 0;
}
