/* strftime (C11, 7.27.3.5) in the locale "C", and strptime (POSIX) of numbers.  What depends on time zones, and numbers that are
   out of their ranges, are left undecided. */
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
void __undecided_a_date_out_of_range(void);
void __undecided_a_conversion_of_a_date(void);
void __undecided_a_part_of_a_date(void);

/* What a conversion is short for. */
static const char *long_for(char conversion) {
  switch (conversion) {
    case 'c': return "%a %b %e %H:%M:%S %Y";
    case 'D': case 'x': return "%m/%d/%y";
    case 'F': return "%Y-%m-%d";
    case 'R': return "%H:%M";
    case 'r': return "%I:%M:%S %p";
    case 'T': case 'X': return "%H:%M:%S";
  }
  return 0;
}

static hardbop_size put(char *to, hardbop_size most, hardbop_size n, char c) {
  if (n + 1 < most) to[n] = c;
  return n + 1;
}

static hardbop_size put_two(char *to, hardbop_size most, hardbop_size n, int number, char before) {
  if (number < 0 || number > 99) __undecided_a_date_out_of_range();
  n = put(to, most, n, number < 10 ? before : (char)('0' + number / 10));
  return put(to, most, n, (char)('0' + number % 10));
}

static hardbop_size put_name(char *to, hardbop_size most, hardbop_size n, const char *names, int number, int count, int is_whole) {
  int k = 0;
  if (number < 0 || number >= count) __undecided_a_date_out_of_range();
  for (; number; names++)
    if (*names == ' ') number--;
  for (; names[k] != ' ' && (is_whole || k < 3); k++) n = put(to, most, n, names[k]);
  return n;
}

hardbop_size strftime(char *to, hardbop_size most, const char *format, const struct tm *from) {
  const char *days = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday ";
  const char *months = "January February March April May June July August September October November December ";
  const char *back = 0;
  hardbop_size n = 0;
  for (;;) {
    if (!*format) {
      if (!back) break;
      format = back;
      back = 0;
      continue;
    }
    if (*format != '%') {
      n = put(to, most, n, *format++);
      continue;
    }
    format++;
    if (!back && long_for(*format)) {
      back = format + 1;
      format = long_for(*format);
      continue;
    }
    switch (*format++) {
      case 'A': n = put_name(to, most, n, days, from->tm_wday, 7, 1); break;
      case 'a': n = put_name(to, most, n, days, from->tm_wday, 7, 0); break;
      case 'B': n = put_name(to, most, n, months, from->tm_mon, 12, 1); break;
      case 'b': case 'h': n = put_name(to, most, n, months, from->tm_mon, 12, 0); break;
      case 'C':
        if (from->tm_year < -900 || from->tm_year > 8099) __undecided_a_date_out_of_range();
        n = put_two(to, most, n, (from->tm_year + 1900) / 100, '0');
        break;
      case 'd': n = put_two(to, most, n, from->tm_mday, '0'); break;
      case 'e': n = put_two(to, most, n, from->tm_mday, ' '); break;
      case 'H': n = put_two(to, most, n, from->tm_hour, '0'); break;
      case 'I':
        if (from->tm_hour < 0 || from->tm_hour > 23) __undecided_a_date_out_of_range();
        n = put_two(to, most, n, (from->tm_hour + 11) % 12 + 1, '0');
        break;
      case 'j':
        if (from->tm_yday < 0 || from->tm_yday > 365) __undecided_a_date_out_of_range();
        n = put(to, most, n, (char)('0' + (from->tm_yday + 1) / 100));
        n = put_two(to, most, n, (from->tm_yday + 1) % 100, '0');
        break;
      case 'M': n = put_two(to, most, n, from->tm_min, '0'); break;
      case 'm':
        if (from->tm_mon < 0 || from->tm_mon > 11) __undecided_a_date_out_of_range();
        n = put_two(to, most, n, from->tm_mon + 1, '0');
        break;
      case 'n': n = put(to, most, n, '\n'); break;
      case 'p':
        if (from->tm_hour < 0 || from->tm_hour > 23) __undecided_a_date_out_of_range();
        n = put(to, most, n, from->tm_hour < 12 ? 'A' : 'P');
        n = put(to, most, n, 'M');
        break;
      case 'S': n = put_two(to, most, n, from->tm_sec, '0'); break;
      case 't': n = put(to, most, n, '\t'); break;
      case 'u':
      case 'w':
        if (from->tm_wday < 0 || from->tm_wday > 6) __undecided_a_date_out_of_range();
        n = put(to, most, n, (char)('0' + (format[-1] == 'u' && !from->tm_wday ? 7 : from->tm_wday)));
        break;
      case 'Y':
        if (from->tm_year < -900 || from->tm_year > 8099) __undecided_a_date_out_of_range();
        n = put_two(to, most, n, (from->tm_year + 1900) / 100, '0');
        n = put_two(to, most, n, (from->tm_year + 1900) % 100, '0');
        break;
      case 'y':
        if (from->tm_year < -1900 || from->tm_year > 8099) __undecided_a_date_out_of_range();
        n = put_two(to, most, n, (from->tm_year + 1900) % 100, '0');
        break;
      case '%': n = put(to, most, n, '%'); break;
      default: __undecided_a_conversion_of_a_date();
    }
  }
  if (n >= most) return 0;
  to[n] = 0;
  return n;
}

static int is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* A number of a range, behind blanks; -1 where there is none. */
static int read_number(const char **text, int least, int most, int digits) {
  const char *at = *text;
  int number = 0;
  while (*at == ' ') at++;
  if (*at < '0' || *at > '9') return -1;
  while (digits && number * 10 <= most && *at >= '0' && *at <= '9') {
    number = number * 10 + (*at++ - '0');
    digits--;
  }
  *text = at;
  return number < least || number > most ? -1 : number;
}

char *strptime(const char *text, const char *format, struct tm *to) {
  static const int before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  const char *back = 0;
  int number, has_year = 0, has_month = 0, has_day = 0;
  for (;;) {
    if (!*format) {
      if (!back) break;
      format = back;
      back = 0;
      continue;
    }
    if (is_blank(*format)) {
      while (is_blank(*text)) text++;
      format++;
      continue;
    }
    if (*format != '%' || *++format == '%') {
      if (*text++ != *format++) return 0;
      continue;
    }
    if (!back && (*format == 'D' || *format == 'F' || *format == 'R' || *format == 'T')) {
      back = format + 1;
      format = long_for(*format);
      continue;
    }
    switch (*format++) {
      case 'd': case 'e':
        if ((number = read_number(&text, 1, 31, 2)) < 0) return 0;
        to->tm_mday = number;
        has_day = 1;
        break;
      case 'H':
        if ((number = read_number(&text, 0, 23, 2)) < 0) return 0;
        to->tm_hour = number;
        break;
      case 'M':
        if ((number = read_number(&text, 0, 59, 2)) < 0) return 0;
        to->tm_min = number;
        break;
      case 'm':
        if ((number = read_number(&text, 1, 12, 2)) < 0) return 0;
        to->tm_mon = number - 1;
        has_month = 1;
        break;
      case 'n': case 't':
        while (is_blank(*text)) text++;
        break;
      case 'S':
        if ((number = read_number(&text, 0, 61, 2)) < 0) return 0;
        to->tm_sec = number;
        break;
      case 'Y':
        if ((number = read_number(&text, 0, 9999, 4)) < 0) return 0;
        to->tm_year = number - 1900;
        has_year = 1;
        break;
      default: __undecided_a_conversion_of_a_date();
    }
  }
  if (has_year || has_month || has_day) {
    int year = to->tm_year + 1899, is_leap;
    if (!has_year || !has_month || !has_day || year < 0) __undecided_a_part_of_a_date();
    is_leap = (year + 1) % 4 == 0 && ((year + 1) % 100 != 0 || (year + 1) % 400 == 0);
    to->tm_yday = before[to->tm_mon] + (to->tm_mon > 1 ? is_leap : 0) + to->tm_mday - 1;
    to->tm_wday = (year * 365 + year / 4 - year / 100 + year / 400 + to->tm_yday + 1) % 7;
  }
  return (char *)text;
}
