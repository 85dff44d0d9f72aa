/* Translations (libintl.h) in the locale "C": the message itself.  Names of domains and folders are any texts that are shorter
   than 256 characters, or null. */
_Bool __VERIFIER_nondet_bool(void);
void *memcpy(void *to, const void *from, hardbop_size size);

static char known[256];

static char *any_name(void) {
  char any[256];
  memcpy(known, any, sizeof any);
  known[255] = 0;
  return __VERIFIER_nondet_bool() ? known : 0;
}

char *textdomain(const char *domain) { return any_name(); }
char *bindtextdomain(const char *domain, const char *folder) { return any_name(); }
char *bind_textdomain_codeset(const char *domain, const char *code) { return any_name(); }
char *gettext(const char *message) { return (char *)message; }

char *dgettext(const char *domain, const char *message) { return (char *)message; }

char *dcgettext(const char *domain, const char *message, int category) { return (char *)message; }

char *ngettext(const char *one, const char *more, unsigned long number) {
  return (char *)(number == 1 ? one : more);
}

char *dngettext(const char *domain, const char *one, const char *more, unsigned long number) {
  return (char *)(number == 1 ? one : more);
}

char *dcngettext(const char *domain, const char *one, const char *more, unsigned long number, int category) {
  return (char *)(number == 1 ? one : more);
}
