//! `stdio.h`, `signal.h`, `setjmp.h`, threads, files and processes.

use super::row::{
    accessing, answers, executed, items, objects, opens, or_null, outside, refused, rests, scans,
    transfers,
};
use crate::library::execution::Execution;
use crate::library::function::{Accesses, LibraryFunction};
use crate::library::link::Link;
use crate::library::prototype::Kind::{
    Arguments, Buffer, Format, Int, Long, Memory, Size, Stream, Text, Void,
};
use crate::library::table::{takes, takes_more};

/// The greatest `int`.
const INT: i64 = 0x7FFF_FFFF;

/// The greatest number of a process, as Linux has them.
const PROCESS: i64 = 1 << 22;

/// The greatest number of a descriptor, as Linux has them: to add one to it, as for `select`, is no overflow.
const DESCRIPTOR: i64 = INT - 64;

/// 0, or a number of an error, as Linux has them.
const ERROR: (i64, i64) = (0, 133);

pub(super) static TABLE: &[LibraryFunction] = &[
    // stdio.h.
    LibraryFunction {
        link: Link::Hosted,
        ..executed(
            scans(&["sscanf", "__isoc99_sscanf"], takes_more(Int, &[Text, Format])),
            Execution::Scans,
        )
    },
    // Only newer C libraries have it.
    executed(scans(&["__isoc23_sscanf"], takes_more(Int, &[Text, Format])), Execution::Scans),
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
    opens(&["fopen", "fopen64", "popen", "setmntent"], takes(Memory, &[Text, Text])),
    opens(&["fdopen"], takes(Memory, &[Int, Text])),
    opens(&["freopen"], takes(Memory, &[Text, Text, Stream])),
    opens(&["tmpfile"], takes(Memory, &[])),
    answers(&["fclose", "fflush_unlocked"], takes(Int, &[Stream]), &[], (-1, 0)),
    answers(&["feof", "ferror"], takes(Int, &[Stream]), &[], (0, INT)),
    answers(&["fileno"], takes(Int, &[Stream]), &[], (-1, DESCRIPTOR)),
    answers(&["fgetwc", "getwc"], takes(Int, &[Stream]), &[], (-1, INT)),
    answers(&["pclose", "getw"], takes(Int, &[Stream]), &[], (-INT - 1, INT)),
    outside(&["clearerr", "rewind", "flockfile", "funlockfile"], takes(Void, &[Stream]), &[]),
    answers(&["ftell", "ftello"], takes(Long, &[Stream]), &[], (-1, i64::MAX)),
    answers(&["fseek", "fseeko"], takes(Int, &[Stream, Long, Int]), &[], (-1, 0)),
    outside(&["fgetpos"], takes(Int, &[Stream, Memory]), &[1]),
    outside(&["fsetpos"], takes(Int, &[Stream, Memory]), &[]),
    LibraryFunction {
        link: Link::Line,
        ..items(&["fread", "fread_unlocked"], takes(Size, &[Memory, Size, Size, Stream]), &[0])
    },
    items(&["fwrite", "fwrite_unlocked"], takes(Size, &[Memory, Size, Size, Stream]), &[]),
    outside(
        &["ungetc", "ungetwc", "fputwc", "putwc", "putw", "fwide"],
        takes(Int, &[Int, Stream]),
        &[],
    ),
    answers(&["getwchar"], takes(Int, &[]), &[], (-1, INT)),
    outside(&["putwchar", "putchar_unlocked"], takes(Int, &[Int]), &[]),
    outside(&["fputws"], takes(Int, &[Memory, Stream]), &[]),
    outside(&["setbuf", "setbuffer"], takes(Void, &[Stream, Buffer]), &[1]),
    outside(&["setvbuf"], takes(Int, &[Stream, Buffer, Int, Size]), &[1]),
    answers(
        &["remove", "unlink", "rmdir", "chdir", "chroot", "unsetenv"],
        takes(Int, &[Text]),
        &[],
        (-1, 0),
    ),
    answers(&["rename", "link", "symlink"], takes(Int, &[Text, Text]), &[], (-1, 0)),
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
    answers(&["mkstemp64"], takes(Int, &[Buffer]), &[0], (-1, DESCRIPTOR)),
    outside(&["mktemp", "tmpnam"], takes(Buffer, &[Buffer]), &[0]),
    refused(&["getline", "getdelim"], takes(Long, &[Memory, Memory, Stream])),
    refused(&["fmemopen", "open_memstream", "fopencookie"], takes(Memory, &[Memory, Size, Text])),
    // Files and sockets.
    answers(&["open", "open64", "creat"], takes_more(Int, &[Text, Int]), &[], (-1, DESCRIPTOR)),
    answers(&["openat"], takes_more(Int, &[Int, Text, Int]), &[], (-1, DESCRIPTOR)),
    answers(&["close", "fsync", "fdatasync", "fchdir"], takes(Int, &[Int]), &[], (-1, 0)),
    answers(&["isatty"], takes(Int, &[Int]), &[], (0, 1)),
    answers(&["dup"], takes(Int, &[Int]), &[], (-1, DESCRIPTOR)),
    answers(&["umask"], takes(Int, &[Int]), &[], (0, 0o777)),
    answers(
        &["listen", "shutdown", "ftruncate", "fchmod", "setpgid"],
        takes(Int, &[Int, Long]),
        &[],
        (-1, 0),
    ),
    answers(&["dup2"], takes(Int, &[Int, Long]), &[], (-1, DESCRIPTOR)),
    answers(&["getpriority"], takes(Int, &[Int, Long]), &[], (-20, 19)),
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
    answers(&["lseek", "lseek64"], takes(Long, &[Int, Long, Int]), &[], (-1, i64::MAX)),
    outside(&["pipe"], takes(Int, &[Memory]), &[0]),
    accessing(
        answers(
            &["stat", "lstat", "stat64", "lstat64", "statvfs"],
            takes(Int, &[Text, Memory]),
            &[1],
            (-1, 0),
        ),
        objects(&[1]),
    ),
    accessing(
        answers(&["fstat", "fstat64"], takes(Int, &[Int, Memory]), &[1], (-1, 0)),
        objects(&[1]),
    ),
    answers(&["access", "mkdir", "chmod", "truncate"], takes(Int, &[Text, Int]), &[], (-1, 0)),
    outside(&["readlink"], takes(Long, &[Text, Buffer, Size]), &[1]),
    refused(&["opendir"], takes(Memory, &[Text])),
    opens(&["dlopen"], takes(Memory, &[Memory, Int])),
    answers(&["dlclose"], takes(Int, &[Memory]), &[], (-INT - 1, INT)),
    // 0, or a number of an error (REG_...).
    answers(&["regcomp"], takes(Int, &[Memory, Text, Int]), &[0], (0, 16)),
    answers(&["regexec"], takes(Int, &[Memory, Text, Size, Memory, Int]), &[3], (0, 16)),
    refused(&["readdir", "readdir64"], takes(Memory, &[Memory])),
    refused(&["closedir", "dirfd"], takes(Int, &[Memory])),
    refused(&["rewinddir"], takes(Void, &[Memory])),
    answers(&["socket"], takes(Int, &[Int, Int, Int]), &[], (-1, DESCRIPTOR)),
    accessing(
        answers(&["bind", "connect"], takes(Int, &[Int, Memory, Size]), &[], (-1, 0)),
        Accesses::Bytes { pointers: &[1], size: 2 },
    ),
    answers(&["accept"], takes(Int, &[Int, Memory, Memory]), &[1, 2], (-1, DESCRIPTOR)),
    answers(&["getsockname", "getpeername"], takes(Int, &[Int, Memory, Memory]), &[1, 2], (-1, 0)),
    answers(&["setsockopt"], takes(Int, &[Int, Int, Int, Memory, Int]), &[], (-1, 0)),
    answers(&["getsockopt"], takes(Int, &[Int, Int, Int, Memory, Memory]), &[3, 4], (-1, 0)),
    // How much of the sets it accesses depends on the first argument.
    answers(
        &["select"],
        takes(Int, &[Int, Memory, Memory, Memory, Memory]),
        &[1, 2, 3, 4],
        (-1, INT),
    ),
    outside(&["poll"], takes(Int, &[Memory, Long, Int]), &[0]),
    answers(&["inet_addr"], takes(Int, &[Text]), &[], (-INT - 1, INT)),
    outside(&["inet_pton", "inet_aton"], takes(Int, &[Int, Text, Memory]), &[1, 2]),
    outside(&["inet_ntop"], takes(Buffer, &[Int, Memory, Buffer, Size]), &[2]),
    refused(
        &["getaddrinfo", "readv", "writev", "recvmsg", "sendmsg", "ioctl", "fcntl"],
        takes_more(Int, &[]),
    ),
    refused(
        &["mmap", "munmap", "mremap", "brk", "sbrk", "shmat", "dlsym"],
        takes_more(Memory, &[]),
    ),
    // Processes.
    answers(&["getpid", "getpgrp", "gettid"], takes(Int, &[]), &[], (1, PROCESS)),
    answers(&["getpagesize"], takes(Int, &[]), &[], (1, INT)),
    // Two executions: that of the child, which gets 0, and that of the parent.
    answers(&["fork"], takes(Int, &[]), &[], (-1, PROCESS)),
    // The parent may be in another space of numbers.
    answers(&["getppid"], takes(Int, &[]), &[], (0, PROCESS)),
    answers(&["setsid"], takes(Int, &[]), &[], (-1, PROCESS)),
    answers(&["sched_yield"], takes(Int, &[]), &[], (-1, 0)),
    // All 32 bits count.
    answers(&["getuid", "geteuid", "getgid", "getegid"], takes(Int, &[]), &[], (-INT - 1, INT)),
    // What was left of the time.
    rests(&["sleep"], takes(Int, &[Int]), 0),
    // It has no sign.
    answers(&["alarm"], takes(Int, &[Int]), &[], (-INT - 1, INT)),
    answers(
        &["usleep", "setuid", "setgid", "seteuid", "setegid"],
        takes(Int, &[Int]),
        &[],
        (-1, 0),
    ),
    answers(&["nice"], takes(Int, &[Int]), &[], (-INT - 1, INT)),
    answers(&["sysconf"], takes(Long, &[Int]), &[], (-1, i64::MAX)),
    answers(&["system"], takes(Int, &[Text]), &[], (-INT - 1, INT)),
    accessing(answers(&["wait"], takes(Int, &[Memory]), &[0], (-1, PROCESS)), or_null(&[0])),
    accessing(
        answers(&["waitpid"], takes(Int, &[Int, Memory, Int]), &[1], (-1, PROCESS)),
        or_null(&[1]),
    ),
    accessing(
        answers(&["times"], takes(Long, &[Memory]), &[0], (i64::MIN, i64::MAX)),
        objects(&[0]),
    ),
    accessing(
        answers(&["getrusage", "getrlimit"], takes(Int, &[Int, Memory]), &[1], (-1, 0)),
        objects(&[1]),
    ),
    accessing(answers(&["setrlimit"], takes(Int, &[Int, Memory]), &[], (-1, 0)), objects(&[1])),
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
    accessing(outside(&["sigemptyset", "sigfillset"], takes(Int, &[Memory]), &[0]), objects(&[0])),
    accessing(
        outside(&["sigaddset", "sigdelset"], takes(Int, &[Memory, Int]), &[0]),
        objects(&[0]),
    ),
    accessing(outside(&["sigismember"], takes(Int, &[Memory, Int]), &[]), objects(&[0])),
    accessing(
        outside(&["sigprocmask"], takes(Int, &[Int, Memory, Memory]), &[2]),
        or_null(&[1, 2]),
    ),
    refused(&["raise", "sigwait"], takes(Int, &[Int])),
    refused(&["pause"], takes(Int, &[])),
    refused(&["sigsuspend"], takes(Int, &[Memory])),
    refused(&["kill", "killpg"], takes(Int, &[Int, Int])),
    refused(&["sigaction"], takes(Int, &[Int, Memory, Memory])),
    refused(&["bsd_signal"], takes(Memory, &[Int, Memory])),
    refused(&["sigset", "sysv_signal", "setitimer"], takes_more(Int, &[])),
    refused(&["getcontext", "setcontext", "makecontext", "swapcontext"], takes_more(Int, &[])),
    // Threads: with only one, it is enough to know what is written. Most calls that look as if they could fail cannot.
    refused(
        &[
            "pthread_once",
            "pthread_atfork",
            "pthread_key_create",
            "pthread_getspecific",
            "pthread_setspecific",
            "pthread_kill",
            "pthread_cancel",
            "call_once",
            "tss_create",
            "tss_get",
            "tss_set",
        ],
        takes_more(Int, &[]),
    ),
    refused(&["__pthread_*"], takes_more(Int, &[])),
    accessing(
        outside(
            &[
                "pthread_mutex_lock",
                "pthread_mutex_trylock",
                "pthread_mutex_unlock",
                "pthread_mutex_destroy",
                "pthread_mutexattr_destroy",
                "pthread_cond_signal",
                "pthread_cond_broadcast",
                "pthread_cond_destroy",
                "pthread_rwlock_rdlock",
                "pthread_rwlock_wrlock",
                "pthread_rwlock_unlock",
                "pthread_rwlock_destroy",
                "pthread_attr_destroy",
            ],
            takes(Int, &[Memory]),
            &[0],
        ),
        objects(&[0]),
    ),
    accessing(
        answers(
            &["pthread_mutexattr_init", "pthread_attr_init"],
            takes(Int, &[Memory]),
            &[0],
            ERROR,
        ),
        objects(&[0]),
    ),
    accessing(
        answers(
            &["pthread_mutexattr_settype", "pthread_attr_setdetachstate"],
            takes(Int, &[Memory, Int]),
            &[0],
            ERROR,
        ),
        objects(&[0]),
    ),
    accessing(
        answers(
            &["pthread_mutex_init", "pthread_cond_init", "pthread_rwlock_init"],
            takes(Int, &[Memory, Memory]),
            &[0],
            ERROR,
        ),
        Accesses::Objects { certain: &[0], or_null: &[1] },
    ),
    accessing(
        outside(&["pthread_cond_wait"], takes(Int, &[Memory, Memory]), &[0, 1]),
        objects(&[0, 1]),
    ),
    scans(&["pthread_*"], takes_more(Int, &[])),
    accessing(
        outside(
            &["sem_wait", "sem_trywait", "sem_post", "sem_destroy"],
            takes(Int, &[Memory]),
            &[0],
        ),
        objects(&[0]),
    ),
    accessing(
        answers(&["sem_init"], takes(Int, &[Memory, Int, Int]), &[0], (-1, 0)),
        objects(&[0]),
    ),
    accessing(outside(&["sem_getvalue"], takes(Int, &[Memory, Memory]), &[1]), objects(&[0, 1])),
    scans(&["sem_*"], takes_more(Int, &[])),
    accessing(
        outside(&["mtx_lock", "mtx_trylock", "mtx_unlock"], takes(Int, &[Memory]), &[0]),
        objects(&[0]),
    ),
    accessing(outside(&["mtx_init"], takes(Int, &[Memory, Int]), &[0]), objects(&[0])),
    scans(&["mtx_*"], takes_more(Int, &[])),
    scans(&["cnd_*"], takes_more(Int, &[])),
];
