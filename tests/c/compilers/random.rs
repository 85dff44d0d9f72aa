//! Random programs with floating-point numbers, bit-fields, volatile and packed objects, unions and
//! built-ins, whose few inputs are exhausted: gcc says whether one of them leads to the error.

use std::fmt::Write as _;
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_c::on_large_stack;
use hardbop_c::types::DataModel;
use hardbop_verify::{CProgram, Options, Outcome, check};

use crate::support::c::{Compiled, analysis_only, can_compile, flow};

const DOUBLES: &[&str] = &[
    "0.0",
    "-0.0",
    "1.0",
    "-1.5",
    "0.1",
    "1e-310",
    "3e38",
    "1e308",
    "-2147483648.5",
    "16777217.0",
    "0.5",
    "-7.25",
    "1.0/0.0",
    "0.0/0.0",
    "4.9e-324",
    "9007199254740993.0",
];
const SINGLES: &[&str] = &[
    "0.0f",
    "-0.0f",
    "1.0f",
    "0.1f",
    "-2.5f",
    "1e-40f",
    "3e38f",
    "16777216.0f",
    "0.3f",
    "-1.0f/0.0f",
    "1.17549435e-38f",
    "7.75f",
];

struct Maker<'r>(&'r mut Random);

impl Maker<'_> {
    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.0.below(all.len())]
    }

    fn real(&mut self) -> String {
        match self.0.below(9) {
            0 => self.pick(DOUBLES).to_owned(),
            1 => self.pick(SINGLES).to_owned(),
            2 => "n".to_owned(),
            3 => "s.b".to_owned(),
            4 => format!("__builtin_fabs({})", self.pick(&["x", "y"])),
            5 => format!(
                "__builtin_copysign({}, {})",
                self.pick(&["x", "y", "1.5"]),
                self.pick(&["x", "y"])
            ),
            6 => "y".to_owned(),
            _ => "x".to_owned(),
        }
    }

    fn integer(&mut self) -> String {
        let (x, y) = (self.pick(&["x", "y"]), self.pick(&["x", "y"]));
        match self.0.below(16) {
            0 => format!("{}", self.0.below(40) as i64 - 20),
            1 => "s.a".to_owned(),
            2 => "s.b".to_owned(),
            3 => "s.c".to_owned(),
            4 => "w".to_owned(),
            5 => format!("({x} > -100 && {x} < 100 ? (int){x} : 7)"),
            6 => format!("({x} < {y})"),
            7 => format!("(__builtin_isnan({x}) != 0)"),
            8 => format!("(__builtin_isinf_sign({x}))"),
            9 => format!("(__builtin_signbit({x}) != 0)"),
            10 => format!("__builtin_isunordered({x}, {y})"),
            11 => "__builtin_clz(n | 1)".to_owned(),
            12 => "(int)(u.bits >> 28)".to_owned(),
            13 => "(signed char)n".to_owned(),
            14 => "(n != 0 ? i / n : j)".to_owned(),
            _ => "n".to_owned(),
        }
    }

    fn statement(&mut self) -> String {
        match self.0.below(12) {
            0..=2 => {
                format!(
                    "x = (double){} {} {};",
                    self.real(),
                    self.pick(&["+", "-", "*", "/"]),
                    self.real()
                )
            }
            3 => format!("x {}= {};", self.pick(&["+", "-", "*"]), self.real()),
            4 => format!(
                "y = (float){} {} {};",
                self.real(),
                self.pick(&["+", "-", "*"]),
                self.real()
            ),
            5 => format!("y = {};", self.real()),
            6 => format!("s.{} = {};", self.pick(&["a", "b", "c"]), self.integer()),
            7 => format!("w {}= {};", self.pick(&["+", "^"]), self.integer()),
            8 => "u.f = y;".to_owned(),
            9 => format!("if ({}) {}", self.condition(), self.statement()),
            _ => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("n = {} {op} {};", self.integer(), self.integer())
            }
        }
    }

    fn condition(&mut self) -> String {
        let compared = self.pick(&["<", "<=", "==", "!=", ">", ">="]);
        match self.0.below(4) {
            0 => format!("{} {compared} {}", self.integer(), self.integer()),
            1 => self.pick(&["x", "y", "!x", "n"]).to_owned(),
            2 => "(float)x == y".to_owned(),
            _ => format!("{} {compared} {}", self.real(), self.real()),
        }
    }

    fn program(&mut self) -> String {
        let mut out = String::from(
            "extern int __VERIFIER_nondet_int(void);\nvoid reach_error() { }\n\
             struct __attribute__((packed)) { unsigned a : 3; int b : 5; unsigned char pad; long long c : 13; } s;\n\
             union { float f; unsigned bits; } u;\n",
        );
        let list =
            |maker: &mut Self, all| (0..4).map(|_| maker.pick(all)).collect::<Vec<_>>().join(", ");
        // Writing to a String cannot fail.
        let _ = writeln!(out, "static const double d[4] = {{ {} }};", list(self, DOUBLES));
        let _ = writeln!(out, "static const float f[4] = {{ {} }};", list(self, SINGLES));
        out.push_str(
            "int main(void) {\n  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();\n  \
             if (i < 0 || i > 3 || j < 0 || j > 3) return 0;\n  double x = d[i]; float y = f[j];\n  \
             int n = i * 5 - j; volatile int w = j;\n",
        );
        for _ in 0..2 + self.0.below(4) {
            let statement = self.statement();
            let _ = writeln!(out, "  {statement}");
        }
        let condition = self.condition();
        let _ = writeln!(out, "  if ({condition}) reach_error();\n  return 0;\n}}");
        out
    }
}

/// The program on certain inputs, which are part of it: its only execution decides.
fn without_input(text: &str, values: [usize; 2], models: &[DataModel]) {
    let given = format!(
        "static int given(void) {{ static int k, values[] = {{ {}, {} }}; return values[k++]; }}",
        values[0], values[1]
    );
    let extern_input = "extern int __VERIFIER_nondet_int(void);";
    let text = text.replace(extern_input, &given).replace("__VERIFIER_nondet_int", "given");
    for &model in models {
        let compiled = Compiled::new(&text, model).unwrap_or_else(|| panic!("gcc:\n{text}"));
        let truth = compiled.run(&[]).is_some_and(|said| said.starts_with("ERROR"));
        let flow = flow("p.c", &text, model);
        let report = on_large_stack(|| {
            check(CProgram::new(&flow), &Options::default(), &Budget::unlimited(), &mut ())
        });
        let report = report.expect("a thread").expect("solvers work");
        assert_eq!(matches!(report.outcome, Outcome::Unsafe(_)), truth, "{model:?}\n{text}");
        assert!(report.outcome.is_decided(), "{model:?}\n{text}");
        assert!(report.by_executions, "{model:?}\n{text}");
    }
}

/// Set `HARDBOP_PROGRAMS` for more.
#[test]
fn exhausted_inputs() {
    let count = std::env::var("HARDBOP_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(16);
    let mut random = Random::new(20);
    let models = [DataModel::Lp64, DataModel::Ilp32];
    let models: Vec<DataModel> = models.into_iter().filter(|&model| can_compile(model)).collect();
    let (mut decided, mut errors, mut all) = (0, 0, 0);
    for _ in 0..count {
        let text = Maker(&mut random).program();
        for &model in &models {
            let compiled = Compiled::new(&text, model).unwrap_or_else(|| panic!("gcc:\n{text}"));
            let inputs = (0..16).map(|k| [k & 3, k >> 2]);
            let truth = inputs
                .into_iter()
                .any(|values| compiled.run(&values).is_some_and(|said| said.starts_with("ERROR")));
            let flow = flow("p.c", &text, model);
            let budget = Budget::unlimited().with_time_limit(Duration::from_secs(10));
            let report = on_large_stack(|| {
                check(CProgram::new(&flow), &analysis_only(), &budget, &mut ()).map(|r| r.outcome)
            });
            all += 1;
            match report.expect("a thread").expect("solvers work") {
                Outcome::Safe(_) => assert!(!truth, "{model:?}: it is unsafe\n{text}"),
                Outcome::Unsafe(_) => {
                    assert!(truth, "{model:?}: it is safe\n{text}");
                    errors += 1;
                }
                Outcome::Unknown(reason) => {
                    eprintln!("{model:?}: {reason}\n{text}");
                    continue;
                }
            }
            decided += 1;
        }
        let values = [random.below(4), random.below(4)];
        without_input(&text, values, &models);
    }
    eprintln!("{all} programs, {decided} decided, {errors} with an error");
    assert!(decided * 4 >= all * 3, "{decided} of {all}");
}
