/* pthread_once (POSIX): what begins as PTHREAD_ONCE_INIT, 0, is done at the first call. */
int pthread_once(int *once, void (*act)(void)) {
  if (!*once) {
    *once = 2;
    act();
  }
  return 0;
}
