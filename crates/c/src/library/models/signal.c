/* Signals (C11, 7.14; POSIX.1-2017, signal.h) of a program without threads: actions, the mask, and which one comes.  Where the
   program can tell, also before and behind each call of one of these functions outside of handlers, it calls __signals_come
   (crates/c/src/signals); where it does not, handlers of the program are left undecided. */
typedef void (*signal_handler)(int);
struct action {
  signal_handler handler;
  unsigned long mask[128 / sizeof(long)];
  int flags;
  void (*restorer)(void);
};
void __undecided_a_signal_handler_of_the_program(void);
void __undecided_signal_handlers_that_interrupt_each_other(void);
void __undecided_a_signal_that_may_interrupt_its_own_handler(void);
void __undecided_a_signal_that_is_blocked_when_it_is_raised(void);
void __undecided_a_signal_in_the_midst_of_a_copy_or_a_call_of_the_library(void);
void __undecided_a_jump_out_of_a_signal_handler(void);
void __undecided_a_signal_in_the_handler_of_another(void);
void __undecided_the_signal_mask_in_a_signal_handler(void);
void __undecided_more_signals_than_are_followed(void);
_Bool __VERIFIER_nondet_bool(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int condition);
void abort(void);
int *__errno_location(void);

/* The signals that the program has asked about, with what they do; it begins with what it was started with. */
enum { MOST = 32, WORD = 8 * sizeof(long) };
static unsigned char numbers[MOST];
static signal_handler actions[MOST];
/* With which flags and masks they were set; what masks do nothing reads, as other signals do not come in handlers. */
static int flags_of[MOST];
static unsigned long long masks[MOST];
static int count, caught;
/* By number, from the lowest bit on: those whose handlers run once, those whose handlers are told more (SA_SIGINFO), and those that
   are blocked. */
static unsigned long long once, told, blocked;

static int is_handler(signal_handler action) {
  return action != (signal_handler)0 && action != (signal_handler)1;
}

static int is_fixed(int number) {
  return number < 1 || number > 64 || number == 9 || number == 19 || number == 32 || number == 33;
}

/* Whether a signal without a handler does not end the program, on Linux: it is ignored, or stops it until somebody has it go on. */
static int is_harmless(int number) {
  return number == 17 || number == 18 || number == 23 || number == 28 || (number >= 19 && number <= 22);
}

static unsigned long long bit(int number) { return 1ULL << (number - 1); }

/* The signal whose handler runs, which does not come meanwhile; and whether it was raised there, so that it comes behind. */
static int current;
static char is_pending;

/* Where the action of a signal is. */
static int find(int number) {
  int i;
  for (i = 0; i < count; i++)
    if (numbers[i] == number) return i;
  if (count == MOST) __undecided_more_signals_than_are_followed();
  numbers[count] = (unsigned char)number;
  actions[count] = (signal_handler)__VERIFIER_nondet_bool();
  return count++;
}

/* The action of a signal that comes, which is another one afterwards if its handler runs once. */
static signal_handler taken(int which) {
  signal_handler handler = actions[which];
  if (is_handler(handler) && once & bit(numbers[which])) {
    actions[which] = (signal_handler)0;
    caught--;
  }
  return handler;
}

static void a_signal(int number, signal_handler handler) {
  do {
    current = number;
    is_pending = 0;
    if (told & bit(number)) {
      /* siginfo_t, of which the first member is known, and ucontext_t. */
      int info[32];
      long context[128];
      info[0] = number;
      ((void (*)(int, void *, void *))handler)(number, info, context);
    } else handler(number);
    current = 0;
    handler = is_pending ? taken(find(number)) : (signal_handler)1;
    if (handler == (signal_handler)0 && !is_harmless(number)) abort();
  } while (is_handler(handler));
}

/* One signal comes. */
static void a_signal_comes(void) {
  unsigned which = __VERIFIER_nondet_uint();
  int number;
  signal_handler handler;
  __VERIFIER_assume(which < (unsigned)count);
  number = numbers[which];
  __VERIFIER_assume(!(blocked & bit(number)) && is_handler(actions[which]));
  handler = taken(which);
  a_signal(number, handler);
}

/* Any signals come, or none. */
void __signals_come(void) {
  if (current) __undecided_a_jump_out_of_a_signal_handler();
  while (caught && __VERIFIER_nondet_bool()) a_signal_comes();
}

/* The same in the midst of what is one access here. */
void __signals_come_amid(void) {
  if (caught) __undecided_a_signal_in_the_midst_of_a_copy_or_a_call_of_the_library();
}

static signal_handler set(int number, signal_handler action, int flags, unsigned long long mask) {
  int which = find(number);
  signal_handler before;
  before = actions[which];
  actions[which] = action;
  flags_of[which] = flags;
  masks[which] = mask & ~(bit(9) | bit(19));
  /* One that is ignored does not come later. */
  if (number == current && (action == (signal_handler)1 || (action == (signal_handler)0 && is_harmless(number)))) is_pending = 0;
  once = flags & (int)0x80000000 ? once | bit(number) : once & ~bit(number);
  told = flags & 4 ? told | bit(number) : told & ~bit(number);
  if (is_handler(action)) {
    __undecided_a_signal_handler_of_the_program();
    if (!is_handler(before)) caught++;
    if (caught > 1) __undecided_signal_handlers_that_interrupt_each_other();
  } else if (is_handler(before)) caught--;
  return before;
}

signal_handler signal(int number, signal_handler action) {
  if (is_fixed(number)) return (signal_handler)-1;
  return set(number, action, 0x10000000, bit(number));
}

signal_handler bsd_signal(int number, signal_handler action) { return signal(number, action); }

/* The first 64 signals of a set. */
static unsigned long long in(const unsigned long *set) {
  return WORD == 64 ? set[0] : set[0] | (unsigned long long)set[1] << 16 << 16;
}

static void put(unsigned long *set, unsigned long long mask) {
  unsigned i;
  for (i = 0; i < 128 / sizeof(long); i++) set[i] = 0;
  set[0] = (unsigned long)mask;
  if (WORD == 32) set[1] = (unsigned long)(mask >> 32);
}

int sigaction(int number, const struct action *action, struct action *before) {
  signal_handler old = (signal_handler)0;
  int flags = 0;
  unsigned long long mask = 0;
  if (number < 1 || number > 64 || number == 32 || number == 33 || (action && is_fixed(number))) return -1;
  if (before && !is_fixed(number)) {
    int which = find(number);
    old = actions[which];
    /* Where there is a restorer, which the library adds, a flag says so. */
    flags = flags_of[which] && __VERIFIER_nondet_bool() ? flags_of[which] | 0x04000000 : flags_of[which];
    mask = masks[which];
  }
  if (action) {
    if (is_handler(action->handler) && action->flags & 0x40000000) __undecided_a_signal_that_may_interrupt_its_own_handler();
    set(number, action->handler, action->flags, in(action->mask));
  }
  if (before) {
    struct action any;
    *before = any;
    before->handler = old;
    before->flags = flags;
    put(before->mask, mask);
  }
  return 0;
}

int sigemptyset(unsigned long *set) {
  put(set, 0);
  return 0;
}

int sigfillset(unsigned long *set) {
  unsigned i;
  for (i = 0; i < 128 / sizeof(long); i++) set[i] = -1UL;
  /* 32 and 33 are glibc's own. */
  set[31 / WORD] &= ~(1UL << 31 % WORD);
  set[32 / WORD] &= ~(1UL << 32 % WORD);
  return 0;
}

int sigaddset(unsigned long *set, int number) {
  if (number < 1 || number > 64 || number == 32 || number == 33) return -1;
  set[(number - 1) / WORD] |= 1UL << (number - 1) % WORD;
  return 0;
}

int sigdelset(unsigned long *set, int number) {
  if (number < 1 || number > 64 || number == 32 || number == 33) return -1;
  set[(number - 1) / WORD] &= ~(1UL << (number - 1) % WORD);
  return 0;
}

int sigismember(const unsigned long *set, int number) {
  if (number < 1 || number > 64) return -1;
  return set[(number - 1) / WORD] >> (number - 1) % WORD & 1;
}

int sigprocmask(int how, const unsigned long *set, unsigned long *before) {
  unsigned long long old = blocked;
  if (current) __undecided_the_signal_mask_in_a_signal_handler();
  if (set) {
    if (how < 0 || how > 2) return -1;
    blocked = how == 2 ? in(set) : how ? old & ~in(set) : old | in(set);
    blocked &= ~(bit(9) | bit(19));
  }
  if (before) {
    put(before, old);
  }
  return 0;
}

int pthread_sigmask(int how, const unsigned long *set, unsigned long *before) { return sigprocmask(how, set, before); }

/* Waits until a handler has run; other signals end the program, or change nothing. */
int pause(void) {
  if (current) __undecided_a_signal_in_the_handler_of_another();
  a_signal_comes();
  *__errno_location() = 4;
  return -1;
}

int sigsuspend(const unsigned long *set) {
  unsigned long before[128 / sizeof(long)];
  if (current) __undecided_a_signal_in_the_handler_of_another();
  sigprocmask(2, set, before);
  a_signal_comes();
  sigprocmask(2, before, 0);
  *__errno_location() = 4;
  return -1;
}

int raise(int number) {
  int which;
  signal_handler handler;
  if (number < 0 || number > 64) return -1;
  if (number == 0 || number == 19) return 0;
  if (number != 9) {
    which = find(number);
    if (current && current != number) __undecided_a_signal_in_the_handler_of_another();
    if (current) {
      if (actions[which] == (signal_handler)0 && is_harmless(number)) return 0;
      is_pending = 1;
      return 0;
    }
    if (blocked & bit(number)) __undecided_a_signal_that_is_blocked_when_it_is_raised();
    handler = taken(which);
    if (handler == (signal_handler)1) return 0;
    if (is_handler(handler)) {
      a_signal(number, handler);
      return 0;
    }
    if (is_harmless(number)) return 0;
  }
  abort();
}
