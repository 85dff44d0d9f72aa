void *hardbop_l_calloc(hardbop_size a, hardbop_size b) { return hardbop_l_malloc(a * b); }
