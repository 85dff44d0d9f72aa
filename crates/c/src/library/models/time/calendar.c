/* Calendars (C11, 7.27.2 and 7.27.3; POSIX): exact, with a time zone of which nothing is known.  The C library has one calendar
   and one text for all results. */
struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
  long hardbop_tm_gmtoff;
  const char *hardbop_tm_zone;
};
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int condition);
int __VERIFIER_zone_change(void);
long __VERIFIER_unknown_long(void);
void *memcpy(void *to, const void *from, hardbop_size size);
void __undecided_the_time_of_a_calendar_with_summer_time(void);
void __undecided_the_difference_of_such_times(void);

/* The days from 1970 to a day of the Gregorian calendar, whose months are counted from 0. */
static long long day_of(long long year, int month, int day) {
  long long era;
  unsigned of_era, of_year;
  year += month < 2 ? 1899 : 1900;
  era = (year >= 0 ? year : year - 399) / 400;
  of_era = (unsigned)(year - era * 400);
  of_year = (153 * (unsigned)(month < 2 ? month + 10 : month - 2) + 2) / 5;
  return era * 146097 + (of_era * 365 + of_era / 4 - of_era / 100) + of_year + day - 719469;
}

/* A calendar of a time; nothing where its year is no int.  There is one way through all that is computed. */
static struct tm *calendar(long long time, struct tm *to) {
  long long day = (time - (time < 0) * 86399) / 86400 + 719468;
  long long era = (day - (day < 0) * 146096) / 146097;
  unsigned second = (unsigned)(time - (day - 719468) * 86400), of_era = (unsigned)(day - era * 146097);
  unsigned years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  unsigned of_year = of_era - (365 * years + years / 4 - years / 100), month = (5 * of_year + 2) / 153;
  int is_late = month >= 10, is_leap = (years % 4 == 0) & ((years % 100 != 0) | (years == 0));
  long long year = years + era * 400 + is_late;
  if ((year > 2147485547) | (year < -2147481748)) return 0;
  to->tm_sec = second % 60;
  to->tm_min = second / 60 % 60;
  to->tm_hour = second / 3600;
  to->tm_mday = of_year - (153 * month + 2) / 5 + 1;
  to->tm_mon = month + 2 - 12 * is_late;
  to->tm_year = (int)(year - 1900);
  to->tm_wday = (of_era + 3) % 7;
  to->tm_yday = is_late ? of_year - 306 : of_year + 59 + is_leap;
  to->tm_isdst = 0;
  /* These are facts, which who reads need not find out. */
  __VERIFIER_assume((to->tm_sec >= 0) & (to->tm_sec <= 59) & (to->tm_min >= 0) & (to->tm_min <= 59)
                    & (to->tm_hour >= 0) & (to->tm_hour <= 23) & (to->tm_mday >= 1) & (to->tm_mday <= 31)
                    & (to->tm_mon >= 0) & (to->tm_mon <= 11) & (to->tm_wday >= 0) & (to->tm_wday <= 6)
                    & (to->tm_yday >= 0) & (to->tm_yday <= 365));
  return to;
}

/* Seconds that are added to UTC.  What summer time changes is not known, nor when. */
static long zone;
static _Bool is_known;

static long offset(void) {
  if (!is_known) {
    zone = __VERIFIER_nondet_long();
    __VERIFIER_assume(zone >= -89999 && zone <= 89999);
    is_known = 1;
  }
  return zone + __VERIFIER_zone_change();
}

static char zone_name[8];
static struct tm shared;
static char shared_text[128];

static struct tm *local(long time, struct tm *to) {
  long seconds;
  if (((long long)time > 1LL << 60) | ((long long)time < -(1LL << 60))) return 0;
  seconds = offset();
  if (!calendar((long long)time + seconds, to)) return 0;
  to->hardbop_tm_gmtoff = seconds;
  to->hardbop_tm_zone = zone_name;
  if (__VERIFIER_zone_change()) to->tm_isdst = 1;
  return to;
}

struct tm *localtime_r(const long *time, struct tm *to) { return local(*time, to); }
struct tm *localtime(const long *time) { return local(*time, &shared); }

struct tm *gmtime_r(const long *time, struct tm *to) {
  if (!calendar(*time, to)) return 0;
  to->hardbop_tm_gmtoff = 0;
  to->hardbop_tm_zone = "GMT";
  return to;
}

struct tm *gmtime(const long *time) { return gmtime_r(time, &shared); }

/* The time of a calendar whose members need not be in their ranges. */
static long long time_of(const struct tm *from) {
  long long month = from->tm_mon, years = (month >= 0 ? month : month - 11) / 12;
  long long day = day_of(from->tm_year + years, (int)(month - years * 12), 1) + from->tm_mday - 1;
  return day * 86400 + from->tm_hour * 3600LL + from->tm_min * 60LL + from->tm_sec;
}

long timegm(struct tm *at) {
  long long time = time_of(at);
  if (time != (long)time || !calendar(time, at)) return -1;
  at->hardbop_tm_gmtoff = 0;
  at->hardbop_tm_zone = "GMT";
  return (long)time;
}

/* Where it is said to be summer time in a zone that has none, versions of glibc differ. */
long mktime(struct tm *at) {
  long long time;
  if (at->tm_isdst > 0) __undecided_the_time_of_a_calendar_with_summer_time();
  time = time_of(at) - offset();
  if (time != (long)time || !local((long)time, at)) return -1;
  return (long)time;
}

long timelocal(struct tm *at) { return mktime(at); }

/* Exact where no more than 63 bits count: then it is rounded once. */
double difftime(long end, long start) {
  long long most = 1LL << 62;
  if (end > most || end < -most || start > most || start < -most) __undecided_the_difference_of_such_times();
  return (double)((long long)end - start);
}

/* Texts of other calendars are not known: an execution stops.  Of one that is filled with zeros, the day is 0. */
static void fill_unknown(char *to, hardbop_size size) {
  char any[128];
  if (__VERIFIER_unknown_long()) any[0] = 0;
  memcpy(to, any, size);
  to[size - 1] = 0;
}

static char *text_of(const struct tm *from, char *to, hardbop_size size) {
  const char *days = "SunMonTueWedThuFriSat", *months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  int k, year = from->tm_year;
  if (!((from->tm_wday >= 0) & (from->tm_wday <= 6) & (from->tm_mon >= 0) & (from->tm_mon <= 11) & (from->tm_mday >= 0)
        & (from->tm_mday <= 31) & (from->tm_hour >= 0) & (from->tm_hour <= 23) & (from->tm_min >= 0)
        & (from->tm_min <= 59) & (from->tm_sec >= 0) & (from->tm_sec <= 60) & (year >= -900) & (year <= 8099))) {
    fill_unknown(to, size);
    return __VERIFIER_unknown_long() ? to : 0;
  }
  year += 1900;
  for (k = 0; k < 3; k++) {
    to[k] = days[3 * from->tm_wday + k];
    to[4 + k] = months[3 * from->tm_mon + k];
  }
  to[3] = to[7] = to[10] = to[19] = ' ';
  to[8] = from->tm_mday < 10 ? ' ' : (char)('0' + from->tm_mday / 10);
  to[9] = (char)('0' + from->tm_mday % 10);
  to[11] = (char)('0' + from->tm_hour / 10);
  to[12] = (char)('0' + from->tm_hour % 10);
  to[13] = to[16] = ':';
  to[14] = (char)('0' + from->tm_min / 10);
  to[15] = (char)('0' + from->tm_min % 10);
  to[17] = (char)('0' + from->tm_sec / 10);
  to[18] = (char)('0' + from->tm_sec % 10);
  to[20] = (char)('0' + year / 1000);
  to[21] = (char)('0' + year / 100 % 10);
  to[22] = (char)('0' + year / 10 % 10);
  to[23] = (char)('0' + year % 10);
  for (k = 0; k < 24; k++) __VERIFIER_assume(to[k] != 0);
  to[24] = '\n';
  to[25] = 0;
  return to;
}

char *asctime_r(const struct tm *from, char *to) { return text_of(from, to, 26); }
char *asctime(const struct tm *from) { return text_of(from, shared_text, 128); }

char *ctime_r(const long *time, char *to) {
  struct tm at;
  return local(*time, &at) ? text_of(&at, to, 26) : 0;
}

char *ctime(const long *time) { return local(*time, &shared) ? text_of(&shared, shared_text, 128) : 0; }
