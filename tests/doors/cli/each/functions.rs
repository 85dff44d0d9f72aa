//! `check --entry '*'`: a verdict for each function, with what its pointers lead to.

use super::*;

const PROGRAM: &str = "#include <assert.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct dev { int *data; char name[4]; };
extern void outside(struct node *);
static int half(int x) { return x / 2; }
int get(int *p) { return half(*p); }
int checked(int *p) { return p ? *p / 2 : 0; }
int inc(int x) { return x + 1; }
int behind(int *p) { return p[1] / 2; }
int member(struct dev *d, unsigned i) { d->name[i & 3] = 1; return *d->data / 2; }
int third(struct node *n) { return n->next->next->value / 2; }
int fourth(struct node *n) { return n->next->next->next->value / 2; }
int cast(struct node *n) { return *(int *)n->next->next->next / 2; }
int moved(struct node *n) { struct node *m = n->next->next->next; m++; m--; return m->value / 2; }
void given(struct node *n) { outside(n->next->next->next); }
int through(void *p) { return *(int *)p / 2; }
int apart(int *a, int *b) { int v = *b; *a = 3; if (*b != v) abort(); return 8 / (*b == v); }
int main(int argc, char **argv) { return argv[0][0] / 2; }
";

/// Name and verdict of each line, and what is on standard error.
fn verdicts(text: &str, options: &[&str]) -> (Vec<(String, String)>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p.c");
    fs::write(&file, text).expect("a file");
    let check = ["check", file.to_str().expect("a name"), "--entry", "*"];
    let out = run(&[&check[..], options].concat(), b"");
    let said = stdout(&out);
    let mut rows = vec![];
    for line in said.lines().filter(|line| !line.starts_with("VERDICT")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, place, verdict, ..] = words[..] else { panic!("{said}{}", stderr(&out)) };
        assert!(place.contains("p.c:"), "{line}");
        rows.push((name.to_owned(), verdict.to_owned()));
    }
    let worst = match () {
        () if rows.iter().any(|(_, verdict)| verdict == "UNSAFE") => 10,
        () if rows.iter().any(|(_, verdict)| verdict == "UNKNOWN") => 20,
        () => 0,
    };
    assert_eq!(code(&out), Some(worst), "{said}{}", stderr(&out));
    (rows, stderr(&out))
}

const UNDEFINED: [&str; 2] = ["--check", "overflow,bounds,null,division"];

#[test]
fn each_function_has_a_verdict() {
    let (rows, said) = verdicts(PROGRAM, &UNDEFINED);
    let answer = [
        ("half", "SAFE"),
        ("get", "SAFE"),
        ("checked", "SAFE"),
        ("inc", "UNSAFE"),
        // An object is one element.
        ("behind", "UNSAFE"),
        ("member", "SAFE"),
        ("third", "SAFE"),
        // Whatever is done with what is too deep is left open.
        ("fourth", "UNKNOWN"),
        ("cast", "UNKNOWN"),
        ("moved", "UNKNOWN"),
        ("given", "UNKNOWN"),
        // There is no object of type `void`, so it is any pointer.
        ("through", "UNSAFE"),
        ("apart", "SAFE"),
        ("main", "SAFE"),
    ];
    assert_eq!(rows, expected(&answer), "{said}");
    let assumed = "assumed: each pointer that the function is given leads to an object of its type, one element, to which no \
                   other one leads";
    assert!(said.contains(assumed), "{said}");
    assert!(said.contains("assumed: where a function is called, global variables have"), "{said}");
}

/// The same pointers may be null, or anything.
#[test]
fn pointers_that_need_not_be_valid() {
    let functions =
        "int get(int *p) { return *p / 2; }\nint checked(int *p) { return p ? *p / 2 : 0; }\n";
    for (pointers, verdict_of_checked) in [("maybe-null", "SAFE"), ("any", "UNSAFE")] {
        let options = ["--pointers", pointers, "--check", "bounds,null"];
        let (rows, said) = verdicts(functions, &options);
        let answer = [("get", "UNSAFE"), ("checked", verdict_of_checked)];
        assert_eq!(rows, expected(&answer), "{pointers}: {said}");
        assert_eq!(
            said.contains("is null or leads to an object"),
            pointers == "maybe-null",
            "{said}"
        );
    }
}

/// An assertion is no check of operations; what is too deep is open there, too.
#[test]
fn assertions_about_objects() {
    let text = "#include <assert.h>\nstruct node { int value; struct node *next; };\n\
                void near(struct node *n) { n->next->value = 1; n->value = 2; assert(n->next->value == 1); }\n\
                void far(struct node *n) { n->next->next->next->value = 1; assert(n); }\n\
                void wrong(struct node *n) { assert(n->next->value != 4); }\n";
    let (rows, said) = verdicts(text, &[]);
    let answer = [("near", "SAFE"), ("far", "UNKNOWN"), ("wrong", "UNSAFE")];
    assert_eq!(rows, expected(&answer), "{said}");
}

/// With `--each` a line has counts of what the function leads to, and no others.
#[test]
fn findings_of_each_function_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p.c");
    let text = "static int half(int x) { return x / 2; }\nint sum(int a, int b) { return half(a) + b; }\n\
                int div(int a, unsigned b) { return b ? a + 0 * 7 : 8 / (int)b; }\nint none(void) { return 0; }\n";
    fs::write(&file, text).expect("a file");
    let check = ["check", file.to_str().expect("a name"), "--entry=*", "--each", "--check"];
    let out = run(&[&check[..], &["overflow,division"]].concat(), b"");
    let said = stdout(&out);
    let found: Vec<&str> = said.lines().collect();
    let counts = ["2 proved, 0 errors, 0 open", "1 proved, 1 error, 0 open", "", ""];
    assert_eq!(found.len(), 5, "{said}{}", stderr(&out));
    for (line, counts) in found.iter().zip(counts) {
        assert!(line.contains(counts), "{said}{}", stderr(&out));
    }
    assert!(found[2].contains("1 error, 0 open"), "{said}");
    assert_eq!((found[4], code(&out)), ("VERDICT: UNSAFE", Some(10)), "{said}");
}

#[test]
fn what_is_about_one_start_is_refused() {
    let file = "examples/queue/queue.c";
    for options in [
        &["check", file, "--entry", "*", "--sarif", "x.sarif"][..],
        &["check", file, "--pointers", "valid"],
        &["check", file, "--entry", "push", "--pointers", "valid", "--certificate", "x.json"],
        &["check", "examples/lock-safe.bp", "--entry", "*"],
        &["check", "-", "--language", "c", "--entry", "*"],
    ] {
        let out = run(options, b"int main(void) { return 0; }");
        assert_eq!(code(&out), Some(2), "{options:?}: {}", stderr(&out));
    }
}
