/* What a thread is called (POSIX.1-2017), where there is one: some number, always the same. */
unsigned long __VERIFIER_nondet_ulong(void);
void __builtin_assume(int);

static unsigned long self;

unsigned long pthread_self(void) {
  if (!self) {
    self = __VERIFIER_nondet_ulong();
    __builtin_assume(self != 0);
  }
  return self;
}

int pthread_equal(unsigned long one, unsigned long other) { return one == other; }
