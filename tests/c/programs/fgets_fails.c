// unsafe: fgets returns null at the end of a file
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
extern char *fgets(char *, int, void *);
extern void *stream;
int main(void) {
    char line[8];
    if (fgets(line, 8, stream) == 0) reach_error();
    return 0;
}
