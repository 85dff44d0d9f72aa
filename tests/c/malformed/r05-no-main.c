int mian(void) { return 0; }
