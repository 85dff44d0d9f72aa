//! Functions of the C library on texts, followed character by character: gcc's library says what
//! they do.

use std::fmt::Write as _;

use super::{HEAD, answer, compare};
use hardbop_c::points_to::Externals;

const DECLARED: &str = "typedef unsigned long size_t; size_t strlen(const char *); int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t); int memcmp(const void *, const void *, size_t); char *strchr(const char *, int);
char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t); char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t);\n";

/// What is true or false of the texts.
const CONDITIONS: [&str; 18] = [
    "strlen(a) == 2",
    "strlen(b) < strlen(a)",
    "strcmp(a, b) < 0",
    "strcmp(a, b) == 0",
    "strcmp(b, a) > 0",
    "strncmp(a, b, 2) <= 0",
    "strncmp(a, b, 0) == 0",
    "strncmp(a, b, 9) > 0",
    "memcmp(a, b, 3) < 0",
    "memcmp(a, b, 8) == 0",
    "strchr(a, 'x') == a + 1",
    "strchr(a, 0) == a + strlen(a)",
    "strchr(b, 'q') == 0",
    "strcpy(a, b) == a && a[1] == 'x' && a[7] == 'z'",
    "strncpy(a, b, 4) == a && a[3] == 0 && a[4] == 'z'",
    "strcat(a, b) == a && strlen(a) == 4",
    "strncat(a, b, 1) == a && a[strlen(a) - 1] == 'x'",
    "!strncat(a, b, 3)[6]",
];

#[test]
fn of_known_texts() {
    let texts = ["\"\"", "\"x\"", "\"xy\"", "\"xx\"", "\"\\xff\"", "\"xy\\0q\""];
    let (mut programs, mut number) = (vec![], 0);
    for (i, a) in texts.iter().enumerate() {
        for b in &texts[i % 2..] {
            // A third of all, each condition with each text.
            for condition in CONDITIONS.iter().skip(number % 3).step_by(3) {
                let mut text = DECLARED.to_owned();
                let _ = write!(
                    text,
                    "int main(void) {{ char a[8] = {a}, b[8] = {b}; a[7] = 'z'; if (a[2] == 'z') a[2] = 0;\n\
                     if ({condition}) reach_error(); return 0; }}"
                );
                programs.push((true, text));
            }
            number += 1;
        }
    }
    compare("-std=gnu17", programs.into_iter());
}

/// Texts of inputs: what holds of all of them is proved, and what does not is refuted.
#[test]
fn of_any_text() {
    let head = format!(
        "{DECLARED}int main(void) {{ char a[4], b[8]; for (int i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int(); a[3] = 0;\n\
         for (int i = 0; i < 8; i++) b[i] = 0; "
    );
    let safe = [
        "size_t n = strlen(a); if (n > 3 || a[n]) reach_error();",
        "strcpy(b, a); if (strcmp(a, b)) reach_error();",
        "strcpy(b, a); strcat(b, a); if (strlen(b) != 2 * strlen(a)) reach_error();",
        "char *p = strchr(a, 'x'); if (p && (p < a || p > a + 2 || *p != 'x')) reach_error();",
        "b[0] = 'y'; if (strcmp(a, b) == 0 && a[0] != 'y') reach_error();",
        "if ((strcmp(a, b) < 0) != (strcmp(b, a) > 0)) reach_error();",
        "if (strncmp(a, b, 1) < 0) reach_error();",
        "strncpy(b, a, 3); if (memcmp(a, b, strlen(a))) reach_error();",
    ];
    let not = [
        "size_t n = strlen(a); if (n == 3) reach_error();",
        "strcpy(b, a); if (strcmp(a, b) == 0 && a[0] == 'x' && a[2] == 'y') reach_error();",
        "if (strcmp(a, b) > 0 && a[0] < 0) reach_error();",
        "if (strchr(a, 'q') == a + 2) reach_error();",
    ];
    let programs = safe.iter().map(|t| ("safe", t)).chain(not.iter().map(|t| ("unsafe", t)));
    let wrong = programs.filter_map(|(expected, text)| {
        let found = answer(&format!("{head}{text} return 0; }}"), Externals::Any);
        (found != expected).then(|| format!("{found}, not {expected}: {HEAD}{text}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
