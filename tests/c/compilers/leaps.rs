//! Long loops, of which the interpreter takes many rounds at once: gcc says what variables hold at
//! the end.

use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

use hardbop::{COptions, StepKind, check_c};
use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_base::source::Source;
use hardbop_c::execute::{self, End, ExecutionOptions, ExecutionOutcome, Recording, Zero};
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, on_large_stack, parse};
use hardbop_verify::{CProgram, Options, Outcome, check};

const TYPES: &[&str] = &[
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "_Bool",
];

struct Maker<'r>(&'r mut Random);

impl Maker<'_> {
    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.0.below(all.len())]
    }

    fn number(&mut self) -> String {
        match self.0.below(8) {
            0 => self
                .pick(&["127", "128", "-128", "255", "256", "32767", "65535", "-32769"])
                .to_owned(),
            1 => self.pick(&["2147483647", "-2147483647", "4294967295u", "4294967290u"]).to_owned(),
            2 => self.pick(&["9223372036854775807", "18446744073709551615u"]).to_owned(),
            3 => format!("{}", self.0.below(1_000_000)),
            _ => format!("{}", self.0.below(9) as i64 - 4),
        }
    }

    fn condition(&mut self) -> String {
        let relation = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let [x, y] = [self.pick(&["a", "b", "c", "g", "i"]), self.pick(&["a", "b", "i"])];
        match self.0.below(6) {
            0 => format!("{x} {relation} {y}"),
            1 => format!("{x} - {y} {relation} {}", self.number()),
            2 => format!("{x} + 2 * {y} {relation} {} && {y} != {}", self.number(), self.number()),
            3 => format!("!({x} {relation} {}) || {y}", self.number()),
            _ => format!("{x} {relation} {}", self.number()),
        }
    }

    fn statement(&mut self) -> String {
        let [x, y] = [self.pick(&["a", "b", "c", "g"]), self.pick(&["a", "b", "k", "i"])];
        let ty = TYPES[self.0.below(TYPES.len())];
        match self.0.below(14) {
            0..=3 => format!("{x} += {};", self.number()),
            4 => format!("{x} -= {};", self.number()),
            5 => format!("{x} = {y} + {};", self.number()),
            6 => format!("{x} = ({ty}){y};"),
            7 => format!("{x} = {y} * {};", self.0.below(6) as i64 - 2),
            8 => {
                format!("{x} = {};", self.pick(&["f(a)", "f(b)", "h(b, k)", "-b", "~b", "a << 1"]))
            }
            9 => format!("for (int j = 0; j < {}; j++) {x} += {};", self.0.below(5), self.number()),
            10 => format!("{x} += k;"),
            11 => format!("{x} = {} ? {y} : {};", self.condition(), self.number()),
            _ => format!("if ({}) {} else {}", self.condition(), self.simple(), self.simple()),
        }
    }

    fn simple(&mut self) -> String {
        let x = self.pick(&["a", "b", "c", "g"]);
        let change = self.pick(&["++", "--", " += 3", " += k", " -= 2", " = i"]);
        format!("{x}{change};")
    }

    /// A function that returns a sum of all variables.
    fn program(&mut self, name: &str) -> String {
        let mut ty = || TYPES[self.0.below(TYPES.len())];
        let (a, b, c, k, g, i) = (ty(), ty(), ty(), ty(), ty(), ty());
        let mut out =
            format!("static unsigned long {name}(void) {{\n  static {g} g = {};\n", self.number());
        let _ = writeln!(
            out,
            "  {a} a = {}; {b} b = {}; {c} c = {}; {k} k = {};",
            self.number(),
            self.number(),
            self.number(),
            self.number()
        );
        let _ = writeln!(out, "  {i} i = {}; unsigned rounds = 0;", self.number());
        let bound = 2_000 + self.0.below(300_000);
        let _ = writeln!(
            out,
            "  while (rounds < {bound} && (rounds < 3000 || {})) {{",
            self.condition()
        );
        let _ = writeln!(out, "    rounds++; i += {};", self.pick(&["1", "1", "2", "3", "-1"]));
        for _ in 0..1 + self.0.below(4) {
            let _ = writeln!(out, "    {}", self.statement());
        }
        let _ = writeln!(out, "  }}");
        let _ = writeln!(
            out,
            "  return rounds + 3 * a + 7ul * b + 31ul * c + 101ul * g + 1009ul * i;\n}}"
        );
        out
    }
}

#[test]
fn rounds_at_once() {
    const COUNT: usize = 60;
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let seed = std::env::var("HARDBOP_FUZZ_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let mut random = Random::new(seed);
    let head = "static int f(int x) { return x + 3; }\nstatic int h(int x, int y) { if (x > y) return x - 1; return x + 1; }\n";
    let names: Vec<String> = (0..COUNT).map(|n| format!("p{n}")).collect();
    let texts: Vec<String> = names.iter().map(|name| Maker(&mut random).program(name)).collect();
    let calls: String = names.iter().map(|n| format!("printf(\"%lu\\n\", {n}());\n")).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let (source, exe) = (folder.path().join("p.c"), folder.path().join("p"));
    let whole = format!(
        "#include <stdio.h>\n{head}{}int main(void) {{\n{calls}return 0; }}\n",
        texts.concat()
    );
    std::fs::write(&source, whole).expect("writes");
    let built =
        Command::new("gcc").args(["-w", "-O1", "-fwrapv", "-o"]).arg(&exe).arg(&source).output();
    assert!(built.expect("gcc runs").status.success());
    let results = Command::new(&exe).output().expect("runs").stdout;
    let results = String::from_utf8(results).expect("numbers");
    let results: Vec<u64> = results.lines().map(|line| line.parse().expect("a number")).collect();
    assert_eq!(results.len(), COUNT);

    let (mut leaping, mut wrong) = (0, vec![]);
    for ((name, text), result) in names.iter().zip(&texts).zip(results) {
        let text = format!(
            "void reach_error(void);\n{head}{text}int main(void) {{ if ({name}() != {result}ul) reach_error(); return 0; }}"
        );
        let run = || {
            let reading = ParseOptions { model: Some(DataModel::Lp64), ..ParseOptions::default() };
            let flow = parse(Source::new("p.c", &text), &reading).expect("a program");
            let record = Recording::Edges;
            let options =
                ExecutionOptions { record, steps: 100_000_000, ..ExecutionOptions::default() };
            let found = execute::run(&flow, &mut Zero, &options);
            (found.outcome, found.leaps.len())
        };
        let (outcome, leaps) = on_large_stack(run).expect("a thread");
        leaping += usize::from(leaps > 0);
        if outcome != ExecutionOutcome::Ended(End::Returned) {
            wrong.push(format!("{outcome:?} after {leaps} leaps: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(3 * leaping > COUNT, "{leaping} of {COUNT} leap");
}
/// Rounds until a signed number overflows, billions of them, are no error that is worth showing; an
/// overflow and some thousands of rounds are.
#[test]
fn errors_behind_overflows() {
    let head = "void reach_error(void); unsigned __VERIFIER_nondet_uint(void);\n";
    let far = "int main(void) { unsigned z = __VERIFIER_nondet_uint(); for (int k = 0; k < z; k++) if (k < 0) reach_error(); }";
    let near = "int main(void) { int h = 7; for (int i = 0; i < 20; i++) h *= 31; for (int i = 0; i < 5000; i++) h += 2; if (h) reach_error(); }";
    for (text, expected) in [(far, false), (near, true)] {
        let run = || {
            let reading = ParseOptions { model: Some(DataModel::Lp64), ..ParseOptions::default() };
            let flow = parse(Source::new("p.c", format!("{head}{text}")), &reading);
            let flow = flow.expect("a program");
            let budget = Budget::unlimited().with_time_limit(Duration::from_secs(1));
            let options = Options::default();
            check(CProgram::new(&flow), &options, &budget, &mut ()).expect("solvers work").outcome
        };
        let outcome = on_large_stack(run).expect("a thread");
        assert_eq!(matches!(outcome, Outcome::Unsafe(_)), expected, "{text}");
    }
}

/// A trace has one step for the rounds that are not listed, and counts them, also if they are more
/// than numbers of 64 bits tell.
#[test]
fn traces_count_rounds() {
    let head = "void reach_error(void); int main(void) {";
    let once = "unsigned x = 0; while (x < 268435455) x += 2; if (x % 2 == 0) reach_error(); }";
    let often = "unsigned long x = 0; int c = 0; for (;;) { x++; if (x == 0) c++; if (c == 3) reach_error(); } }";
    for (text, leaps, iteration) in [(once, 1, Some(134_217_729)), (often, 3, Some(u64::MAX))] {
        let options = COptions { data_model: Some(DataModel::Lp64), ..COptions::default() };
        let source = Source::new("p.c", format!("{head}{text}"));
        let answer = check_c(&source, &options, &Budget::unlimited(), &mut ()).expect("a program");
        let steps = answer.trace.expect("UNSAFE").steps;
        let rounds = steps.iter().filter(|step| step.kind == StepKind::Rounds).count();
        let last = steps.iter().filter_map(|step| step.iteration).max();
        assert_eq!((rounds, last), (leaps, iteration), "{text}");
    }
}
