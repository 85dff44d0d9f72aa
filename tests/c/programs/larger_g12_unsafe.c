// unsafe: objects that are used as larger ones
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long); extern void *memset(void*,int,unsigned long); extern void *memcpy(void*,const void*,unsigned long); struct wide { int a, b, c, d; }; int g; int main(){ struct wide*p=(struct wide*)&g; if(p->a==0 && p->b==12345) reach_error(); return 0;}
