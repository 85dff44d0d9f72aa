/* Clocks and calendars (C11, 7.27; POSIX): what is read from outside has any values of the ranges that are documented. */
struct timespec {
  long tv_sec;
  long tv_nsec;
};
struct timeval {
  long tv_sec;
  long tv_usec;
};
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int condition);

static int within(int least, int greatest) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(least <= n && n <= greatest);
  return n;
}

/* A time that is not negative, with so many parts of a second. */
static void any_time(long *seconds, long *parts, long most) {
  *seconds = __VERIFIER_nondet_long();
  *parts = __VERIFIER_nondet_long();
  __VERIFIER_assume(*seconds >= 0 && 0 <= *parts && *parts < most);
}

int clock_gettime(int clock, struct timespec *time) {
  /* CLOCK_REALTIME and CLOCK_MONOTONIC are always there. */
  if (clock != 0 && clock != 1 && __VERIFIER_nondet_bool()) return -1;
  any_time(&time->tv_sec, &time->tv_nsec, 1000000000);
  return 0;
}

int timespec_get(struct timespec *time, int base) {
  if (base != 1 || __VERIFIER_nondet_bool()) return 0;
  any_time(&time->tv_sec, &time->tv_nsec, 1000000000);
  return base;
}

int gettimeofday(struct timeval *time, void *zone) {
  if (zone && __VERIFIER_nondet_bool()) return -1;
  if (time) any_time(&time->tv_sec, &time->tv_usec, 1000000);
  return 0;
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
  long seconds = time->tv_sec, parts = time->tv_nsec;
  if (seconds < 0 || parts < 0 || parts > 999999999) return -1;
  if (__VERIFIER_nondet_bool()) return 0;
  if (rest) {
    any_time(&rest->tv_sec, &rest->tv_nsec, 1000000000);
    __VERIFIER_assume(rest->tv_sec <= seconds);
  }
  return -1;
}

/* A calendar time, but for its year and zone. */
static void any_calendar(struct tm *to) {
  to->tm_sec = within(0, 60);
  to->tm_min = within(0, 59);
  to->tm_hour = within(0, 23);
  to->tm_mday = within(1, 31);
  to->tm_mon = within(0, 11);
  to->tm_year = __VERIFIER_nondet_int();
  to->tm_wday = within(0, 6);
  to->tm_yday = within(0, 365);
  to->tm_isdst = within(-1, 1);
  to->tm_gmtoff = within(-93599, 93599);
  to->tm_zone = "UTC";
}

static struct tm calendar;

struct tm *gmtime_r(const long *time, struct tm *to) {
  long seconds = *time;
  /* The years of an int. */
  if (seconds < -67768040609740800 || seconds > 67768036191676799) return 0;
  any_calendar(to);
  to->tm_isdst = 0;
  to->tm_gmtoff = 0;
  return to;
}

struct tm *localtime_r(const long *time, struct tm *to) {
  long seconds = *time;
  if ((seconds < -67768040609640000 || seconds > 67768036191576000) && __VERIFIER_nondet_bool()) return 0;
  any_calendar(to);
  return to;
}

struct tm *gmtime(const long *time) { return gmtime_r(time, &calendar); }
struct tm *localtime(const long *time) { return localtime_r(time, &calendar); }
