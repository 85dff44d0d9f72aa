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
