//! Several programs among the files of a project.

use super::{expect, folder, hardbop};

/// Two programs of CMake with functions of the same names, a library that both use, and a test that nobody built a target for.
const DATABASE: &str = r#"[
  { "directory": ".", "file": "client/main.c", "command": "cc -o CMakeFiles/client.dir/client/main.c.o -c client/main.c" },
  { "directory": ".", "file": "client/log.c", "command": "cc -o CMakeFiles/client.dir/client/log.c.o -c client/log.c" },
  { "directory": ".", "file": "server/main.c", "command": "cc -o CMakeFiles/server.dir/server/main.c.o -c server/main.c" },
  { "directory": ".", "file": "server/log.c", "arguments": ["cc", "-c", "server/log.c"], "output": "CMakeFiles/server.dir/server/log.c.o" },
  { "directory": ".", "file": "lib/table.c", "command": "cc -o CMakeFiles/table.dir/lib/table.c.o -c lib/table.c" },
  { "directory": ".", "file": "lib/size.c", "command": "cc -o CMakeFiles/table.dir/lib/size.c.o -c lib/size.c" },
  { "directory": ".", "file": "check.c", "command": "cc -c check.c" }
]"#;

const FILES: &[(&str, &str)] = &[
    ("compile_commands.json", DATABASE),
    ("log.h", "int log_level(void);\n"),
    ("table.h", "extern int size; int at(int i);\n"),
    (
        "client/main.c",
        "#include \"../log.h\"\n#include \"../table.h\"\nint main(void) { return at(log_level()); }\n",
    ),
    ("client/log.c", "#include \"../log.h\"\nint log_level(void) { return 3; }\n"),
    (
        "server/main.c",
        "#include \"../log.h\"\n#include \"../table.h\"\nint main(void) { int s = size; return at(log_level()) + s; }\n",
    ),
    ("server/log.c", "#include \"../log.h\"\nint log_level(void) { return 4; }\n"),
    ("lib/table.c", "#include \"../table.h\"\nint at(int i) { static int a[4]; return a[i]; }\n"),
    ("lib/size.c", "#include \"../table.h\"\nint size = 4;\n"),
    ("check.c", "#include \"table.h\"\nint main(void) { return size / (size - 4); }\n"),
];

#[test]
fn each_main_is_a_program() {
    let folder = folder(FILES);
    let check = |words: &[&str]| {
        let given = ["check", "--compile-commands", "compile_commands.json"];
        hardbop(&folder, &[&given[..], words].concat())
    };
    // Files of the same name are told apart by their paths.
    let lines = ["client/main.c", "SAFE", "server/main.c", "UNSAFE", "check", "VERDICT: UNSAFE"];
    expect(&check(&[]), 10, &lines);
    expect(&check(&["--json"]), 10, &["\"kind\": \"program\"", "\"name\": \"check\""]);
    expect(&check(&["--program", "client/main.c"]), 0, &["VERDICT: SAFE"]);
    let files = "and no more: client/main.c, client/log.c, lib/table.c\n";
    expect(&check(&["--program", "client"]), 0, &[files, "VERDICT: SAFE"]);
    expect(&check(&["--program=server"]), 10, &["lib/table.c:2", "i: ERROR"]);
    // The variable is defined in another file.
    expect(&check(&["--program", "check"]), 10, &["division by zero at check.c:2"]);
    let names = ["no program 'none'", "'client/main.c'", "'server/main.c'", "'check'"];
    expect(&check(&["--program", "none"]), 2, &names);
    expect(&check(&["--each"]), 2, &["'--each'", "'--program'"]);
    expect(&check(&["--html", "x.html"]), 2, &["'--program NAME'"]);
    let list = ["list", "--compile-commands", "compile_commands.json", "--program", "check"];
    expect(&hardbop(&folder, &list), 0, &["check.c:2:5"]);
}

#[test]
fn files_that_define_the_same_are_not_guessed() {
    let folder = folder(FILES);
    let files = ["client/main.c", "client/log.c", "server/log.c", "lib/table.c", "check.c"];
    let given = [&["check"][..], &files, &["lib/size.c"]].concat();
    // Without targets, nothing says which log.c is meant; who needs none is not concerned.
    let lines =
        ["main", "UNKNOWN", "'log_level'", "client/log.c", "server/log.c", "check", "UNSAFE"];
    expect(&hardbop(&folder, &given), 10, &lines);
    let one = [&given[..], &["--program", "main"]].concat();
    expect(&hardbop(&folder, &one), 2, &["'log_level', which 'client/main.c' needs"]);
}

#[test]
fn a_mistake_in_one_program_is_not_that_of_others() {
    let folder = folder(&[
        ("a.c", "int half(int); int main(void) { return half(3); }\n"),
        ("b.c", "#include \"missing.h\"\nint main(void) { return 0; }\n"),
        ("c.c", "int main(void) { return 0 }\n"),
        ("half.c", "int half(int n) { return n / 2; }\n"),
    ]);
    let files = ["check", "a.c", "b.c", "c.c", "half.c"];
    let lines = ["a  a.c  SAFE", "b  b.c  UNKNOWN", "missing.h", "c  c.c  UNKNOWN", "expected ';'"];
    expect(&hardbop(&folder, &files), 20, &lines);
    let one = [&files[..], &["--program", "c"]].concat();
    expect(&hardbop(&folder, &one), 2, &["c.c:1:25", "error: expected ';'"]);
    // What may belong to each of them is one of all: also a test that is left out.
    let test =
        "#include \"missing.h\"\n#if TEST\nint main(void) { return 0; }\n#endif /* main() { */\n";
    std::fs::write(folder.path().join("b.c"), test).expect("writes");
    expect(&hardbop(&folder, &files), 2, &["missing.h"]);
    std::fs::write(folder.path().join("b.c"), "int main(void) { return 0; }\n").expect("writes");
    std::fs::write(folder.path().join("half.c"), "int half(int n) { return n / }\n")
        .expect("writes");
    expect(&hardbop(&folder, &files), 2, &["half.c:1"]);
    let of = |file| hardbop(&folder, &["check", file, "--program", "a"]);
    expect(&of("x.bp"), 2, &["'--program' is for C files; 'x.bp' is none"]);
    expect(&of("-"), 2, &["standard input"]);
}

#[test]
fn what_gives_way_is_not_guessed() {
    let weak = "int level(void) __attribute__((weak)); int level(void) { return 1; }\n";
    let folder = folder(&[
        ("a.c", "int level(void); int main(void) { return 4 / level(); }\n"),
        ("b.c", "int main(void) { return 0; }\n"),
        ("weak.c", weak),
        ("other.c", "int level(void) { return 0; }\n"),
    ]);
    let lines = ["a  a.c  SAFE", "b  b.c  SAFE"];
    expect(&hardbop(&folder, &["check", "a.c", "b.c", "weak.c"]), 0, &lines);
    let lines = ["a  a.c  UNKNOWN", "'level'", "b  b.c  SAFE"];
    expect(&hardbop(&folder, &["check", "a.c", "b.c", "weak.c", "other.c"]), 20, &lines);
    std::fs::write(
        folder.path().join("a.c"),
        [weak, "int main(void) { return level(); }\n"].concat(),
    )
    .expect("writes");
    expect(&hardbop(&folder, &["check", "a.c", "b.c", "other.c"]), 20, &lines);
}
