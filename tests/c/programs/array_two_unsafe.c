// unsafe: an array of more than a few elements
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int m[10][12]; int main(){unsigned i=__VERIFIER_nondet_uint()%10,j=__VERIFIER_nondet_uint()%12; m[i][j]=9; if(m[i][j]!=8) reach_error(); return 0;}
