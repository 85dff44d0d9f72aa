//! Calls of library functions on texts, with `--check-bounds` and `--check-null`: verdicts of
//! random programs against runs of them on all inputs, with gcc's sanitizers.
//!
//! `HARDBOP_PROGRAMS=500 HARDBOP_SEED=7 cargo test --test c models` makes more of them;
//! `HARDBOP_KEEP=folder` keeps them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use hardbop_base::errors::{Check, Checks};
use hardbop_base::random::Random;
use hardbop_base::source::Source;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};
use hardbop_verify::Options;

use crate::accesses::is_stopped;
use crate::support::c::texts::{HEAD, Made, programs};
use crate::support::c::{decide, number};
use hardbop_c::harness::ACCESS_OPTIONS;

/// Runs each program on all inputs, in a process of its own, and prints what they look at.
/// What glibc lacks, or gcc's sanitizer does not look into, is defined here.
const DRIVER: &str = r#"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int out, inputs[2], used;
int __VERIFIER_nondet_int(void) { return inputs[used++]; }
#define PROBE(k, value) dprintf(out, "v %d %lld\n", k, (long long)(value))
#define stpcpy own_stpcpy
#define strlcpy own_strlcpy
#define strlcat own_strlcat
#define wcscpy own_wcscpy
#define wcsncpy own_wcsncpy
#define wmemset own_wmemset
#define wmemcpy own_wmemcpy
#define wmemmove own_wmemmove
"#;

const OWN: &str = r#"
char *stpcpy(char *a, const char *b) { while ((*a = *b++)) a++; return a; }
size_t strlcpy(char *a, const char *b, size_t n) {
  size_t length = strlen(b), k = length < n ? length : n - 1;
  if (n) { memcpy(a, b, k); a[k] = 0; }
  return length;
}
size_t strlcat(char *a, const char *b, size_t n) {
  size_t length = strnlen(a, n);
  return length + (length < n ? strlcpy(a + length, b, n - length) : strlen(b));
}
int *wcscpy(int *a, const int *b) { int *start = a; while ((*a++ = *b++)); return start; }
int *wcsncpy(int *a, const int *b, size_t n) {
  size_t length = 0;
  while (length < n && b[length]) length++;
  for (size_t k = 0; k < n; k++) a[k] = k < length ? b[k] : 0;
  return a;
}
int *wmemset(int *a, int c, size_t n) { for (int *p = a; n; n--) *p++ = c; return a; }
int *wmemcpy(int *a, const int *b, size_t n) { return memcpy(a, b, 4 * n); }
int *wmemmove(int *a, const int *b, size_t n) { return memmove(a, b, 4 * n); }
static void one(int number, int (*program)(void), int a, int b) {
  int status;
  inputs[0] = a; inputs[1] = b;
  if (!fork()) {
    int null = open("/dev/null", O_WRONLY);
    out = dup(1); dup2(null, 1); dup2(null, 2);
    program();
    _exit(0);
  }
  wait(&status);
  printf("e %d\n", status ? WEXITSTATUS(status) : 0);
  fflush(stdout);
}
"#;

/// How a program behaves on all its inputs.
#[derive(Debug, Default, Clone)]
struct Truth {
    /// Whether some run is stopped.
    is_stopped: bool,
    /// The values of each look.
    values: BTreeMap<usize, Vec<i64>>,
}

/// What the programs do; nothing where there is no gcc that has sanitizers.
fn truths(programs: &[Made]) -> Option<Vec<Truth>> {
    let mut text = format!("{DRIVER}{HEAD}{OWN}");
    let mut calls = String::new();
    for (i, made) in programs.iter().enumerate() {
        let body = made.text.strip_prefix(HEAD).expect("the head");
        text.push_str(&body.replace("int main(void)", &format!("static int main{i}(void)")));
        let _ = writeln!(calls, "  printf(\"p {i}\\n\"); fflush(stdout);");
        let of = |input| if input < made.inputs { 4 } else { 1 };
        for (a, b) in (0..of(0)).flat_map(|a| (0..of(1)).map(move |b| (a, b))) {
            let _ = writeln!(calls, "  one({i}, main{i}, {a}, {b});");
        }
    }
    let _ = writeln!(text, "int main(void) {{\n{calls}  return 0;\n}}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("all.c"), folder.path().join("all"));
    std::fs::write(&file, &text).expect("a file");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-g", "-w", "-O0", "-fno-builtin", "-fno-sanitize-recover=all"]);
    gcc.args(["-fsanitize=address,undefined", "-o"]).arg(&program).arg(&file);
    let built = gcc.stdin(Stdio::null()).output().ok()?;
    if !built.status.success() {
        let message = String::from_utf8_lossy(&built.stderr).into_owned();
        assert!(!message.contains("all.c:"), "{message}\n{text}");
        eprintln!("skipped: no gcc with sanitizers");
        return None;
    }
    let output = Command::new(&program)
        .env("ASAN_OPTIONS", "detect_leaks=0:strict_string_checks=0:exitcode=77")
        .output()
        .expect("it runs");
    let mut all: Vec<Truth> = vec![];
    for line in String::from_utf8(output.stdout).expect("a text").lines() {
        let mut words = line.split(' ');
        let kind = words.next().expect("a word");
        let mut next = || words.next().and_then(|w| w.parse::<i64>().ok()).expect("a number");
        let first = next();
        match (kind, all.last_mut()) {
            ("p", _) => all.push(Truth::default()),
            ("v", Some(truth)) => {
                let values = truth.values.entry(first as usize).or_default();
                let value = next();
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            // What a check of undefined behaviour stops ends with 1.
            ("e", Some(truth)) => {
                assert!([0, 1, 77].contains(&first), "a run ends with {first}");
                truth.is_stopped |= first != 0;
            }
            _ => panic!("{line}"),
        }
    }
    assert_eq!(all.len(), programs.len(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(all)
}

/// The program with its looks as assertions: all hold, or one of them does not.
fn asserted(made: &Made, truth: &Truth, random: &mut Random) -> (String, bool) {
    let mut text = made.text.clone();
    let mut is_wrong = false;
    for k in 0..made.probes {
        let mut values = truth.values.get(&k).cloned().unwrap_or_default();
        if !values.is_empty() && random.chance(10) {
            values.remove(random.below(values.len()));
            is_wrong = true;
        }
        let look = format!("PROBE({k}, ");
        let start = text.find(&look).expect("a look");
        let end = start + text[start..].find(");").expect("its end");
        let value = &text[start + look.len()..end];
        let differs: Vec<String> = values
            .iter()
            .map(|v| match v {
                &i64::MIN => "r != (-9223372036854775807LL - 1)".to_owned(),
                v => format!("r != {v}LL"),
            })
            .collect();
        let condition = if differs.is_empty() { "1".to_owned() } else { differs.join(" && ") };
        let statement = format!("{{ long long r = {value}; if ({condition}) reach_error(); }}");
        text.replace_range(start..end + 2, &statement);
    }
    (text, is_wrong)
}

/// The verdict, with the reason where there is none, and the harness of an error.
fn verdict(text: &str, model: DataModel) -> (&'static str, String) {
    let seconds = number("HARDBOP_SECONDS", 10) as u64;
    let property =
        Property { checks: Checks::of(&[Check::Bounds, Check::Null]), ..Property::default() };
    let options = ParseOptions { model: Some(model), property, ..ParseOptions::default() };
    let parsed = || parse(Source::new("p.c", text), &options);
    let flow = on_large_stack(parsed).expect("a thread");
    let flow = flow.unwrap_or_else(|d| panic!("{text}: {d:#?}"));
    decide(&flow, &Options::default(), Duration::from_secs(seconds))
}

/// Whether all means the same where `long` and pointers have 32 bits.
fn is_portable(text: &str) -> bool {
    !text.contains("%l") && !text.contains("L)") && !text.contains("L,")
}

#[test]
fn verdicts_are_those_of_all_runs() {
    let seed = number("HARDBOP_SEED", 1);
    let mut random = Random::new(seed as u64);
    let all = programs(&mut random, number("HARDBOP_PROGRAMS", 16));
    let keep = std::env::var("HARDBOP_KEEP").ok();
    let (mut wrong, mut reasons) = (vec![], BTreeMap::<String, usize>::new());
    let mut counts = BTreeMap::<String, usize>::new();
    for (batch, programs) in all.chunks(50).enumerate() {
        let Some(truths) = truths(programs) else { return };
        for (i, (made, truth)) in programs.iter().zip(&truths).enumerate() {
            let (text, is_wrong) = asserted(made, truth, &mut random);
            let is_unsafe = truth.is_stopped || is_wrong;
            let name = format!("{seed}-{}", 50 * batch + i);
            let model = match is_portable(&made.text) && random.chance(50) {
                true => DataModel::Ilp32,
                false => DataModel::Lp64,
            };
            let truth = if is_unsafe { "unsafe" } else { "safe" };
            if let Some(folder) = &keep {
                std::fs::write(format!("{folder}/{name}.{truth}.c"), &text).expect("a file");
            }
            let (found, more) = verdict(&text, model);
            *counts.entry(format!("{truth}: {found}")).or_default() += 1;
            // gcc's sanitizer looks neither into these functions nor into those that glibc lacks.
            let unseen = ["wcs", "wmem", "stpcpy", "strlcpy", "strlcat"];
            let body = made.text.strip_prefix(HEAD).expect("the head");
            let is_seen = !unseen.iter().any(|name| body.contains(name));
            let is_reached = || {
                found != "unsafe"
                    || i % 4 != 0
                    || !is_seen
                    || is_stopped(&more, ACCESS_OPTIONS) != Some(false)
            };
            match found {
                "unknown" => {
                    eprintln!("{name}.{truth}: {more}");
                    *reasons.entry(more).or_default() += 1;
                }
                _ if found != truth => {
                    wrong.push(format!("{name}, {model:?}: {found}, not {truth}:\n{text}"));
                }
                _ if !is_reached() => {
                    wrong.push(format!("{name}, {model:?}: the harness ends well:\n{text}"));
                }
                _ => {}
            }
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().map(|(reason, n)| (n, reason)).collect();
    reasons.sort();
    for (n, reason) in reasons.iter().rev() {
        eprintln!("{n}: {reason}");
    }
    eprintln!("seed {seed}: {counts:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the random programs do not have.
const OTHERS: &[(&str, &str)] = &[
    // Letters of the other case do not end a comparison.
    ("unsafe", "char a[3] = {65, 66, 67}; return strcasecmp(a, \"abcd\");"),
    ("safe", "char a[3] = {65, 66, 67}; return strcasecmp(a, \"abd\");"),
    // A zero does not end this search; so many characters need no zero.
    ("unsafe", "char a[3] = \"ab\"; return rawmemchr(a, 5) != 0;"),
    ("safe", "char a[3] = {1, 2, 3}; return strndup(a, 3) != 0;"),
    ("unsafe", "char a[3] = {1, 2, 3}; return strndup(a, 4) != 0;"),
    ("safe", "perror(0); return 0;"),
    // Calls through pointers.
    ("unsafe", "char a[3] = {1, 2, 3}; size_t (*f)(const char *) = strlen; return f(a) == 2;"),
    ("safe", "char a[3] = \"ab\"; size_t (*f)(const char *) = strlen; return f(a) == 2;"),
    ("unsafe", "char a[3]; char *(*f)(char *, const char *) = strcpy; f(a, \"abc\"); return 0;"),
    // Arguments that are none, or others than the format asks for.
    ("unknown", "printf(\"%s %s\", \"a\"); return 0;"),
    ("unknown", "printf(\"%s\", 5); return 0;"),
    ("unknown", "char a[9]; return sprintf(a, \"%lld\", 5);"),
    // A zero within ends the format.
    ("safe", "char a[2]; sprintf(a, \"a\\0bcd\"); return a[1];"),
    // Numbers of one type, written as those of another.
    ("safe", "char a[9]; if (sprintf(a, \"%x\", -1) != 8 || a[7] != 'f') reach_error(); return 0;"),
    ("unsafe", "char a[8]; return sprintf(a, \"%x\", -1);"),
    (
        "safe",
        "char a[4]; sprintf(a, \"%hhX\", -1); if (a[1] != 'F' || a[2]) reach_error(); return 0;",
    ),
    ("safe", "char a[3]; if (sprintf(a, \"%d\", 4294967295u) != 2) reach_error(); return 0;"),
    (
        "safe",
        "char a[7]; sprintf(a, \"%+6.3d\", 5); if (a[2] != '+' || a[5] != '5') reach_error();",
    ),
    ("safe", "char a[6]; sprintf(a, \"%05d\", -7); if (a[0] != '-' || a[1] != '0') reach_error();"),
    ("safe", "char a[1]; if (sprintf(a, \"%.0d\", 0)) reach_error(); return 0;"),
    // Where wchar_t has two bytes.
    ("unknown", "unsigned short a[3] = {1, 2, 0}; return wcslen(a) == 2;"),
];

#[test]
fn other_verdicts() {
    let head = format!(
        "{HEAD}extern char *rawmemchr(const char *, int);
         extern char *strndup(const char *, size_t);
         extern void perror(const char *);\n"
    );
    let mut wrong = vec![];
    for (expected, body) in OTHERS {
        let text = format!("{head}int main(void) {{ {body} }}\n");
        let text = match body.contains("wcslen") {
            true => text.replace("wcslen(const int *)", "wcslen(const unsigned short *)"),
            false => text,
        };
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let (found, more) = verdict(&text, model);
            if found != *expected {
                let more = if found == "unknown" { more } else { String::new() };
                wrong.push(format!("{model:?}: {found}, not {expected}: {body} {more}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
