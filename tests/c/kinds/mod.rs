//! Kinds of error that are asked for by name: verdicts for pairs of programs, one with an error and one without.  gcc's
//! sanitizers stop the harness of each error that they know.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use hardbop_base::errors::{CHECKS, Check, Checks};
use hardbop_verify::Options;

use crate::support::c::{analysis_only, checked, decide};

mod calls;
mod constants;
mod control;
mod conversions;
mod houdini;
mod operations;
mod pointers;
mod sequence;

const HEAD: &str = "typedef unsigned long size_t; void *malloc(size_t); void free(void *);
void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t);
char *strcpy(char *, const char *); char *strcat(char *, const char *); size_t strlen(const char *);
char *strncpy(char *, const char *, size_t); int sprintf(char *, const char *, ...);
int printf(const char *, ...); int scanf(const char *, ...); int sscanf(const char *, const char *, ...);
int toupper(int); int isdigit(int); void *memset(void *, int, size_t);
extern int nondet_int(void); extern unsigned nondet_uint(void); extern long nondet_long(void);
extern unsigned char nondet_uchar(void); extern double nondet_double(void); extern float nondet_float(void);
extern unsigned long nondet_ulong(void);\n";

/// Whether a program that gcc makes of a harness, as its first lines say, ends with an error; nothing where there is no gcc.
fn is_stopped(harness: &str) -> Option<bool> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("harness.c"), folder.path().join("a.out"));
    fs::write(&file, harness).expect("a file");
    let words = |start: &str| {
        let line = harness.lines().find_map(|line| line.trim().strip_prefix(start));
        line.unwrap_or_default().split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let compile = words("Compile: ");
    let options = compile.iter().skip(1).filter(|word| !word.ends_with(".c") && *word != "-lm");
    let mut gcc = Command::new(&compile[0]);
    gcc.args(options).arg(&file).arg("-o").arg(&program).arg("-lm").stdin(Stdio::null());
    let made = gcc.output().ok()?;
    assert!(made.status.success(), "{}\n{harness}", String::from_utf8_lossy(&made.stderr));
    let mut run = Command::new(&program);
    let variables = words("Run: ");
    run.envs(variables.iter().filter_map(|word| word.split_once('=')));
    Some(!run.stderr(Stdio::null()).status().expect("it runs").success())
}

/// What a check says of a program, by the analysis alone and together with all other ways; `is_seen` where gcc's sanitizers
/// find such errors.
fn judge(check: Check, is_seen: bool, programs: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (expected, text) in programs {
        let text = format!("{HEAD}{text}\n");
        let flow = checked(&text, &[check]);
        for options in [analysis_only(), Options::default()] {
            let (found, more) = decide(&flow, &options, Duration::from_secs(60));
            if found != *expected {
                wrong.push(format!("{found}, not {expected}: {text}\n{more}"));
            } else if found == "unsafe" {
                let is_stopped = is_stopped(&more);
                if is_stopped.is_some_and(|stopped| is_seen && !stopped) {
                    wrong.push(format!("not stopped: {more}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn groups_ask_for_what_they_say() {
    let of = |list| Checks::of_list(list).expect("a list");
    assert_eq!(of("memory"), of("bounds,null,free,lifetime"));
    assert_eq!(
        of("undefined"),
        of("memory,overflow,division,no-float-division,unreachable,return,float-cast")
    );
    let defined =
        [Check::UnsignedOverflow, Check::Conversion, Check::FloatDivision, Check::Deadlock];
    for row in &CHECKS {
        assert_eq!(of("all").has(row.check), !defined.contains(&row.check), "{}", row.name);
    }
}
