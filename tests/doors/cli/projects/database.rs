//! Compile databases: which files are checked, and with which options of the preprocessor.

use super::{expect, folder, hardbop};

/// Two programs and what they share, as build tools write down their commands.
const DATABASE: &str = r#"[
  { "directory": "build", "file": "../src/a.c", "arguments": ["cc", "-I../include", "-DN=3", "-O2", "-c", "-o", "a.o", "../src/a.c"] },
  { "directory": "build", "file": "../src/b.c", "command": "gcc -D 'TEXT=\"a b\"' -I ../include -std=gnu11 -isystem ../system -include own.h -c ../src/b.c", "output": "b.o" },
  { "directory": "build", "file": "../src/other.c", "command": "cc -c ../src/other.c" },
  { "directory": "build", "file": "../src/more.cpp", "command": "c++ -c ../src/more.cpp" }
]"#;

#[test]
fn a_compile_database_has_files_and_their_options() {
    let folder = folder(&[
        ("compile_commands.json", DATABASE),
        ("build/.kept", ""),
        (
            "src/a.c",
            "#include <n.h>\nextern void reach_error(void); int f(int); int main(void) { if (f(N) != LIMIT) reach_error(); }\n",
        ),
        (
            "src/b.c",
            "#include <system.h>\nint f(int n) { static const char t[] = TEXT; return n + (t[1] == ' ') + OWN + SYSTEM; }\n",
        ),
        ("src/other.c", "int main(void) { return 0; }\n"),
        ("src/stub.c", "int f(int n) { return n; }\n"),
        ("include/n.h", "#define LIMIT 9\n"),
        ("include/own.h", "#define OWN 2\n"),
        ("system/system.h", "#define SYSTEM 3\n"),
        ("bad.json", "[\n  { \"directory\": \".\", \"file\": \"a.c\" }\n]\n"),
        ("worse.json", "[ { \n"),
        ("empty.json", "[]\n"),
        (
            "char.json",
            r#"[{ "directory": ".", "file": "src/other.c", "arguments": ["cc", "-funsigned-char"] }]"#,
        ),
        (
            "narrow.json",
            r#"[{ "directory": ".", "file": "src/other.c", "command": "cc -m32 -c" },
               { "directory": ".", "file": "src/b.c", "command": "cc -c" }]"#,
        ),
    ]);
    let given = ["check", "--compile-commands", "compile_commands.json"];
    let check = |words: &[&str]| hardbop(&folder, &[&given[..], words].concat());
    let own = ["src/a.c", "src/b.c"];
    expect(&check(&own), 0, &["VERDICT: SAFE"]);
    // Options of the command line come last.
    expect(&check(&[&own[..], &["-DN=4"]].concat()), 10, &["src/b.c", "src/a.c:2"]);
    expect(&check(&["src/a.c", "src/stub.c"]), 10, &["no command for 'src/stub.c'"]);
    expect(&check(&[]), 0, &["a      src/a.c      SAFE", "other  src/other.c  SAFE"]);
    expect(&check(&["src/a.c", "x.bp"]), 2, &["'x.bp' is none"]);
    expect(&check(&["src/a.c", "src/none.c"]), 2, &["src/none.c"]);
    let of = |name: &str| hardbop(&folder, &["check", "--compile-commands", name]);
    expect(&of("bad.json"), 2, &["bad.json:", "neither 'arguments' nor 'command'", "help"]);
    expect(&of("worse.json"), 2, &["worse.json:"]);
    expect(&of("empty.json"), 2, &["no C files"]);
    expect(&of("none.json"), 2, &["cannot read 'none.json'"]);
    expect(&of("char.json"), 2, &["'-funsigned-char'"]);
    expect(&of("narrow.json"), 2, &["'-m32'", "src/other.c", "src/b.c"]);
    let list =
        hardbop(&folder, &["list", "--compile-commands", "compile_commands.json", "src/b.c"]);
    expect(&list, 0, &["src/b.c:2:5"]);
}
