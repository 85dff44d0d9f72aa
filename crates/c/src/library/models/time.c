/* Clocks (C11, 7.27; POSIX): what is read from outside has any values of the ranges that are documented. */
struct timespec {
  long tv_sec;
  long tv_nsec;
};
struct timeval {
  long tv_sec;
  long tv_usec;
};
_Bool __VERIFIER_nondet_bool(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int condition);
void __undecided_another_clock(void);
void __undecided_a_time_zone(void);

/* A time that is not negative, with so many parts of a second. */
static void any_time(long *seconds, long *parts, long most) {
  *seconds = __VERIFIER_nondet_long();
  *parts = __VERIFIER_nondet_long();
  __VERIFIER_assume(*seconds >= 0 && 0 <= *parts && *parts < most);
}

/* What CLOCK_MONOTONIC showed last. */
static struct timespec last;

int clock_gettime(int clock, struct timespec *time) {
  if (clock != 0 && clock != 1) __undecided_another_clock();
  any_time(&time->tv_sec, &time->tv_nsec, 1000000000);
  if (clock == 1) {
    __VERIFIER_assume(time->tv_sec > last.tv_sec || (time->tv_sec == last.tv_sec && time->tv_nsec >= last.tv_nsec));
    last.tv_sec = time->tv_sec;
    last.tv_nsec = time->tv_nsec;
  }
  return 0;
}

int timespec_get(struct timespec *time, int base) {
  if (base != 1 || __VERIFIER_nondet_bool()) return 0;
  any_time(&time->tv_sec, &time->tv_nsec, 1000000000);
  return base;
}

int gettimeofday(struct timeval *time, void *zone) {
  if (zone) __undecided_a_time_zone();
  if (time) any_time(&time->tv_sec, &time->tv_usec, 1000000);
  return 0;
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
  long seconds = time->tv_sec, parts = time->tv_nsec;
  if (seconds < 0 || parts < 0 || parts > 999999999) return -1;
  if (__VERIFIER_nondet_bool()) return 0;
  if (rest) {
    any_time(&rest->tv_sec, &rest->tv_nsec, 1000000000);
    __VERIFIER_assume(rest->tv_sec < seconds || (rest->tv_sec == seconds && rest->tv_nsec <= parts));
  }
  return -1;
}
