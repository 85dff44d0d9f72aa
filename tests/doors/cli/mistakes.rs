//! Typical mistakes, and what is answered: no verdict, exit code 2, and words that help.

use std::fs;

use super::{code, run, stderr, stdout};

/// Arguments, and what the message says.  `@` is a folder with the files below.
const MISTAKES: [(&str, &str); 9] = [
    ("chek examples/lock-safe.bp", "'check'"),
    ("check", "required arguments were not provided"),
    ("check nofile.bp", "cannot read 'nofile.bp': No such file"),
    ("check @/empty.bp", "no procedures"),
    ("check @/binary.bp", "not a text file"),
    ("check @/undeclared.bp", "undeclared variable 'y'"),
    ("check examples/lock-safe.bp examples/lock-unsafe.bp", "one program"),
    ("check examples/lock-safe.bp --memory-limit 2", "2G"),
    ("check examples/lock-safe.bp --time-limit soon", "--time-limit"),
];

#[cfg(feature = "c")]
const MISTAKES_WITH_C: [(&str, &str); 31] = [
    ("examples/lock.c", "hardbop check examples/lock.c"),
    ("check @/program.cpp", "C++"),
    ("check @/notes.txt", "neither that of a C program"),
    ("check @/data.json", "neither that of a C program"),
    ("check @/semicolon.c", "expected ';'"),
    ("check @/include.c", "nothere.h"),
    ("check @/no-main.c", "--entry"),
    ("check examples/lock.c --entry mian", "no function 'mian'"),
    ("check @/empty.c", "no function 'main'"),
    ("check @/binary.c", "not a text file"),
    ("check @", "Is a directory"),
    ("check @/boolean.c", "expected a declaration"),
    ("check examples/lock.c -I", "a value is required"),
    ("check examples/lock-safe.bp -I x", "is for C programs"),
    ("check examples/lock-safe.bp --harness x.c", "is for C programs"),
    ("check examples/lock.c --timeout 5", "--time-limit"),
    ("check examples/lock.c --unwind 5", "no bound is needed"),
    ("check examples/lock.c --function main", "--entry"),
    ("check examples/lock.c --bounds-check", "--check bounds"),
    ("check examples/lock.c --propertyfile x.prp", "--spec"),
    ("check examples/lock.c examples/lock-safe.bp", "takes C files"),
    ("fmt examples/lock.c", "hardbop abstract"),
    ("export examples/lock.c --format aiger", "--format chc"),
    ("export examples/lock.c --dialect wali", "is for Boolean programs"),
    ("export examples/lock-safe.bp --32", "'--32' is for C programs"),
    ("export examples/task.yml", "give the C file"),
    ("certify examples/task.yml c.json", "give the C file"),
    ("certify examples/queue/main.c examples/lock-safe.bp c.json", "takes C files"),
    ("certify examples/lock-safe.bp examples/lock-unsafe.bp c.json", "is one file"),
    ("check examples/lock.c --witness nothere.yml", "cannot read"),
    ("list examples/lock.c examples/lock-safe.bp", "is none"),
];

#[test]
fn are_answered_in_words_that_help() {
    let folder = tempfile::tempdir().expect("a folder");
    let files: [(&str, &[u8]); 11] = [
        ("empty.bp", b""),
        ("empty.c", b""),
        ("binary.bp", b"a\0b"),
        ("binary.c", b"a\0b"),
        ("undeclared.bp", b"void main() begin decl x; x := y; end"),
        ("program.cpp", b"int main() { return 0; }"),
        ("notes.txt", b"hello"),
        ("data.json", b"{}"),
        ("semicolon.c", b"int main() { return 0 }"),
        ("include.c", b"#include \"nothere.h\"\nint main(void) { return 0; }"),
        ("no-main.c", b"int f(void) { return 0; }\nint g(void) { return 1; }"),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    fs::copy("examples/lock-safe.bp", folder.path().join("boolean.c")).expect("a file");
    let folder = folder.path().to_str().expect("a name");
    let mut all = MISTAKES.to_vec();
    #[cfg(feature = "c")]
    all.extend(MISTAKES_WITH_C);
    if cfg!(feature = "c") {
        // It links files, then.
        all.retain(|(words, _)| !words.contains("examples/lock-unsafe.bp"));
    }
    for (words, message) in all {
        let words: Vec<String> = words.split(' ').map(|w| w.replace('@', folder)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let out = run(&words, b"");
        let said = stderr(&out);
        assert_eq!(code(&out), Some(2), "{words:?}: {}{said}", stdout(&out));
        assert!(said.contains(message), "{words:?}: {said}");
        assert!(!stdout(&out).contains("VERDICT"), "{words:?}: {}", stdout(&out));
    }
}
