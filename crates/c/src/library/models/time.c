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

/* A time that is not negative and before the year 10000, with so many parts of a second. */
static void any_time(long *seconds, long *parts, long most) {
  *seconds = __VERIFIER_nondet_long();
  *parts = __VERIFIER_nondet_long();
  __VERIFIER_assume(*seconds >= 0 && *seconds < 253402300800LL && 0 <= *parts && *parts < most);
}

/* What clocks showed last that are not set back: all but those of the time of day. */
static struct timespec last[12];

/* Clocks of Linux have the numbers 0 to 11 without 10; those of processes are negative. */
static int is_clock(int clock) {
  if (clock < 0) __undecided_another_clock();
  return clock < 12 && clock != 10;
}

int clock_gettime(int clock, struct timespec *time) {
  if (!is_clock(clock) || ((clock == 8 || clock == 9) && __VERIFIER_nondet_bool())) return -1;
  any_time(&time->tv_sec, &time->tv_nsec, 1000000000);
  if (clock != 0 && clock != 5 && clock != 8 && clock != 11) {
    struct timespec *before = &last[clock];
    __VERIFIER_assume(time->tv_sec > before->tv_sec || (time->tv_sec == before->tv_sec && time->tv_nsec >= before->tv_nsec));
    before->tv_sec = time->tv_sec;
    before->tv_nsec = time->tv_nsec;
  }
  return 0;
}

int clock_getres(int clock, struct timespec *step) {
  if (!is_clock(clock) || ((clock == 8 || clock == 9) && __VERIFIER_nondet_bool())) return -1;
  if (step) {
    any_time(&step->tv_sec, &step->tv_nsec, 1000000000);
    __VERIFIER_assume(step->tv_sec || step->tv_nsec);
  }
  return 0;
}

/* Who may set a clock is not known. */
int clock_settime(int clock, const struct timespec *time) {
  long seconds = time->tv_sec, parts = time->tv_nsec;
  if (!is_clock(clock) || seconds < 0 || parts < 0 || parts > 999999999) return -1;
  return __VERIFIER_nondet_bool() ? 0 : -1;
}

/* What clock_nanosleep returns is the number of an error. */
int clock_nanosleep(int clock, int flags, const struct timespec *time, struct timespec *rest) {
  long seconds = time->tv_sec, parts = time->tv_nsec;
  int error = __VERIFIER_nondet_bool() ? 0 : __VERIFIER_nondet_bool() ? 4 : 22;
  if (seconds < 0 || parts < 0 || parts > 999999999) return 22;
  if (is_clock(clock) && (clock == 0 || clock == 1)) __VERIFIER_assume(error != 22);
  if (error == 4 && rest && !(flags & 1)) any_time(&rest->tv_sec, &rest->tv_nsec, 1000000000);
  return error;
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
