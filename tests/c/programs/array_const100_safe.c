// safe: an array of more than a few elements
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int a[100]; int main(){a[3]=5; a[4]=__VERIFIER_nondet_int(); if(a[3]!=5) reach_error(); return 0;}
