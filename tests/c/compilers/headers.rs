//! The headers of C11 and POSIX as the C library has them.  gcc says which of them there are.

use std::io::Write as _;
use std::process::{Command, Stdio};

use hardbop_base::source::Source;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, on_large_stack, parse};

use super::proved;
use hardbop_c::points_to::Externals;

const C11: &str = "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype";

const POSIX: &str = "aio arpa/inet cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen monetary
mqueue ndbm net/if netdb netinet/in netinet/tcp nl_types poll pthread pwd regex sched search semaphore spawn strings
stropts sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm sys/socket sys/stat sys/statvfs sys/time
sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog tar termios trace ulimit unistd utime utmpx wordexp";

/// Others that have what is rare: vectors, integers of 128 bits, statements in macros.
const OTHER: &str =
    "link sys/user sys/ucontext sys/epoll sys/ptrace elf obstack error argp envz linux/virtio_ring
linux/if_ether linux/input linux/fs linux/usb/ch9";

/// What gcc's preprocessor makes of a text, which gcc compiles; `None` if it does not.
fn preprocessed(text: &str) -> Option<String> {
    let gcc = |option: &str| {
        let mut gcc = Command::new("gcc")
            .args([option, "-std=gnu17", "-x", "c", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        gcc.stdin.take()?.write_all(text.as_bytes()).ok()?;
        let output = gcc.wait_with_output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    gcc("-fsyntax-only").and_then(|_| gcc("-E"))
}

#[test]
fn headers_are_read() {
    let (mut read, mut wrong) = (0, vec![]);
    for name in [C11, POSIX, OTHER].iter().flat_map(|all| all.split_whitespace()) {
        for first in ["", "#define _GNU_SOURCE\n"] {
            let text = format!("{first}#include <{name}.h>\nint main(void) {{ return 0; }}\n");
            let Some(text) = preprocessed(&text) else { continue };
            let options = ParseOptions { model: Some(DataModel::Lp64), ..ParseOptions::default() };
            let work = || parse(Source::new("header.c", text), &options).map(drop);
            if let Err(mistakes) = on_large_stack(work).expect("a thread") {
                wrong.push(format!("{name}.h: {}", mistakes[0].message));
            }
            read += 1;
        }
    }
    if read == 0 {
        eprintln!("skipped: no gcc with a C library");
    }
    assert!(wrong.is_empty(), "of {read}: {}", wrong.join("\n"));
}

/// A type that cannot be read is refused where it is used, and nowhere taken for what is left of
/// it.
#[test]
fn records_that_cannot_be_read() {
    let of = |text: &str| super::answer(text, Externals::Any);
    for member in ["const _Float16 z;", "_Float16 z;", "struct deep { _Float16 z; } in;"] {
        for record in [
            format!("struct s {{ {member} int a; }}; "),
            format!("struct s; struct s *first; struct s {{ {member} int a; }}; "),
            format!("typedef struct s {{ {member} int a; }} name; "),
        ] {
            let with = |main: &str| of(&format!("{record} int main(void) {{ {main} return 0; }}"));
            assert_eq!(with("struct s *p = 0; if (p) reach_error();"), "safe", "{record}");
            for used in [
                "struct s x; x.a = 1;",
                "struct s *p = 0; if (p) p->a = 1;",
                "struct s xs[2];",
                "if (sizeof(struct s) == 4) reach_error();",
                "if (sizeof(struct s[3]) == 12) reach_error();",
                "if (_Alignof(struct s) == 4) reach_error();",
                "if (__alignof__(struct s[2]) == 1) reach_error();",
                "struct s *p = 0; if (__alignof__(*p) == 1) reach_error();",
                "char a[_Alignof(struct s)];",
                "enum { K = _Alignof(struct s) };",
                "struct { _Alignas(struct s) char d; } x;",
            ] {
                let said = with(used);
                assert!(said.starts_with("the declaration of 's"), "{record}{used}: {said}");
            }
        }
    }
    let twice = "struct s { _Float16 z; }; struct s { int a; }; int main(void) { return 0; }";
    assert_eq!(of(twice), "'struct s' is defined twice");
    let open = "struct s; int main(void) { return _Alignof(struct s); }";
    assert!(of(open).contains("incomplete"), "{}", of(open));
    // What is read is checked.
    let text = "typedef struct { _Float16 z; } strange; struct fine { int a; };
        int main(void) { struct fine f; f.a = 3; if (f.a == 3) reach_error(); return 0; }";
    assert_eq!(of(text), "unsafe");
    assert_eq!(proved(&text.replace("== 3", "== 4")), "safe");
}
