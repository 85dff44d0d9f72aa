//! Arguments of `main`: programs with twins, the command lines of their errors, and what they are not proved by.

use std::process::{Command, Stdio};
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::errors::{Check, Checks};
use hardbop_base::source::Source;
use hardbop_c::execute::{
    End, ExecutionOptions, ExecutionOutcome, Fault, Oracle, Randomly, Script, run,
};
use hardbop_c::flow::Flow;
use hardbop_c::harness::{ACCESS_OPTIONS, ERROR_CODE, harness};
use hardbop_c::lower::{Assumption, Model};
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};
use hardbop_report::trace::Trace;
use hardbop_verify::certificate::{Demand, Judgement, certificate, judge};
use hardbop_verify::{CProgram, Options, Outcome, check};

use crate::support::c::{decide, run_harness_hosted};

const HEAD: &str = "extern void reach_error(void); extern int strcmp(const char *, const char *);
extern unsigned long strlen(const char *); extern char *strcpy(char *, const char *); extern int atoi(const char *);
extern int printf(const char *, ...);
";

/// No checks but those of the program itself; checks of bounds; checks of bounds and of null pointers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checked {
    Nothing,
    Bounds,
    Accesses,
}

use Checked::{Accesses, Bounds, Nothing};

fn program(body: &str, checked: Checked, model: DataModel) -> Flow {
    let checks: &[Check] = match checked {
        Nothing => &[],
        Bounds => &[Check::Bounds],
        Accesses => &[Check::Bounds, Check::Null],
    };
    let checks = Checks::of(checks);
    let property = Property { checks, ..Property::default() };
    let options = ParseOptions { model: Some(model), property, ..ParseOptions::default() };
    let text = match model {
        DataModel::Lp64 => format!("{HEAD}{body}"),
        DataModel::Ilp32 => format!("{HEAD}{body}").replace("unsigned long", "unsigned"),
    };
    on_large_stack(|| parse(Source::new("p.c", text), &options))
        .expect("a thread")
        .unwrap_or_else(|mistakes| panic!("{body}: {mistakes:#?}"))
}

/// Programs, which are safe, and unsafe with the first text in place of the second one.
const TWINS: &[(Checked, &str, &str, &str)] = &[
    // The number, and the null pointer behind the last one.
    (Nothing, "argc < 2", "argc < 1",
     "int main(int argc, char **argv) { if (argc < 1) reach_error(); return 0; }"),
    (Nothing, "argv[argc - 1] != 0", "argv[argc] != 0",
     "int main(int argc, char **argv) { if (argv[argc] != 0) reach_error(); return 0; }"),
    (Nothing, "i <= argc", "i < argc",
     "int main(int argc, char **argv) { for (int i = 0; i < argc; i++) if (!argv[i]) reach_error(); return 0; }"),
    (Nothing, "!argv[argc]", "!argv[argc - 1]",
     "int main(int argc, char **argv) { argc--; argv++; if (argc > 3 && !argv[argc - 1]) reach_error(); return 0; }"),
    // Each text is an object of its own.
    (Nothing, "argv[1] != argv[2] && argv[2] != argv[3] && argv[1] != argv[3]", "argv[1] == 0",
     "int main(int argc, char **argv) { if (argc > 3 && argv[1] == 0) reach_error(); return 0; }"),
    // Streams are no texts.
    (
        Nothing,
        "argv[argc - 1]",
        "argv[argc]",
        "extern struct stream { char *next; } *output; int main(int argc, char **argv) { if (output && argv[argc] != 0) reach_error(); return 0; }",
    ),
    // What is in them.
    (Nothing, "== 'x' && strcmp(argv[2], \"-v\") == 0", "== 0 && argv[1] == 0",
     "int main(int argc, char **argv) { if (argc == 3 && argv[1][0] == 0 && argv[1] == 0) reach_error(); return 0; }"),
    (Nothing, "atoi(argv[1]) == 4321", "0",
     "int main(int argc, char **argv) { if (argc == 2 && 0) reach_error(); return 0; }"),
    (Nothing, "a && b", "a && b && c",
     "int main(int argc, char **argv) { int a = 0, b = 0, c = 0; for (int i = 1; i < argc; i++) if (argv[i][0] == '-') switch (argv[i][1]) {
        case 'a': a = 1; c = 0; break; case 'b': b = 1; break; default: return 1; } if (a && b && c) reach_error(); return 0; }"),
    (Nothing, "n == 307", "n < 0",
     "int main(int argc, char **argv) { if (argc < 2) return 1; int n = 0; for (char *p = argv[1]; *p >= '0' && *p <= '9' && n < 1000; p++)
        n = n * 10 + (*p - '0'); if (n < 0) reach_error(); return 0; }"),
    // Accesses, up to the zero.
    (Accesses, "argc < 1", "argc < 2",
     "int main(int argc, char **argv) { if (argc < 2) return 1; return argv[1][0] == 'x'; }"),
    (Accesses, "argv[1][2]", "argv[1][1]",
     "int main(int argc, char **argv) { if (argc < 2 || argv[1][0] != '-') return 1; return argv[1][1] == 'v'; }"),
    (Bounds, "argv[2][1]", "argv[2][0]",
     "int main(int argc, char **argv) { if (argc < 3 || argv[1][0] == 'y') return 1; return argv[2][0]; }"),
    (Bounds, "argv[2]", "argv[1]",
     "int main(int argc, char **argv) { return argv[1] ? 1 : 2; }"),
    (Accesses, "p[1]", "p[0]",
     "int main(int argc, char **argv) { char *p = argv[0]; while (*p) p++; return p[0]; }"),
    (Bounds, "strcpy(b, argv[1])", "b[0] = argv[1][0]",
     "int main(int argc, char **argv) { char b[4]; if (argc > 1) b[0] = argv[1][0]; return 0; }"),
    (Accesses, "s\\n\", argv[1]", "s\\n\", argv[0]",
     "int main(int argc, char **argv) { if (argc < 2) printf(\"usage: %s\\n\", argv[0]); return 0; }"),
    (Bounds, "argv[1][1] = 'x'", "argv[1][0] = 'x'",
     "int main(int argc, char **argv) { if (argc < 2) return 1; argv[1][0] = 'x'; return 0; }"),
];

#[test]
fn programs_over_their_arguments_are_decided() {
    for &(checked, unsafe_part, safe_part, text) in TWINS {
        assert!(text.contains(safe_part), "{text}");
        for (text, expected) in
            [(text.to_owned(), "safe"), (text.replacen(safe_part, unsafe_part, 1), "unsafe")]
        {
            let flow = program(&text, checked, DataModel::Lp64);
            let (verdict, more) = decide(&flow, &Options::default(), Duration::from_secs(200));
            assert_eq!(verdict, expected, "{more}: {text}");
            if verdict == "unsafe" && checked == Nothing {
                assert_eq!(run_harness_hosted(&more), Some(ERROR_CODE), "{text}\n{more}");
            } else if verdict == "unsafe" && !text.contains("printf") {
                // For a null pointer glibc prints "(null)".
                assert!(is_found(&more), "{text}\n{more}");
            }
        }
    }
}

/// Whether a sanitizer finds the error of a harness, or the harness itself does.
fn is_found(text: &str) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("h.c"), folder.path().join("h"));
    std::fs::write(&file, text).expect("a file");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-O0", "-fno-builtin", "-fno-strict-aliasing"]);
    gcc.args(ACCESS_OPTIONS.split(' ')).arg("-o").arg(&program).arg(&file).arg("-lm");
    assert!(gcc.status().is_ok_and(|s| s.success()), "{text}");
    let run = Command::new(&program).stdout(Stdio::null()).stderr(Stdio::null()).status();
    run.is_ok_and(|status| !status.success())
}

/// Programs that are not decided, since more than what is modelled would have to be known; a proof would be wrong.
const OPEN: &[(Checked, &str)] = &[
    // Only long, or many, arguments lead to the error.
    (
        Nothing,
        "int main(int argc, char **argv) { if (argc == 40 && argv[39][1] == 'x' && argv[38][0] == 'y') reach_error(); return 0; }",
    ),
    (
        Nothing,
        "int main(int argc, char **argv) { unsigned n = 0; while (argv[0][n] == 'q') n++; if (n == 77) reach_error(); return 0; }",
    ),
    // The system has pointers to the texts, too.
    (
        Nothing,
        "extern char *name; int main(int argc, char **argv) { if (argc > 1 && name == argv[0]) reach_error(); return 0; }",
    ),
    (
        Nothing,
        "char *name(void); int main(int argc, char **argv) { if (argc > 1 && name() == argv[1]) reach_error(); return 0; }",
    ),
    // The program writes to its arguments, or others may.
    (
        Nothing,
        "void f(char **); int main(int argc, char **argv) { f(argv); if (argv[0] == argv[1] && argv[1]) reach_error(); return 0; }",
    ),
    (
        Accesses,
        "int main(int argc, char **argv) { char **p = argv; p[0] = p[argc]; return argv[0] && argv[0][0] == 'x' && argv[0][1] == 'y' && argv[0][3]; }",
    ),
];

#[test]
fn what_few_arguments_do_not_show_is_no_proof() {
    for &(checked, text) in OPEN {
        let flow = program(text, checked, DataModel::Lp64);
        let options = Options { executions: 0, ..Options::default() };
        let (verdict, more) = decide(&flow, &options, Duration::from_secs(20));
        assert_ne!(verdict, "safe", "{more}: {text}");
    }
    for &(checked, _, _, text) in TWINS {
        let flow = program(text, checked, DataModel::Lp64);
        let options = Options { memory: Model::FewArguments, executions: 0, ..Options::default() };
        let (verdict, more) = decide(&flow, &options, Duration::from_secs(20));
        assert_eq!(verdict, "unknown", "{more}: {text}");
    }
}

#[test]
fn a_certificate_by_few_arguments_is_none() {
    let text = "int main(int argc, char **argv) { if (argv[argc]) reach_error(); return 0; }";
    let flow = program(text, Nothing, DataModel::Lp64);
    let options = Options { executions: 0, ..Options::default() };
    let report = check(CProgram::new(&flow), &options, &Budget::unlimited(), &mut ());
    let report = report.expect("solvers work");
    assert!(report.assumptions.contains(&Assumption::Arguments));
    let reading = ParseOptions { model: Some(DataModel::Lp64), ..ParseOptions::default() };
    let made = certificate(&flow, &reading, &options, &report, &Budget::unlimited());
    let made = made.expect("it is SAFE");
    let text = serde_json::to_string(&made).expect("plain data");
    let judged = |text: &str| {
        let read = serde_json::from_str(text).expect("a certificate");
        judge(&flow, &read, &Demand::default(), &Budget::unlimited())
            .expect("solvers work")
            .judgement
    };
    assert_eq!(judged(&text), Judgement::Valid);
    let forged = text.replace("\"one-cell\"", "\"few-arguments\"");
    assert_ne!(forged, text);
    assert!(matches!(judged(&forged), Judgement::Undecided(_)));
}

#[test]
fn a_trace_has_the_command_line() {
    let text = "int main(int argc, char **argv) { if (argc == 4 && strcmp(argv[1], \"it's\") == 0 && strcmp(argv[3], \"-v\") == 0) reach_error(); return 0; }";
    let flow = program(text, Nothing, DataModel::Lp64);
    for options in [
        Options::default(),
        Options { memory: Model::FewArguments, executions: 0, ..Options::default() },
    ] {
        let report = check(CProgram::new(&flow), &options, &Budget::unlimited(), &mut ());
        let Outcome::Unsafe(execution) = report.expect("solvers work").outcome else {
            panic!("{text}");
        };
        let trace = Trace::of_execution(&flow, &execution);
        assert_eq!(trace.command.as_deref(), Some(r"./a.out $'it\047s' '' -v"));
        assert!(trace.inputs.iter().map(|input| &*input.name).eq(["argc"]));
        assert!(harness(&flow, &execution).is_some_and(|h| h.notes.is_empty()));
    }
}

#[test]
fn the_interpreter_gives_what_c_says() {
    let run = |text: &str, model, oracle: &mut dyn Oracle| {
        run(&program(text, Nothing, model), oracle, &ExecutionOptions::default())
    };
    let sums = "int main(int argc, char **argv) { unsigned long n = 0; for (char **a = argv; *a; a++) n += strlen(*a) + 1;
        if (argv[argc] || argc < 1) reach_error(); char *last = argv[argc - 1]; last[strlen(last)] = 0; argv[0] = last; return argv[0] != last; }";
    let mut ended = 0;
    for seed in 0..50 {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let execution = run(sums, model, &mut Randomly::new(seed));
            if matches!(execution.outcome, ExecutionOutcome::Limit(_)) {
                // There are millions of them.
                continue;
            }
            ended += 1;
            let returned = ExecutionOutcome::Ended(End::Returned);
            assert_eq!((execution.outcome.clone(), execution.status), (returned, Some(0)));
            // The same inputs give the same arguments.
            let trace = execution.trace();
            let flow = program(sums, Nothing, model);
            let again = hardbop_c::execute::Traced::new(&trace);
            let again =
                hardbop_c::execute::run(&flow, &mut { again }, &ExecutionOptions::default());
            assert_eq!(again.inputs, execution.inputs);
        }
    }
    assert!(ended > 50);
    let fault = |text| match run(text, DataModel::Lp64, &mut Script::new([])).outcome {
        ExecutionOutcome::Fault { fault, .. } => fault,
        other => panic!("{text}: {other:?}"),
    };
    let behind = "int main(int argc, char **argv) { return argv[argc + 1] == 0; }";
    assert!(matches!(fault(behind), Fault::OutOfBounds { .. }));
    let behind = "int main(int argc, char **argv) { return argv[0][strlen(argv[0]) + 1]; }";
    assert!(matches!(fault(behind), Fault::OutOfBounds { .. }));
    assert_eq!(fault("int main(int argc, long what) { return what == 0; }"), Fault::Arguments);
    // What nothing reads is no input.
    let unread = "int main(int argc, char **argv) { return 0; }";
    assert!(run(unread, DataModel::Lp64, &mut Script::new([])).is_determined());
    let read = "int main(int argc, char **argv, char **envp) { return envp[0] == 0; }";
    assert!(!run(read, DataModel::Lp64, &mut Script::new([])).is_determined());
}
