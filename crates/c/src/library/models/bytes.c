/* Older names of functions on bytes (POSIX). */
void *memset(void *to, int byte, hardbop_size size);
void *memcpy(void *to, const void *from, hardbop_size size);
void *memmove(void *to, const void *from, hardbop_size size);
int memcmp(const void *a, const void *b, hardbop_size size);

void bzero(void *to, hardbop_size size) { memset(to, 0, size); }
void explicit_bzero(void *to, hardbop_size size) { memset(to, 0, size); }
void bcopy(const void *from, void *to, hardbop_size size) { memmove(to, from, size); }
int bcmp(const void *a, const void *b, hardbop_size size) { return memcmp(a, b, size); }
void *mempcpy(void *to, const void *from, hardbop_size size) { return (char *)memcpy(to, from, size) + size; }
