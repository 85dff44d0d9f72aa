void *hardbop_l_realloc(void *old, hardbop_size size) {
  unsigned char *block = hardbop_l_malloc(size);
  hardbop_size i;
  if (old)
    for (i = 0; i < size && i < *(hardbop_size *)((unsigned char *)old - 16); i++)
      block[i] = ((unsigned char *)old)[i];
  return block;
}
