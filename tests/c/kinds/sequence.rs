//! `--check sequence`: effects on one object without an order (C11, 6.5, 2), against what gcc warns of.

use std::collections::BTreeSet;
use std::process::Command;

use hardbop_base::errors::Check;
use hardbop_base::random::Random;
use hardbop_c::execute::Recording;

use super::judge;
use crate::support::c::{checked, execute};

const HEAD: &str = "int f(int n) { return n; } int g(int *p) { return *p; } int two(int n, int m) { return n - m; }
struct s { int x, y; unsigned b : 3, c : 3; } s; int a[5]; int nondet_int(void);\n";

/// The functions of a program, each a line of its own, in which gcc sees effects without an order; nothing without gcc.
fn warned(functions: &[String]) -> Option<BTreeSet<usize>> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p.c");
    std::fs::write(&file, functions.join("\n") + "\n").expect("a file");
    let options = ["-Wsequence-point", "-fsyntax-only", "-fno-diagnostics-show-caret"];
    let mut gcc = Command::new("gcc");
    let run = gcc.args(options).arg(&file).env("LC_ALL", "C").output().ok()?;
    let text = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.success(), "{text}");
    if !text.is_empty() && !text.contains("[-Wsequence-point]") {
        return None; // Another compiler by that name.
    }
    let lines = text.lines().filter(|line| line.contains("[-Wsequence-point]"));
    let numbers = lines.filter_map(|line| line.split(':').nth(1)?.parse::<usize>().ok());
    Some(numbers.map(|line| line - 1).collect())
}

/// An expression over `i`, `j` and `k`, at most so deep: of operators whose results gcc does not know beforehand.
fn expression(random: &mut Random, depth: usize) -> String {
    let variable = ["i", "j", "k"][random.below(3)];
    if depth == 0 {
        return if random.below(4) == 0 { "2".to_owned() } else { variable.to_owned() };
    }
    let mut inner = || expression(random, depth - 1);
    let (a, b) = (inner(), inner());
    match random.below(9) {
        0 => format!("{variable}++"),
        1 => format!("--{variable}"),
        2 => format!("({variable} = {a})"),
        3 => format!("({variable} += {a})"),
        4 => format!("-({a})"),
        5 => format!("two({a}, {b})"),
        _ => format!("({a} {} {b})", ["+", "*"][random.below(2)]),
    }
}

/// Of local variables, errors are what gcc warns of; without calls, nothing is left open.
#[test]
fn errors_are_where_gcc_warns() {
    let mut random = Random::new(5301);
    let texts: Vec<String> = (0..400).map(|_| expression(&mut random, 3)).collect();
    let function = |text: &String| {
        let body = format!("int i = 1, j = 2, k = 3; k = {text}; return i + j + k;");
        format!("int two(int n, int m) {{ return n - m; }} int main(void) {{ {body} }}")
    };
    let renamed = |(n, text): (usize, &String)| {
        function(text).replace("int main(void)", &format!("int at{n}(void)")).replacen(
            "int two(int n, int m) { return n - m; }",
            "int two(int n, int m);",
            1,
        )
    };
    let functions: Vec<String> = texts.iter().enumerate().map(renamed).collect();
    let Some(warned) = warned(&functions) else {
        return eprintln!("skipped: no gcc");
    };
    let (mut errors, mut open) = (0, 0);
    for (n, text) in texts.iter().enumerate() {
        let found = execute(&checked(&function(text), &[Check::Sequence]), &[], Recording::Inputs);
        let said = format!("k = {text}: {:?}", found.outcome);
        if found.reaches_error() {
            // gcc forgets the effects of arguments behind a call, whatever has no order with that.
            assert!(warned.contains(&n) || text.contains("two"), "{said}");
            errors += 1;
        } else if found.status.is_some() {
            assert!(!warned.contains(&n), "{said}");
        } else {
            assert!(text.contains("two"), "{said}");
            open += 1;
        }
    }
    assert!(errors > 100 && warned.len() < 350 && open < 40, "{errors}, {}, {open}", warned.len());
}

#[test]
fn effects_on_one_object_have_an_order() {
    let bodies = [
        ("unsafe", "int i = 1; i = i++;"),
        ("safe", "int i = 1; i = i + 1;"),
        ("unsafe", "int i = 1; a[i] = i++;"),
        ("safe", "int i = 1; a[i] = i; i++;"),
        ("unsafe", "int i = nondet_int(); if (i > 4711) i = ++i + 1;"),
        ("safe", "int i = nondet_int(); if (i > 4711 && i < 5) i = ++i + 1;"),
        ("unsafe", "int i = 1; two(i++, i);"),
        ("safe", "int i = 1, j = 1; two(i++, j++);"),
        ("unsafe", "int i = 1; i = f(2) + i++;"),
        ("safe", "int i = 1; i = f(i++);"),
        ("safe", "int i = 1; i = (i++, 3);"),
        ("unknown", "int i = 1; i = 1 + (i++, 3);"),
        ("safe", "int i = 1; i = i++ && a[0];"),
        ("unknown", "int i = 1; i = i > 0 ? i++ : 0;"),
        // Objects are told apart where the program is executed.
        ("unsafe", "int i = 1, j = nondet_int(); if (j < 0 || j > 4) return 0; a[i] = a[j]++;"),
        ("safe", "int i = 1, j = nondet_int(); if (j < 2 || j > 4) return 0; a[i] = a[j]++;"),
        ("unsafe", "int i = 1, j = 2, *p = nondet_int() ? &i : &j, *q = &j; *p = (*q)++;"),
        ("safe", "int i = 1, j = 2, *p = &i, *q = &j; *p = (*q)++;"),
        ("unsafe", "s.x = s.x++;"),
        ("safe", "s.x = s.y++; s.b = s.c++;"),
        ("unsafe", "int *p = a; *p++ = *p;"),
        ("safe", "int *p = a, *q = a + 2; *p++ = *q++;"),
        // Objects of other sizes, a part of which a character is.
        ("safe", "int n = 0, *p = &n; char c[3]; c[(*p)++] = 3;"),
        ("unsafe", "int n = 0, *p = &n; char *c = (char *)&n; c[(*p)++] = 3;"),
        ("unsafe", "int i = 1; char *c = (char *)&i; c[2] = i++;"),
        // Calls have an order with all else, also where they are written out.
        ("unknown", "int i = 1, j = 1; i = __sync_fetch_and_add(&j, 1) + j;"),
        ("unknown", "int i = 1, j; i = __builtin_add_overflow(i, 2, &j) + j;"),
        ("unsafe", "a[a[0]++] = 3;"),
        ("safe", "a[0] = 1; a[a[0]++] = 3;"),
        ("safe", "int i = 1, b[2] = {i, i++};"),
        ("safe", "int i = 3; while (i-- > 0) a[i] = i;"),
        ("safe", "int i = 3; i = g(&i);"),
        ("safe", "char c[3] = \"a\", d[3], *t = d, *u = c; while (*t++ = *u++);"),
    ];
    let text = |body: &str| format!("{HEAD}int main(void) {{ {body} return 0; }}");
    let programs: Vec<(&str, String)> = bodies.map(|(said, body)| (said, text(body))).to_vec();
    let programs: Vec<(&str, &str)> = programs.iter().map(|(s, text)| (*s, &**text)).collect();
    judge(Check::Sequence, false, &programs);
}
