//! `stdio.h`, `signal.h`, `setjmp.h`, threads, files and processes.

use super::row::{accessing, answers, items, outside, refused, scans, transfers};
use crate::library::function::{Accesses, LibraryFunction};
use crate::library::link::Link;
use crate::library::prototype::Kind::{
    Arguments, Buffer, Format, Int, Long, Memory, Size, Stream, Text, Void,
};
use crate::library::table::{takes, takes_more};

/// The greatest `int`.
const INT: i64 = 0x7FFF_FFFF;

pub(super) static TABLE: &[LibraryFunction] = &[
    // stdio.h.
    scans(&["sscanf", "__isoc99_sscanf", "__isoc23_sscanf"], takes_more(Int, &[Text, Format])),
    // With a format that is known, what these store is an input of the program.
    LibraryFunction {
        link: Link::Scan,
        ..scans(&["scanf", "__isoc99_scanf", "__isoc23_scanf"], takes_more(Int, &[Format]))
    },
    LibraryFunction {
        link: Link::Scan,
        ..scans(
            &["fscanf", "__isoc99_fscanf", "__isoc23_fscanf"],
            takes_more(Int, &[Stream, Format]),
        )
    },
    scans(&["wscanf"], takes_more(Int, &[Memory])),
    scans(&["fwscanf", "swscanf"], takes_more(Int, &[Memory, Memory])),
    refused(&["vscanf", "vwscanf"], takes(Int, &[Text, Arguments])),
    refused(
        &["vfscanf", "vsscanf", "vfwscanf", "vswscanf", "__isoc99_vsscanf", "__isoc99_vfscanf"],
        takes(Int, &[Memory, Text, Arguments]),
    ),
    outside(&["wprintf", "vwprintf"], takes_more(Int, &[Memory]), &[]),
    outside(&["fwprintf", "vfwprintf"], takes_more(Int, &[Stream, Memory]), &[]),
    outside(&["swprintf", "vswprintf"], takes_more(Int, &[Memory, Size, Memory]), &[0]),
    outside(&["fopen", "fopen64", "popen"], takes(Memory, &[Text, Text]), &[]),
    outside(&["fdopen"], takes(Memory, &[Int, Text]), &[]),
    outside(&["freopen"], takes(Memory, &[Text, Text, Stream]), &[]),
    outside(&["tmpfile"], takes(Memory, &[]), &[]),
    answers(&["fclose", "fflush_unlocked"], takes(Int, &[Stream]), &[], (-1, 0)),
    answers(&["feof", "ferror"], takes(Int, &[Stream]), &[], (0, INT)),
    answers(&["fileno", "fgetwc", "getwc"], takes(Int, &[Stream]), &[], (-1, INT)),
    answers(&["pclose", "getw"], takes(Int, &[Stream]), &[], (-INT - 1, INT)),
    outside(&["clearerr", "rewind", "flockfile", "funlockfile"], takes(Void, &[Stream]), &[]),
    answers(&["ftell", "ftello"], takes(Long, &[Stream]), &[], (-1, INT)),
    answers(&["fseek", "fseeko"], takes(Int, &[Stream, Long, Int]), &[], (-1, 0)),
    outside(&["fgetpos"], takes(Int, &[Stream, Memory]), &[1]),
    outside(&["fsetpos"], takes(Int, &[Stream, Memory]), &[]),
    items(&["fread", "fread_unlocked"], takes(Size, &[Memory, Size, Size, Stream]), &[0]),
    outside(&["fwrite", "fwrite_unlocked"], takes(Size, &[Memory, Size, Size, Stream]), &[]),
    outside(
        &["ungetc", "ungetwc", "fputwc", "putwc", "putw", "fwide"],
        takes(Int, &[Int, Stream]),
        &[],
    ),
    outside(&["getwchar"], takes(Int, &[]), &[]),
    outside(&["putwchar", "putchar_unlocked"], takes(Int, &[Int]), &[]),
    outside(&["fputws"], takes(Int, &[Memory, Stream]), &[]),
    outside(&["setbuf", "setbuffer"], takes(Void, &[Stream, Buffer]), &[1]),
    outside(&["setvbuf"], takes(Int, &[Stream, Buffer, Int, Size]), &[1]),
    outside(&["remove", "unlink", "rmdir", "chdir", "unsetenv"], takes(Int, &[Text]), &[]),
    outside(&["rename", "link", "symlink"], takes(Int, &[Text, Text]), &[]),
    LibraryFunction {
        link: Link::Hosted,
        ..outside(&["asprintf"], takes_more(Int, &[Memory, Format]), &[0])
    },
    LibraryFunction {
        link: Link::Hosted,
        ..outside(&["vasprintf"], takes(Int, &[Memory, Format, Arguments]), &[0])
    },
    outside(&["dprintf"], takes_more(Int, &[Int, Format]), &[]),
    outside(&["vdprintf"], takes(Int, &[Int, Format, Arguments]), &[]),
    answers(&["mkstemp", "mkstemp64"], takes(Int, &[Buffer]), &[0], (-1, INT)),
    outside(&["mkdtemp", "mktemp", "tmpnam"], takes(Buffer, &[Buffer]), &[0]),
    outside(&["realpath"], takes(Buffer, &[Text, Buffer]), &[1]),
    refused(&["getline", "getdelim"], takes(Long, &[Memory, Memory, Stream])),
    refused(&["fmemopen", "open_memstream", "fopencookie"], takes(Memory, &[Memory, Size, Text])),
    // Files and sockets.
    answers(&["open", "open64", "creat"], takes_more(Int, &[Text, Int]), &[], (-1, INT)),
    answers(&["openat"], takes_more(Int, &[Int, Text, Int]), &[], (-1, INT)),
    answers(&["close", "fsync", "fdatasync", "fchdir"], takes(Int, &[Int]), &[], (-1, 0)),
    answers(&["isatty"], takes(Int, &[Int]), &[], (0, 1)),
    answers(&["dup"], takes(Int, &[Int]), &[], (-1, INT)),
    answers(&["umask"], takes(Int, &[Int]), &[], (0, 0o777)),
    answers(
        &["listen", "shutdown", "ftruncate", "fchmod", "setpgid"],
        takes(Int, &[Int, Long]),
        &[],
        (-1, 0),
    ),
    answers(&["dup2"], takes(Int, &[Int, Long]), &[], (-1, INT)),
    outside(&["getpriority"], takes(Int, &[Int, Long]), &[]),
    // Of a small constant size, what they deliver is an input of the program.
    LibraryFunction {
        link: Link::Line,
        ..transfers(&["read"], takes(Long, &[Int, Memory, Size]), &[1], (&[1], 2))
    },
    transfers(&["write"], takes(Long, &[Int, Memory, Size]), &[], (&[1], 2)),
    transfers(&["pread"], takes(Long, &[Int, Memory, Size, Long]), &[1], (&[1], 2)),
    LibraryFunction {
        link: Link::Line,
        ..transfers(&["recv"], takes(Long, &[Int, Memory, Size, Int]), &[1], (&[1], 2))
    },
    transfers(&["pwrite", "send"], takes(Long, &[Int, Memory, Size, Long]), &[], (&[1], 2)),
    outside(&["recvfrom"], takes(Long, &[Int, Memory, Size, Int, Memory, Memory]), &[1, 4, 5]),
    outside(&["sendto"], takes(Long, &[Int, Memory, Size, Int, Memory, Int]), &[]),
    outside(&["lseek", "lseek64"], takes(Long, &[Int, Long, Int]), &[]),
    outside(&["pipe"], takes(Int, &[Memory]), &[0]),
    answers(
        &["stat", "lstat", "stat64", "lstat64", "statvfs"],
        takes(Int, &[Text, Memory]),
        &[1],
        (-1, 0),
    ),
    answers(&["fstat", "fstat64"], takes(Int, &[Int, Memory]), &[1], (-1, 0)),
    answers(&["access", "mkdir", "chmod", "truncate"], takes(Int, &[Text, Int]), &[], (-1, 0)),
    outside(&["getcwd"], takes(Buffer, &[Buffer, Size]), &[0]),
    outside(&["gethostname"], takes(Int, &[Buffer, Size]), &[0]),
    outside(&["readlink"], takes(Long, &[Text, Buffer, Size]), &[1]),
    outside(&["opendir"], takes(Memory, &[Text]), &[]),
    outside(&["readdir"], takes(Memory, &[Memory]), &[0]),
    answers(&["closedir"], takes(Int, &[Memory]), &[], (-1, 0)),
    answers(&["socket"], takes(Int, &[Int, Int, Int]), &[], (-1, INT)),
    accessing(
        answers(&["bind", "connect"], takes(Int, &[Int, Memory, Size]), &[], (-1, 0)),
        Accesses::Bytes { pointers: &[1], size: 2 },
    ),
    answers(&["accept"], takes(Int, &[Int, Memory, Memory]), &[1, 2], (-1, INT)),
    answers(&["getsockname", "getpeername"], takes(Int, &[Int, Memory, Memory]), &[1, 2], (-1, 0)),
    answers(&["setsockopt"], takes(Int, &[Int, Int, Int, Memory, Int]), &[], (-1, 0)),
    answers(&["getsockopt"], takes(Int, &[Int, Int, Int, Memory, Memory]), &[3, 4], (-1, 0)),
    outside(&["select"], takes(Int, &[Int, Memory, Memory, Memory, Memory]), &[1, 2, 3, 4]),
    outside(&["poll"], takes(Int, &[Memory, Long, Int]), &[0]),
    outside(&["inet_addr"], takes(Int, &[Text]), &[]),
    outside(&["inet_pton", "inet_aton"], takes(Int, &[Int, Text, Memory]), &[1, 2]),
    outside(&["inet_ntop"], takes(Buffer, &[Int, Memory, Buffer, Size]), &[2]),
    refused(
        &["getaddrinfo", "readv", "writev", "recvmsg", "sendmsg", "ioctl", "fcntl"],
        takes_more(Int, &[]),
    ),
    refused(
        &["mmap", "munmap", "mremap", "brk", "sbrk", "shmat", "dlopen", "dlsym"],
        takes_more(Memory, &[]),
    ),
    // Processes.
    outside(
        &[
            "getpid",
            "getppid",
            "getuid",
            "geteuid",
            "getgid",
            "getegid",
            "getpgrp",
            "setsid",
            "sched_yield",
            "getpagesize",
            "gettid",
        ],
        takes(Int, &[]),
        &[],
    ),
    outside(
        &["sleep", "usleep", "alarm", "setuid", "setgid", "sysconf", "nice"],
        takes(Int, &[Int]),
        &[],
    ),
    answers(&["system"], takes(Int, &[Text]), &[], (-INT - 1, INT)),
    answers(&["wait"], takes(Int, &[Memory]), &[0], (-1, INT)),
    answers(&["waitpid"], takes(Int, &[Int, Memory, Int]), &[1], (-1, INT)),
    outside(&["times", "uname"], takes(Long, &[Memory]), &[0]),
    outside(&["getrusage", "getrlimit"], takes(Int, &[Int, Memory]), &[1]),
    outside(&["setrlimit"], takes(Int, &[Int, Memory]), &[]),
    outside(&["openlog"], takes(Void, &[Text, Int, Int]), &[]),
    outside(&["syslog"], takes_more(Void, &[Int, Format]), &[]),
    outside(&["vsyslog"], takes(Void, &[Int, Format, Arguments]), &[]),
    outside(&["warn", "warnx"], takes_more(Void, &[Format]), &[]),
    outside(&["vwarn", "vwarnx"], takes(Void, &[Format, Arguments]), &[]),
    outside(&["closelog", "sync", "endpwent", "tzset"], takes(Void, &[]), &[]),
    refused(
        &[
            "execl",
            "execlp",
            "execle",
            "execv",
            "execvp",
            "execve",
            "clone",
            "syscall",
            "posix_spawn",
        ],
        takes_more(Int, &[]),
    ),
    // Signals.
    outside(&["sigemptyset", "sigfillset"], takes(Int, &[Memory]), &[0]),
    outside(&["sigaddset", "sigdelset"], takes(Int, &[Memory, Int]), &[0]),
    outside(&["sigismember"], takes(Int, &[Memory, Int]), &[]),
    outside(&["sigprocmask"], takes(Int, &[Int, Memory, Memory]), &[2]),
    refused(&["raise", "pause", "sigsuspend", "sigwait"], takes(Int, &[Int])),
    refused(&["kill", "killpg"], takes(Int, &[Int, Int])),
    refused(
        &["sigaction", "sigset", "bsd_signal", "sysv_signal", "setitimer"],
        takes_more(Int, &[]),
    ),
    refused(&["getcontext", "setcontext", "makecontext", "swapcontext"], takes_more(Int, &[])),
    // Threads: with only one, it is enough to know what is written.
    refused(
        &[
            "pthread_once",
            "pthread_atfork",
            "pthread_key_create",
            "pthread_getspecific",
            "pthread_setspecific",
            "pthread_exit",
            "pthread_kill",
            "pthread_cancel",
            "thrd_create",
            "thrd_exit",
            "call_once",
            "tss_create",
            "tss_get",
            "tss_set",
        ],
        takes_more(Int, &[]),
    ),
    refused(&["__pthread_*"], takes_more(Int, &[])),
    scans(&["pthread_*"], takes_more(Int, &[])),
    scans(&["sem_*"], takes_more(Int, &[])),
    scans(&["mtx_*"], takes_more(Int, &[])),
    scans(&["cnd_*"], takes_more(Int, &[])),
];
