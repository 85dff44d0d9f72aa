//! Memory that passes between the program and functions of the library without a model.

/// Functions of the library whose results are pointers to memory that the library keeps.
const LENT: [&str; 24] = [
    "asctime",
    "basename",
    "ctime",
    "dirname",
    "dlerror",
    "gai_strerror",
    "getgrgid",
    "getgrnam",
    "gethostbyname",
    "getlogin",
    "getpwnam",
    "getpwuid",
    "gmtime",
    "hstrerror",
    "inet_ntoa",
    "inet_ntop",
    "localeconv",
    "localtime",
    "nl_langinfo",
    "readdir",
    "setlocale",
    "strerror",
    "strsignal",
    "ttyname",
];

/// Those that keep pointers which they are given.
const KEEPING: [&str; 4] = ["setbuf", "setbuffer", "setvbuf", "sigaltstack"];

/// Whether the function's result points to memory that stays the library's, so that a call makes no block of the program.
#[must_use]
pub fn lends(name: &str) -> bool {
    LENT.contains(&name)
}

/// Whether the library still uses what the function was given when a call has returned.
#[must_use]
pub fn keeps(name: &str) -> bool {
    KEEPING.contains(&name)
}
