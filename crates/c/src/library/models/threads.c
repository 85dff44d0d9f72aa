/* Locks, semaphores and condition variables (POSIX.1-2017; C11, 7.26) of programs with threads.  What calls no other
   function here is not interrupted.  Who has to wait is where an assumption does not hold. */
void __builtin_assume(int);
void __undecided_a_lock_that_is_not_of_the_default_kind(void);
void __undecided_the_number_of_an_error_of_sem_trywait(void);

/* A lock is 1 where somebody has it; its kind, behind it, is 0. */
enum { KIND = sizeof(long) == 8 ? 4 : 3 };

int pthread_mutex_init(int *lock, const void *attributes) {
  if (attributes) __undecided_a_lock_that_is_not_of_the_default_kind();
  lock[KIND] = 0;
  *lock = 0;
  return 0;
}

int pthread_mutex_destroy(int *lock) { return 0; }

int pthread_mutex_lock(int *lock) {
  if (lock[KIND]) __undecided_a_lock_that_is_not_of_the_default_kind();
  __builtin_assume(!*lock);
  *lock = 1;
  return 0;
}

int pthread_mutex_trylock(int *lock) {
  if (lock[KIND]) __undecided_a_lock_that_is_not_of_the_default_kind();
  if (*lock) return 16;
  *lock = 1;
  return 0;
}

int pthread_mutex_unlock(int *lock) {
  *lock = 0;
  return 0;
}

int pthread_spin_init(volatile int *lock, int shared) {
  *lock = 0;
  return 0;
}

int pthread_spin_destroy(volatile int *lock) { return 0; }

int pthread_spin_lock(volatile int *lock) {
  __builtin_assume(!*lock);
  *lock = 1;
  return 0;
}

int pthread_spin_trylock(volatile int *lock) {
  if (*lock) return 16;
  *lock = 1;
  return 0;
}

int pthread_spin_unlock(volatile int *lock) {
  *lock = 0;
  return 0;
}

/* The number of those that read, or -1: one writes. */
int pthread_rwlock_init(int *lock, const void *attributes) {
  *lock = 0;
  return 0;
}

int pthread_rwlock_destroy(int *lock) { return 0; }

int pthread_rwlock_rdlock(int *lock) {
  __builtin_assume(*lock >= 0);
  ++*lock;
  return 0;
}

int pthread_rwlock_tryrdlock(int *lock) {
  if (*lock < 0) return 16;
  ++*lock;
  return 0;
}

int pthread_rwlock_wrlock(int *lock) {
  __builtin_assume(!*lock);
  *lock = -1;
  return 0;
}

int pthread_rwlock_trywrlock(int *lock) {
  if (*lock) return 16;
  *lock = -1;
  return 0;
}

int pthread_rwlock_unlock(int *lock) {
  if (*lock < 0) *lock = 0;
  else --*lock;
  return 0;
}

/* A thread may go on without a signal (POSIX, pthread_cond_wait: spurious wakeups), so signals do not matter. */
int pthread_cond_init(int *condition, const void *attributes) { return 0; }

int pthread_cond_destroy(int *condition) { return 0; }

int pthread_cond_signal(int *condition) { return 0; }

int pthread_cond_broadcast(int *condition) { return 0; }

int pthread_cond_wait(int *condition, int *lock) {
  pthread_mutex_unlock(lock);
  pthread_mutex_lock(lock);
  return 0;
}

int sem_init(long *semaphore, int shared, unsigned value) {
  *semaphore = value;
  return 0;
}

int sem_destroy(long *semaphore) { return 0; }

int sem_wait(long *semaphore) {
  __builtin_assume(*semaphore > 0);
  --*semaphore;
  return 0;
}

int sem_trywait(long *semaphore) {
  if (*semaphore <= 0) __undecided_the_number_of_an_error_of_sem_trywait();
  --*semaphore;
  return 0;
}

int sem_post(long *semaphore) {
  ++*semaphore;
  return 0;
}

static int hardbop_count(long *semaphore) { return *semaphore; }

int sem_getvalue(long *semaphore, int *value) {
  *value = hardbop_count(semaphore);
  return 0;
}

/* How many a barrier waits for, how many have come, and how often it has opened. */
int pthread_barrier_init(long *barrier, const void *attributes, unsigned count) {
  barrier[0] = count;
  barrier[1] = barrier[2] = 0;
  return 0;
}

int pthread_barrier_destroy(long *barrier) { return 0; }

static long hardbop_come(long *barrier) {
  long opened = barrier[2];
  if (++barrier[1] == barrier[0]) {
    barrier[1] = 0;
    ++barrier[2];
    return -1;
  }
  return opened;
}

static void hardbop_pass(long *barrier, long opened) { __builtin_assume(barrier[2] != opened); }

int pthread_barrier_wait(long *barrier) {
  long opened = hardbop_come(barrier);
  if (opened < 0) return -1;
  hardbop_pass(barrier, opened);
  return 0;
}

int mtx_init(long *lock, int kind) {
  if (kind) __undecided_a_lock_that_is_not_of_the_default_kind();
  *lock = 0;
  return 0;
}

void mtx_destroy(long *lock) {}

int mtx_lock(long *lock) {
  __builtin_assume(!*lock);
  *lock = 1;
  return 0;
}

int mtx_trylock(long *lock) {
  if (*lock) return 1;
  *lock = 1;
  return 0;
}

int mtx_unlock(long *lock) {
  *lock = 0;
  return 0;
}

int cnd_init(long *condition) { return 0; }

void cnd_destroy(long *condition) {}

int cnd_signal(long *condition) { return 0; }

int cnd_broadcast(long *condition) { return 0; }

int cnd_wait(long *condition, long *lock) {
  mtx_unlock(lock);
  mtx_lock(lock);
  return 0;
}
