/* bsearch (C11, 7.22.5.1), which leaves open which of several equal items is found, and lfind (POSIX). */
void *bsearch(const void *key, const void *items, hardbop_size count, hardbop_size size,
              int (*compare)(const void *, const void *)) {
  hardbop_size low = 0, high = count;
  while (low < high) {
    hardbop_size middle = low + (high - low) / 2;
    const char *item = (const char *)items + middle * size;
    int order = compare(key, item);
    if (!order) return (void *)item;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}

void *lfind(const void *key, const void *items, hardbop_size *count, hardbop_size size,
            int (*compare)(const void *, const void *)) {
  hardbop_size i;
  for (i = 0; i < *count; i++) {
    const char *item = (const char *)items + i * size;
    if (!compare(key, item)) return (void *)item;
  }
  return 0;
}
