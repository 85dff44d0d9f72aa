//! The parts of a harness that are the same for all programs.

use std::fmt::Write as _;

use crate::program::c::flow::{Flow, Function, Violation};

/// Exit code of a harness that reaches the error.
pub const ERROR_CODE: i32 = 107;
/// Exit code of a harness in which an assumption is false.
pub const ASSUMPTION_CODE: i32 = 108;
/// Exit code of a harness that asks for more values than the execution had.
pub const MISSING_CODE: i32 = 109;

/// The comment at the start.
pub(super) fn usage(flow: &Flow, name: &str, violation: Violation) -> String {
    let word = flow.types.model.word();
    let arithmetic = match violation {
        Violation::Reached => "-fwrapv",
        Violation::Overflow => OVERFLOW_OPTIONS,
        Violation::OutOfBounds | Violation::Null => ACCESS_OPTIONS,
    };
    format!(
        "A run of {name} into its error, as a program ({word}-bit pointers and long).
   Compile: gcc -std=gnu11 -w -O0 -m{word} {arithmetic} -fno-builtin -fno-strict-aliasing harness.c
   (without a C library: -nostdlib -static -fno-pie -fno-stack-protector -DHARDBOP_FREESTANDING)
   At the error it exits with {ERROR_CODE}; with {ASSUMPTION_CODE} where an assumption is false, \
         with {MISSING_CODE} where it
   goes another way and asks for more values."
    )
}

/// How gcc finds an overflow, in place of `-fwrapv`.
pub const OVERFLOW_OPTIONS: &str =
    "-fsanitize=signed-integer-overflow,shift -fno-sanitize-recover=all";

/// How gcc finds an access that is not within an object.  What the address sanitizer finds ends the
/// program with an exit code of its own.
pub const ACCESS_OPTIONS: &str = "-fsanitize=address,bounds-strict,null -fno-sanitize-recover=all";

/// What it calls then.
pub(super) const SANITIZER: &str = include_str!("sanitizer.c");

/// Functions that the head and the insertions use.
pub(super) const PRELUDE: &str = include_str!("prelude.c");

/// For programs that are not linked with gcc's library.
/// Blocks of memory whose contents are given.
pub(super) const HEAP: &str = include_str!("heap.c");
const START: &str = include_str!("start.c");
const DIVIDE: &str = include_str!("divide.c");

/// Library functions for programs that are not linked with the C library: name and definition.
const LIBRARY: &[(&str, &str)] = &[
    ("exit", "void hardbop_l_exit(int code) { hardbop_exit(code); }"),
    ("_exit", "void hardbop_l__exit(int code) { hardbop_exit(code); }"),
    ("abort", "void hardbop_l_abort(void) { hardbop_exit(134); }"),
    (
        "malloc",
        "void *hardbop_l_malloc(hardbop_size size) {
  static unsigned char heap[1 << 26] __attribute__((aligned(16)));
  static hardbop_size used;
  unsigned char *block = heap + used + 16;
  *(hardbop_size *)(block - 16) = size;
  used += (size + 31) / 16 * 16 + 16;
  return block;
}",
    ),
    (
        "calloc",
        "void *hardbop_l_calloc(hardbop_size a, hardbop_size b) { return hardbop_l_malloc(a * b); }",
    ),
    ("free", "void hardbop_l_free(void *block) { }"),
    (
        "realloc",
        "void *hardbop_l_realloc(void *old, hardbop_size size) {
  unsigned char *block = hardbop_l_malloc(size);
  hardbop_size i;
  if (old)
    for (i = 0; i < size && i < *(hardbop_size *)((unsigned char *)old - 16); i++)
      block[i] = ((unsigned char *)old)[i];
  return block;
}",
    ),
    (
        "memset",
        "void *hardbop_l_memset(void *a, int c, hardbop_size n) {
  hardbop_size i;
  for (i = 0; i < n; i++) ((volatile unsigned char *)a)[i] = c;
  return a;
}",
    ),
    (
        "memcpy",
        "void *hardbop_l_memcpy(void *a, const void *b, hardbop_size n) {
  hardbop_size i;
  for (i = 0; i < n; i++) ((volatile unsigned char *)a)[i] = ((const unsigned char *)b)[i];
  return a;
}",
    ),
    (
        "memmove",
        "void *hardbop_l_memmove(void *a, const void *b, hardbop_size n) {
  hardbop_size i;
  if (a < b) for (i = 0; i < n; i++) ((volatile char *)a)[i] = ((const char *)b)[i];
  else for (i = n; i-- > 0;) ((volatile char *)a)[i] = ((const char *)b)[i];
  return a;
}",
    ),
    (
        "memcmp",
        "int hardbop_l_memcmp(const void *a, const void *b, hardbop_size n) {
  const unsigned char *x = a, *y = b;
  for (; n; n--, x++, y++) if (*x != *y) return *x < *y ? -1 : 1;
  return 0;
}",
    ),
    (
        "strlen",
        "hardbop_size hardbop_l_strlen(const char *a) {
  hardbop_size n = 0;
  while (((const volatile char *)a)[n]) n++;
  return n;
}",
    ),
    (
        "strcpy",
        "char *hardbop_l_strcpy(char *a, const char *b) {
  hardbop_size i = 0;
  do a[i] = b[i]; while (b[i++]);
  return a;
}",
    ),
    (
        "strcat",
        "char *hardbop_l_strcat(char *a, const char *b) {
  hardbop_size n = 0, i = 0;
  while (a[n]) n++;
  do a[n + i] = b[i]; while (b[i++]);
  return a;
}",
    ),
    (
        "strncpy",
        "char *hardbop_l_strncpy(char *a, const char *b, hardbop_size n) {
  hardbop_size i = 0;
  for (; i < n && b[i]; i++) a[i] = b[i];
  for (; i < n; i++) a[i] = 0;
  return a;
}",
    ),
    (
        "strcmp",
        "int hardbop_l_strcmp(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *(const unsigned char *)a - *(const unsigned char *)b;
}",
    ),
    (
        "strncmp",
        "int hardbop_l_strncmp(const char *a, const char *b, hardbop_size n) {
  for (; n && *a && *a == *b; n--) a++, b++;
  return n ? *(const unsigned char *)a - *(const unsigned char *)b : 0;
}",
    ),
    (
        "strchr",
        "char *hardbop_l_strchr(const char *a, int c) {
  for (; *a != (char)c; a++) if (!*a) return 0;
  return (char *)a;
}",
    ),
    ("abs", "int hardbop_l_abs(int a) { return a < 0 ? -a : a; }"),
    ("labs", "long hardbop_l_labs(long a) { return a < 0 ? -a : a; }"),
    ("llabs", "long long hardbop_l_llabs(long long a) { return a < 0 ? -a : a; }"),
    ("printf", "int hardbop_l_printf(const char *a, ...) { return 0; }"),
    ("puts", "int hardbop_l_puts(const char *a) { return 0; }"),
    ("putchar", "int hardbop_l_putchar(int a) { return 0; }"),
    ("fprintf", "int hardbop_l_fprintf(void *f, const char *a, ...) { return 0; }"),
    ("fflush", "int hardbop_l_fflush(void *f) { return 0; }"),
    ("perror", "void hardbop_l_perror(const char *a) { }"),
];

/// Whether the C library, or its stand-in, has the function.
pub(super) fn in_library(name: &str) -> bool {
    LIBRARY.iter().any(|(known, _)| *known == name)
}

/// What stands before the program: where it does not start with its `main`, that is a function as others.
pub(super) fn start(flow: &Flow) -> &'static str {
    match flow.functions[flow.main.0 as usize].name.as_str() {
        "main" => "",
        _ => "#define main hardbop_main",
    }
}

/// What follows the program: the start of a program without a C library, and its functions.
pub(super) fn tail(flow: &Flow) -> String {
    let mut out = String::new();
    let main = &flow.functions[flow.main.0 as usize].name;
    if main != "main" {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "#undef main\nint hardbop_entry(void) __asm__(\"main\");");
        let _ = writeln!(out, "int hardbop_entry(void) {{ ((void (*)()){main})(); return 0; }}");
    }
    out.push_str("#ifdef HARDBOP_FREESTANDING\ntypedef __SIZE_TYPE__ hardbop_size;\n");
    for (name, definition) in LIBRARY {
        let given = |f: &Function| f.body.is_some() && !f.is_convention();
        if flow.functions.iter().any(|f| f.name == *name && given(f)) {
            // The others may still want to call it.
            if *name == "malloc" {
                out.push_str(&definition.replacen("void", "static void", 1));
                out.push('\n');
            }
            continue;
        }
        let head = definition.split('{').next().unwrap_or("").trim_end();
        let _ = writeln!(out, "{head} __asm__(\"{name}\");\n{definition}");
    }
    out.push_str(START);
    out.push_str(DIVIDE);
    out.push_str("#endif\n");
    out
}
