extern int hardbop_main(int, char **, char **) __asm__("main");
void hardbop_start(void) {
  static char *arguments[] = { "a.out", 0 };
  hardbop_objects();
  hardbop_main(1, arguments, arguments + 1);
  hardbop_exit(0);
}
#if defined __x86_64__
__asm__(".globl _start\n_start: andq $-16, %rsp\n call hardbop_start\n");
#else
__asm__(".globl _start\n_start: andl $-16, %esp\n call hardbop_start\n");
#endif
