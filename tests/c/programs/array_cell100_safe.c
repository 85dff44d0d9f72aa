// safe: an array of more than a few elements
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int a[100]; int main(){unsigned i=__VERIFIER_nondet_uint(); if(i>=100) return 0; a[i]=5; if(a[i]!=5) reach_error(); return 0;}
