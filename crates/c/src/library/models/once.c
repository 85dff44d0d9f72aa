/* pthread_once (POSIX): what begins as PTHREAD_ONCE_INIT, 0, is done at the first call. */
void __undecided_pthread_once_in_its_own_routine(void);

int pthread_once(int *once, void (*act)(void)) {
  if (*once == 1) __undecided_pthread_once_in_its_own_routine();
  if (!*once) {
    *once = 1;
    act();
    *once = 2;
  }
  return 0;
}
