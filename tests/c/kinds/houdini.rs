//! Programs whose loops read texts and fill buffers: invariants from candidates alone prove them, whatever the sizes.

use std::time::Duration;

use hardbop_base::errors::Check;
use hardbop_verify::{Options, Strategy};

use crate::support::c::{checked, decide};

/// Programs, each with what makes it wrong: the first text in place of the second.
const PROGRAMS: &[(&str, [&str; 2])] = &[
    // A stack.
    (
        "static int stack[64], top; while ((c = getchar()) != -1) {
           if (c == 'p' && top < 64) stack[top++] = c; else if (c == 'q' && top > 0) c = stack[--top]; }",
        ["top <= 64", "top < 64"],
    ),
    // A line without its first blanks.
    (
        "char line[48], *p; while (fgets(line, 48, stdin)) { p = line; while (*p && *p == ' ') p++; if (*p == '#') n++; }",
        ["*p != '#'", "*p && *p == ' '"],
    ),
    // A word that is cut off.
    (
        "char word[20]; while ((c = getchar()) != -1) { if (c == ' ') { word[n] = 0; n = 0; } else if (n < 19) word[n++] = c; }",
        ["n < 21", "n < 19"],
    ),
    // A ring.
    (
        "static int ring[32]; unsigned head = 0; while ((c = getchar()) != -1) { ring[head] = c; if (++head >= 32) head = 0; }",
        ["++head > 32", "++head >= 32"],
    ),
    // Positions in order.
    (
        "static char b[100]; int from = 0, to = 0; while ((c = getchar()) != -1) {
           if (to < 100) b[to++] = c; if (c == '.' && from < to) n += b[from++]; if (c == '!') from = to = 0; }",
        ["from <= to", "from < to"],
    ),
];

const HEAD: &str = "typedef struct file FILE; extern FILE *stdin; int getchar(void); char *fgets(char *, int, FILE *);
int main(void) { int c, n = 0; ";

#[test]
fn loops_over_texts_and_buffers() {
    let read = |text: &str| Strategy::read(text.as_bytes()).expect("a strategy");
    let proof = r#""tree": [{"do": "tree"}], "automaton": [{"do": "houdini"}]"#;
    let strategy = read(&format!(r#"{{"auto": [{{"do": "tree"}}], {proof}}}"#));
    let options = Options { strategy, ..Options::default() };
    for (program, [wrong, right]) in PROGRAMS {
        assert!(program.contains(right), "{program}");
        for (text, expected) in
            [(program.to_string(), "safe"), (program.replace(right, wrong), "unknown")]
        {
            let text = format!("{HEAD}{text} return n; }}\n");
            let flow = checked(&text, &[Check::Bounds, Check::Null]);
            let (found, why) = decide(&flow, &options, Duration::from_secs(60));
            assert_eq!(found, expected, "{why}\n{text}");
        }
    }
}
