//! Options of the preprocessor.

use super::{expect, folder, hardbop};

const CONFIGURED: &str = "#include <limits.h>
#include <depth.h>
extern void reach_error(void);
int main(void) { if (DEPTH != WANTED) reach_error(); return 0; }
";

#[test]
fn options_of_the_preprocessor_are_those_of_compilers() {
    let folder = folder(&[
        ("a.c", CONFIGURED),
        ("include/depth.h", "#ifndef DEPTH\n#define DEPTH 3\n#endif\n"),
        ("wanted.h", "#define WANTED 3\n"),
        ("plain.c", "int main(void) { if (X != 1) reach_error(); }"),
    ]);
    let check = |words: &[&str]| hardbop(&folder, &[&["check", "a.c"], words].concat());
    for (code, words) in [
        (0, &["-I", "include", "-D", "WANTED=3"][..]),
        (0, &["-Iinclude", "-DWANTED=3"]),
        (10, &["-Iinclude", "-DWANTED=4"]),
        (10, &["-Iinclude", "-D", "WANTED"]),
        (0, &["-Iinclude", "-DWANTED", "-DDEPTH"]),
        (0, &["-Iinclude", "-include", "wanted.h"]),
        (0, &["-Iinclude", "--include", "wanted.h"]),
        // The later one of a definition and its end counts.
        (0, &["-Iinclude", "-DWANTED=3", "-DDEPTH=4", "-U", "DEPTH"]),
        (10, &["-Iinclude", "-DWANTED=3", "-UDEPTH", "-DDEPTH=4"]),
        (0, &["-Iinclude", "-DWANTED=__STDC_VERSION__", "-DDEPTH=199901L", "-std=c99"]),
        (10, &["-Iinclude", "-DWANTED=__STDC_VERSION__", "-DDEPTH=199901L", "--std", "gnu17"]),
        (0, &["-Iinclude", "-DWANTED=3", "--cc", "gcc"]),
        (0, &["-Iinclude", "-DWANTED=3", "--cc", "gcc -O1"]),
    ] {
        expect(&check(words), code, &[]);
    }
    // A text without directives is preprocessed where that is asked for, also from standard input.
    expect(&hardbop(&folder, &["check", "plain.c", "-DX=1"]), 0, &[]);
    expect(&hardbop(&folder, &["check", "plain.c", "-DX=2"]), 10, &[]);
    expect(&hardbop(&folder, &["cfa", "plain.c", "-DX=1"]), 0, &["locations"]);
    expect(&hardbop(&folder, &["abstract", "plain.c", "-DX=1"]), 0, &["main"]);
}

#[test]
fn the_preprocessor_speaks_for_itself() {
    let folder = folder(&[
        ("a.c", CONFIGURED),
        ("b.i", "int main(void) { return 0; }"),
        (
            "b.yml",
            "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: p.prp\n",
        ),
        ("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
        ("include/depth.h", "#define DEPTH 3\n"),
    ]);
    let run = |words: &[&str]| hardbop(&folder, words);
    expect(
        &run(&["check", "a.c"]),
        2,
        &["a.c:2:10: fatal error: depth.h", "cannot preprocess 'a.c'"],
    );
    expect(&run(&["check", "a.c", "--std", "c1789"]), 2, &["-std=c1789", "'cc -E' fails"]);
    expect(&run(&["check", "a.c", "--cc", "no-such-compiler"]), 2, &["no-such-compiler"]);
    expect(&run(&["check", "b.i", "-DX"]), 2, &["would do nothing", "'b.i'"]);
    expect(&run(&["check", "b.bp", "-I", "include"]), 2, &["'-I' is for C programs"]);
    // A task definition says what is checked, the options how it is read.
    expect(&run(&["check", "b.yml", "-Iinclude", "-DWANTED=3"]), 0, &["VERDICT: SAFE"]);
    expect(&run(&["check", "b.yml", "-Iinclude", "-DWANTED=4"]), 10, &["VERDICT: UNSAFE"]);
}
