/* getopt (POSIX).  The GNU C library takes options behind operands first, which is left undecided. */
void __undecided_options_behind_operands(void);

char *optarg;
int optind = 1, opterr = 1, optopt = '?';
static char *rest;

int getopt(int argc, char *const argv[], const char *options) {
  hardbop_size i = 0;
  int c;
  optarg = 0;
  if (!optind) {
    optind = 1;
    rest = 0;
  }
  /* Operands as arguments of an option 1. */
  if (options[0] == '-') __undecided_options_behind_operands();
  if (options[0] == '+') i++;
  if (!rest || !*rest) {
    char *text;
    if (optind >= argc || !argv[optind]) return -1;
    text = argv[optind];
    if (text[0] != '-' || !text[1]) {
      int k;
      for (k = optind + 1; k < argc; k++)
        if (options[0] != '+' && argv[k][0] == '-' && argv[k][1]) __undecided_options_behind_operands();
      return -1;
    }
    if (text[1] == '-' && !text[2]) {
      optind++;
      return -1;
    }
    rest = text + 1;
  }
  c = *rest;
  rest++;
  while (options[i] && (options[i] != c || c == ':' || c == ';')) i++;
  if (c == 'W' && options[i] && options[i + 1] == ';') __undecided_options_behind_operands();
  if (!options[i]) {
    optopt = c;
    if (!*rest) optind++;
    return '?';
  }
  if (options[i + 1] != ':') {
    if (!*rest) optind++;
    return c;
  }
  optind++;
  if (*rest) {
    optarg = rest;
  } else if (options[i + 2] != ':') {
    if (optind >= argc) {
      optopt = c;
      rest = 0;
      return options[0] == ':' || (options[0] == '+' && options[1] == ':') ? ':' : '?';
    }
    optarg = argv[optind];
    optind++;
  }
  rest = 0;
  return c;
}

struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};

/* Long options (GNU C library): a name may be shortened as long as it is that of one option. */
static int long_option(int argc, char *const argv[], const char *options, const struct option *all, int *index) {
  const char *name = argv[optind] + 2;
  hardbop_size length = 0;
  int i, found = -1, is_exact = 0, is_ambiguous = 0;
  while (name[length] && name[length] != '=') length++;
  for (i = 0; all[i].name && !is_exact; i++) {
    hardbop_size k = 0;
    while (k < length && all[i].name[k] == name[k]) k++;
    if (k < length) continue;
    if (!all[i].name[k]) {
      is_exact = 1;
      found = i;
    } else if (found < 0) {
      found = i;
    } else if (all[i].has_arg != all[found].has_arg || all[i].flag != all[found].flag || all[i].val != all[found].val) {
      is_ambiguous = 1;
    }
  }
  optind++;
  rest = 0;
  optopt = 0;
  if (found < 0 || (is_ambiguous && !is_exact)) return '?';
  if (name[length]) {
    if (!all[found].has_arg) {
      optopt = all[found].val;
      return '?';
    }
    optarg = (char *)name + length + 1;
  } else if (all[found].has_arg == 1) {
    if (optind >= argc) {
      optopt = all[found].val;
      return options[0] == ':' || (options[0] == '+' && options[1] == ':') ? ':' : '?';
    }
    optarg = argv[optind];
    optind++;
  }
  if (index) *index = found;
  if (all[found].flag) {
    *all[found].flag = all[found].val;
    return 0;
  }
  return all[found].val;
}

int getopt_long(int argc, char *const argv[], const char *options, const struct option *all, int *index) {
  if (!optind) {
    optind = 1;
    rest = 0;
  }
  if ((!rest || !*rest) && optind < argc && argv[optind] && argv[optind][0] == '-' && argv[optind][1] == '-' && argv[optind][2]) {
    if (options[0] == '-') __undecided_options_behind_operands();
    optarg = 0;
    return long_option(argc, argv, options, all, index);
  }
  return getopt(argc, argv, options);
}
