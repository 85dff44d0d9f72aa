/* malloc and its like, where the program reads blocks before it writes them, or where some calls fail. */
static void *hardbop_block(__SIZE_TYPE__ size) {
  static unsigned char heap[1 << 26] __attribute__((aligned(16)));
  static __SIZE_TYPE__ used;
  static unsigned number;
  unsigned char *block = heap + used + 16;
  if (number < sizeof hardbop_failing && hardbop_failing[number]) {
    number++;
    return 0;
  }
  *(__SIZE_TYPE__ *)(block - 16) = size;
  used += (size + HARDBOP_ROOM + 31) / 16 * 16 + 16;
  hardbop_fill(block, hardbop_heap, sizeof hardbop_heap / sizeof *hardbop_heap, &number);
  return block;
}
void *hardbop_h_malloc(__SIZE_TYPE__ size) __asm__("hardbop_malloc");
void *hardbop_h_malloc(__SIZE_TYPE__ size) { return hardbop_block(size); }
void *hardbop_h_calloc(__SIZE_TYPE__ a, __SIZE_TYPE__ b) __asm__("hardbop_calloc");
void *hardbop_h_calloc(__SIZE_TYPE__ a, __SIZE_TYPE__ b) { return hardbop_block(a * b); }
void hardbop_h_free(void *block) __asm__("hardbop_free");
void hardbop_h_free(void *block) { }
void *hardbop_h_realloc(void *old, __SIZE_TYPE__ size) __asm__("hardbop_realloc");
void *hardbop_h_realloc(void *old, __SIZE_TYPE__ size) {
  unsigned char *block = hardbop_block(size);
  __SIZE_TYPE__ i;
  if (old && block)
    for (i = 0; i < size && i < *(__SIZE_TYPE__ *)((unsigned char *)old - 16); i++)
      block[i] = ((unsigned char *)old)[i];
  return block;
}
