/* Two threads count; with -D LOCKED they do so one at a time. */
#include <assert.h>
#include <pthread.h>

int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
#ifdef LOCKED
  pthread_mutex_lock(&lock);
#endif
  count++;
#ifdef LOCKED
  pthread_mutex_unlock(&lock);
#endif
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(count == 2);
  return 0;
}
