/* reallocarray (GNU C library), posix_memalign (POSIX), and qsort_r and lsearch (GNU C library, POSIX): equal items stay in order. */
void *realloc(void *block, hardbop_size size);
void *aligned_alloc(hardbop_size alignment, hardbop_size size);

void *reallocarray(void *block, hardbop_size count, hardbop_size size) {
  if (size && count > (hardbop_size)-1 / size) return 0;
  return realloc(block, count * size);
}

int posix_memalign(void **to, hardbop_size alignment, hardbop_size size) {
  void *block;
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return 22;
  block = aligned_alloc(alignment, size);
  if (!block) return 12;
  *to = block;
  return 0;
}

void qsort_r(void *items, hardbop_size count, hardbop_size size, int (*compare)(const void *, const void *, void *), void *more) {
  hardbop_size i, k, byte;
  for (i = 1; i < count; i++) {
    for (k = i; k; k--) {
      char *item = (char *)items + k * size, *before = item - size;
      if (compare(before, item, more) <= 0) break;
      for (byte = 0; byte < size; byte++) {
        char c = item[byte];
        item[byte] = before[byte];
        before[byte] = c;
      }
    }
  }
}

void *lsearch(const void *key, void *items, hardbop_size *count, hardbop_size size, int (*compare)(const void *, const void *)) {
  hardbop_size i;
  char *item = items;
  for (i = 0; i < *count; i++, item += size)
    if (!compare(key, item)) return item;
  for (i = 0; i < size; i++) item[i] = ((const char *)key)[i];
  ++*count;
  return item;
}

/* As glibc computes it. */
static unsigned part_of(unsigned *seed, unsigned count) {
  *seed = *seed * 1103515245u + 12345u;
  return *seed / 65536 % count;
}

int rand_r(unsigned *seed) {
  unsigned first = part_of(seed, 2048), second = part_of(seed, 1024);
  return (int)(((first << 10 ^ second) << 10) ^ part_of(seed, 1024));
}
