void *hardbop_l_malloc(hardbop_size size) {
  static unsigned char heap[1 << 26] __attribute__((aligned(16)));
  static hardbop_size used;
  unsigned char *block = heap + used + 16;
  *(hardbop_size *)(block - 16) = size;
  used += (size + 31) / 16 * 16 + 16;
  return block;
}
