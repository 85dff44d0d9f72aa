void *hardbop_l_realloc(void *old, hardbop_size size) {
  unsigned char *block;
  hardbop_size i;
  if (old && !size)
    return 0;
  block = hardbop_l_malloc(size);
  if (old)
    for (i = 0; i < size && i < *(hardbop_size *)((unsigned char *)old - 16); i++)
      block[i] = ((unsigned char *)old)[i];
  return block;
}
