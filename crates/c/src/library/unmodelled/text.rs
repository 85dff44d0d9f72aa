//! `string.h`, `stdlib.h`, `time.h`, `wchar.h`, `wctype.h`, `locale.h`.

use super::row::{accessing, answers, objects, or_null, outside, pure, refused};
use crate::library::function::{Accesses, LibraryFunction};
use crate::library::link::Link;
use crate::library::prototype::Kind::{
    Buffer, Double, Int, Long, LongLong, Memory, Size, Stream, Text, Void,
};
use crate::library::table::{takes, takes_more};

pub(super) static TABLE: &[LibraryFunction] = &[
    pure(&["__ctype_get_mb_cur_max"], takes(Size, &[]), &[]),
    pure(&["__h_errno_location", "__errno"], takes(Memory, &[]), &[]),
    refused(&["__errno_location"], takes(Memory, &[])),
    // Conditions on characters are known; other uses of these numbers are not.
    LibraryFunction {
        link: Link::Hosted,
        ..pure(
            &[
                "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower",
                "isprint", "ispunct", "isspace", "isupper", "isxdigit",
            ],
            takes(Int, &[Int]),
            &[],
        )
    },
    refused(&["isascii", "toascii"], takes(Int, &[Int])),
    // For the library's own texts: a number that is there, but not known.
    outside(&["__VERIFIER_unknown_long"], takes(Long, &[]), &[]),
    // string.h and strings.h.
    pure(&["__mempcpy"], takes(Memory, &[Memory, Memory, Size]), &[0]),
    // Written in C.
    refused(&["memrchr"], takes(Memory, &[Memory, Int, Size])),
    refused(&["memmem"], takes(Memory, &[Memory, Size, Memory, Size])),
    refused(&["memccpy"], takes(Memory, &[Memory, Memory, Int, Size])),
    refused(&["strcasestr"], takes(Buffer, &[Text, Text])),
    refused(&["strxfrm", "stpncpy"], takes(Size, &[Buffer, Text, Size])),
    refused(
        &["strerror", "strsignal", "gai_strerror", "hstrerror", "nl_langinfo"],
        takes(Buffer, &[Int]),
    ),
    refused(&["swab"], takes(Void, &[Memory, Memory, Long])),
    refused(&["a64l", "basename", "__xpg_basename", "dirname", "mkdtemp"], takes(Buffer, &[Text])),
    refused(&["getsubopt"], takes(Int, &[Memory, Memory, Memory])),
    refused(&["uname", "rand_r"], takes(Int, &[Memory])),
    refused(&["inet_ntoa", "getpwuid"], takes(Buffer, &[Int])),
    refused(&["getpwnam"], takes(Memory, &[Text])),
    refused(&["gethostname"], takes(Int, &[Buffer, Size])),
    refused(&["getcwd"], takes(Buffer, &[Buffer, Size])),
    refused(&["realpath"], takes(Buffer, &[Text, Buffer])),
    refused(&["mkstemp"], takes(Int, &[Buffer])),
    refused(&["posix_memalign"], takes(Int, &[Memory, Size, Size])),
    refused(&["error", "error_at_line"], takes_more(Void, &[Int, Int])),
    refused(&["mempcpy"], takes(Memory, &[Memory, Memory, Size])),
    refused(&["bcopy"], takes(Void, &[Memory, Memory, Size])),
    refused(&["bzero", "explicit_bzero"], takes(Void, &[Memory, Size])),
    refused(&["bcmp"], takes(Int, &[Memory, Memory, Size])),
    pure(&["index", "rindex", "strchrnul", "rawmemchr"], takes(Buffer, &[Text, Int]), &[]),
    pure(&["strverscmp"], takes(Int, &[Text, Text]), &[]),
    refused(&["strcoll"], takes(Int, &[Text, Text])),
    pure(&["strerror_r", "__xpg_strerror_r"], takes(Memory, &[Int, Buffer, Size]), &[1]),
    pure(&["strdup", "__strdup"], takes(Buffer, &[Text]), &[]),
    pure(&["strndup", "__strndup"], takes(Buffer, &[Text, Size]), &[]),
    pure(&["stpcpy"], takes(Buffer, &[Buffer, Text]), &[0]),
    refused(&["strtok"], takes(Buffer, &[Buffer, Text])),
    refused(
        &["strtok_r", "__strtok_r", "strsep", "wcstok"],
        takes(Buffer, &[Buffer, Text, Memory]),
    ),
    // stdlib.h.
    pure(&["atof"], takes(Double, &[Text]), &[]),
    pure(&["strtod", "strtof", "strtold"], takes(Double, &[Text, Memory]), &[1]),
    pure(
        &["strtoimax", "strtoumax", "strtoq", "strtouq"],
        takes(LongLong, &[Text, Memory, Int]),
        &[1],
    ),
    pure(&["srand", "srandom", "srand48"], takes(Void, &[Int]), &[]),
    answers(&["lrand48"], takes(Long, &[]), &[], (0, 0x7FFF_FFFF)),
    answers(&["mrand48"], takes(Long, &[]), &[], (-0x8000_0000, 0x7FFF_FFFF)),
    answers(&["arc4random"], takes(Int, &[]), &[], (-0x8000_0000, 0x7FFF_FFFF)),
    pure(&["drand48"], takes(Double, &[]), &[]),
    pure(&["erand48", "nrand48", "jrand48"], takes(Double, &[Memory]), &[0]),
    refused(&["getenv"], takes(Buffer, &[Text])),
    pure(&["secure_getenv"], takes(Buffer, &[Text]), &[]),
    pure(&["mblen"], takes(Int, &[Text, Size]), &[]),
    pure(&["mbtowc"], takes(Int, &[Memory, Text, Size]), &[0]),
    pure(&["wctomb"], takes(Int, &[Buffer, Int]), &[0]),
    pure(&["mbstowcs"], takes(Size, &[Memory, Text, Size]), &[0]),
    pure(&["wcstombs"], takes(Size, &[Buffer, Memory, Size]), &[0]),
    pure(&["imaxabs"], takes(Long, &[Long]), &[]),
    outside(&["div", "ldiv", "lldiv", "imaxdiv"], takes(Int, &[Int, Int]), &[]),
    outside(&["setenv"], takes(Int, &[Text, Text, Int]), &[]),
    refused(&["reallocarray", "recallocarray"], takes(Memory, &[Memory, Size, Size])),
    refused(&["putenv", "clearenv"], takes(Int, &[Buffer])),
    refused(&["getopt", "getopt_long", "getopt_long_only"], takes(Int, &[Int, Memory, Text])),
    refused(&["at_quick_exit", "on_exit"], takes(Int, &[Memory])),
    refused(
        &["qsort_r", "lfind", "lsearch", "tsearch", "tfind", "tdelete", "twalk"],
        takes_more(Int, &[]),
    ),
    refused(&["hsearch", "hcreate", "insque", "remque"], takes_more(Int, &[])),
    // time.h.
    LibraryFunction {
        link: Link::Stored,
        ..accessing(outside(&["time"], takes(Long, &[Memory]), &[0]), or_null(&[0]))
    },
    answers(&["clock"], takes(Long, &[]), &[], (-1, i64::MAX)),
    refused(&["clock_settime", "clock_nanosleep"], takes(Int, &[Int, Memory])),
    refused(&["difftime"], takes(Double, &[Long, Long])),
    accessing(
        outside(&["mktime", "timegm", "timelocal"], takes(Long, &[Memory]), &[0]),
        objects(&[0]),
    ),
    accessing(outside(&["gmtime", "localtime"], takes(Memory, &[Memory]), &[]), objects(&[0])),
    accessing(
        outside(&["gmtime_r", "localtime_r"], takes(Memory, &[Memory, Memory]), &[1]),
        objects(&[0, 1]),
    ),
    accessing(outside(&["asctime", "ctime"], takes(Buffer, &[Memory]), &[]), objects(&[0])),
    outside(&["asctime_r", "ctime_r"], takes(Buffer, &[Memory, Buffer]), &[1]),
    outside(&["strftime"], takes(Size, &[Buffer, Size, Text, Memory]), &[0]),
    outside(&["strptime"], takes(Buffer, &[Text, Text, Memory]), &[2]),
    accessing(
        answers(&["clock_gettime"], takes(Int, &[Int, Memory]), &[1], (-1, 0)),
        objects(&[1]),
    ),
    accessing(outside(&["clock_getres"], takes(Int, &[Int, Memory]), &[1]), or_null(&[1])),
    accessing(
        answers(&["timespec_get"], takes(Int, &[Memory, Int]), &[0], (0, 0x7FFF_FFFF)),
        objects(&[0]),
    ),
    accessing(
        answers(&["gettimeofday"], takes(Int, &[Memory, Memory]), &[0, 1], (-1, 0)),
        or_null(&[0, 1]),
    ),
    accessing(
        answers(&["nanosleep"], takes(Int, &[Memory, Memory]), &[1], (-1, 0)),
        Accesses::Objects { certain: &[0], or_null: &[1] },
    ),
    // wchar.h and wctype.h.
    outside(&["wcslen"], takes(Size, &[Memory]), &[]),
    outside(&["wcscpy", "wcscat", "wcpcpy"], takes(Memory, &[Memory, Memory]), &[0]),
    outside(
        &["wcsncpy", "wcsncat", "wcpncpy", "wmemcpy", "wmemmove", "wmempcpy"],
        takes(Memory, &[Memory, Memory, Size]),
        &[0],
    ),
    outside(&["wcscoll", "wcscasecmp"], takes(Int, &[Memory, Memory]), &[]),
    outside(&["wcsncasecmp"], takes(Int, &[Memory, Memory, Size]), &[]),
    outside(&["wcschr"], takes(Memory, &[Memory, Int]), &[]),
    outside(&["wcsxfrm"], takes(Size, &[Memory, Memory, Size]), &[0]),
    refused(&["wcscmp", "wcsstr", "wcspbrk", "wcsspn", "wcscspn"], takes(Int, &[Memory, Memory])),
    refused(&["wcsncmp", "wmemcmp"], takes(Int, &[Memory, Memory, Size])),
    refused(&["wcsrchr", "wcsnlen"], takes(Memory, &[Memory, Int])),
    refused(&["wmemchr"], takes(Memory, &[Memory, Int, Size])),
    outside(&["wmemset"], takes(Memory, &[Memory, Int, Size]), &[0]),
    outside(&["wcsdup"], takes(Memory, &[Memory]), &[]),
    outside(
        &["wcstol", "wcstoul", "wcstoll", "wcstoull"],
        takes(LongLong, &[Memory, Memory, Int]),
        &[1],
    ),
    outside(&["wcstod", "wcstof", "wcstold"], takes(Double, &[Memory, Memory]), &[1]),
    outside(&["wcsftime"], takes(Size, &[Memory, Size, Memory, Memory]), &[0]),
    pure(&["btowc", "wctob"], takes(Int, &[Int]), &[]),
    outside(&["mbsinit"], takes(Int, &[Memory]), &[]),
    outside(&["mbrlen"], takes(Size, &[Text, Size, Memory]), &[2]),
    outside(&["mbrtowc"], takes(Size, &[Memory, Text, Size, Memory]), &[0, 3]),
    outside(&["wcrtomb"], takes(Size, &[Buffer, Int, Memory]), &[0, 2]),
    outside(
        &["mbsrtowcs", "wcsrtombs", "mbsnrtowcs", "wcsnrtombs"],
        takes(Size, &[Memory, Memory, Size, Memory, Memory]),
        &[0, 1, 3, 4],
    ),
    outside(&["fgetws"], takes(Memory, &[Memory, Int, Stream]), &[0]),
    refused(
        &[
            "iswalnum",
            "iswalpha",
            "iswblank",
            "iswcntrl",
            "iswdigit",
            "iswgraph",
            "iswlower",
            "iswprint",
            "iswpunct",
            "iswspace",
            "iswupper",
            "iswxdigit",
            "towlower",
            "towupper",
        ],
        takes(Int, &[Int]),
    ),
    pure(&["wcwidth"], takes(Int, &[Int]), &[]),
    pure(&["wctype", "wctrans"], takes(Long, &[Text]), &[]),
    outside(&["iswctype", "towctrans"], takes(Int, &[Int, Long]), &[]),
    // locale.h.
    refused(&["setlocale"], takes(Buffer, &[Int, Text])),
    outside(&["localeconv"], takes(Memory, &[]), &[]),
    refused(
        &["iconv", "iconv_open", "regcomp", "regexec", "glob", "ftw", "nftw"],
        takes_more(Int, &[]),
    ),
];
