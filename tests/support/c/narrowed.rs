//! Random programs whose input is narrowed by guards and then shifted, compared and switched on, in
//! all widths, where shifts may wrap around; with loops and calls.  gcc says whether a value leads
//! to the error: each one of small inputs, of others those around all constants.

use std::fmt::Write as _;
use std::ops::Range;
use std::process::{Command, Stdio};

use hardbop_base::random::Random;

/// The types of variables, with the names of the functions that give such an input, their bits, and
/// whether they are signed.
const TYPES: &[(&str, &str, u32, bool)] = &[
    ("signed char", "char", 8, true),
    ("unsigned char", "uchar", 8, false),
    ("short", "short", 16, true),
    ("unsigned short", "ushort", 16, false),
    ("int", "int", 32, true),
    ("unsigned", "uint", 32, false),
    ("long", "long", 64, true),
    ("unsigned long", "ulong", 64, false),
];

/// The types of 8 and 16 bits, of which all values are tried, and the others.
pub const SMALL: Range<usize> = 0..4;
pub const LARGE: Range<usize> = 4..8;

/// A program, and what becomes of its input.
pub struct Made {
    pub text: String,
    /// The number of its input's type.
    ty: usize,
    /// Around these the values of inputs of 32 and more bits are tried.
    constants: Vec<i128>,
}

struct Maker<'r> {
    random: &'r mut Random,
    constants: Vec<i128>,
    /// The variables so far, with their types.
    variables: Vec<(String, usize)>,
    functions: String,
    number: usize,
}

impl Maker<'_> {
    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.random.below(all.len())]
    }

    /// A number near one that the type ends with, or a small one.
    fn constant(&mut self, ty: usize) -> String {
        let (_, _, bits, signed) = TYPES[ty];
        let (least, most) = match signed {
            true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
            false => (0, (1_i128 << bits) - 1),
        };
        let near = self.random.below(4) as i128;
        let value = match self.random.below(8) {
            0 => least + near,
            1 => most - near,
            2 => most / 2 + near,
            3 if signed => -1 - near,
            4 => self.random.bits() as i128 % 1000,
            _ => near,
        };
        let value = value.clamp(least, most);
        self.constants.push(value);
        match (bits, signed) {
            (64, true) if value == least => "(-9223372036854775807L - 1)".to_owned(),
            (64, true) => format!("{value}L"),
            (64, false) => format!("{value}UL"),
            (32, true) if value == least => "(-2147483647 - 1)".to_owned(),
            (32, false) => format!("{value}U"),
            _ if value < 0 => format!("({value})"),
            _ => value.to_string(),
        }
    }

    fn variable(&mut self) -> (String, usize) {
        let at = match self.random.below(3) {
            // What is new matters most.
            0 => self.random.below(self.variables.len()),
            _ => self.variables.len() - 1,
        };
        self.variables[at].clone()
    }

    /// A comparison of a variable with a constant or another variable.
    fn condition(&mut self) -> String {
        let (name, ty) = self.variable();
        let compared = self.pick(&["<", "<=", "==", "!=", ">", ">="]);
        match self.random.below(6) {
            0 => {
                let (other, _) = self.variable();
                format!("{name} {compared} {other}")
            }
            1 => {
                let (a, b) = (self.constant(ty), self.constant(ty));
                format!("({name} {compared} {a} && {name} != {b})")
            }
            _ => format!("{name} {compared} {}", self.constant(ty)),
        }
    }

    /// A shifted variable.
    fn shifted(&mut self) -> (String, usize) {
        let (name, ty) = self.variable();
        let by = 1 + self.random.below(3);
        let text = match self.random.below(9) {
            0 => format!("{name} - {}", self.constant(ty)),
            1 => format!("{name} + {}", self.constant(ty)),
            2 => format!("{} - {name}", self.constant(ty)),
            3 => format!("-{name}"),
            4 => format!("~{name}"),
            5 | 6 => format!("{name} - {by}"),
            _ => format!("{name} + {by}"),
        };
        (text, ty)
    }

    /// A new variable, mostly of the type of what it is made of.
    fn declaration(&mut self) -> String {
        let (value, of) = self.shifted();
        let ty = if self.random.below(4) == 0 { self.random.below(TYPES.len()) } else { of };
        let (c, ..) = TYPES[ty];
        let name = format!("v{}", self.variables.len());
        let text = match self.random.below(5) {
            0 => {
                let function = format!("f{}_{}", self.number, self.functions.lines().count());
                let guard = self.constant(ty);
                let by = 1 + self.random.below(2);
                let _ = writeln!(
                    self.functions,
                    "static {c} {function}({c} x) {{ if (x == {guard}) return x; return x + {by}; }}"
                );
                format!("{c} {name} = {function}({value});")
            }
            _ => format!("{c} {name} = {value};"),
        };
        self.variables.push((name, ty));
        text
    }

    fn statement(&mut self, depth: u32) -> String {
        match self.random.below(10) {
            0..=2 => format!("if ({}) return 0;", self.condition()),
            3 => {
                let (name, _) = self.variable();
                let step = self.pick(&["++", "--", " += 2", " -= 3"]);
                let until = self.condition();
                let times = 2 + self.random.below(4);
                format!("for (int k = 0; k < {times} && !({until}); k++) {name}{step};")
            }
            4 if depth > 0 => {
                // What is declared inside is not known outside.
                let (before, condition) = (self.variables.clone(), self.condition());
                let (inner, more) = (self.declaration(), self.statement(depth - 1));
                self.variables = before;
                format!("if ({condition}) {{ {inner} {more} }}")
            }
            5 => {
                let (name, ty) = self.variable();
                let mut cases: Vec<String> = (0..3).map(|_| self.constant(ty)).collect();
                cases.sort();
                cases.dedup();
                let error = self.random.below(cases.len());
                let arms = cases.iter().enumerate().map(|(i, case)| match i == error {
                    true => format!("case {case}: reach_error(); break;"),
                    false => format!("case {case}: return 0;"),
                });
                format!(
                    "switch ({name}) {{ {} default: break; }}",
                    arms.collect::<Vec<_>>().join(" ")
                )
            }
            6 => format!("if ({}) reach_error();", self.condition()),
            _ => self.declaration(),
        }
    }

    /// A program with an input of this type.
    fn program(mut self, ty: usize) -> Made {
        let (c, input, ..) = TYPES[ty];
        self.variables.push(("n".to_owned(), ty));
        let mut body = format!("  {c} n = __VERIFIER_nondet_{input}();\n");
        let guard = self.condition();
        let _ = writeln!(body, "  if ({guard}) return 0;");
        let declaration = self.declaration();
        let _ = writeln!(body, "  {declaration}");
        for _ in 0..self.random.below(5) {
            let statement = self.statement(2);
            let _ = writeln!(body, "  {statement}");
        }
        let condition = self.condition();
        let _ = writeln!(body, "  if ({condition}) reach_error();");
        let text = format!(
            "extern {c} __VERIFIER_nondet_{input}(void);\nextern void reach_error(void);\n{}\
             int main(void) {{\n{body}  return 0;\n}}\n",
            self.functions
        );
        Made { text, ty, constants: self.constants }
    }
}

/// The values of an input that are tried: all of a small one.
fn candidates(made: &Made) -> Vec<i128> {
    let (_, _, bits, signed) = TYPES[made.ty];
    if bits <= 16 {
        let least = if signed { -(1_i128 << (bits - 1)) } else { 0 };
        return (least..least + (1 << bits)).collect();
    }
    let mut all: Vec<i128> = made.constants.clone();
    all.extend([0, 1 << 31, 1 << 32, 1 << 63, 1 << 64]);
    let sums: Vec<i128> = all
        .iter()
        .flat_map(|a| made.constants.iter().flat_map(move |b| [a + b, a - b, -a]))
        .collect();
    all.extend(sums);
    let mut all: Vec<i128> = all.into_iter().flat_map(|v| v - 8..=v + 8).collect();
    let wrap = |v: i128| if bits == 32 { i128::from(v as i32) } else { i128::from(v as i64) };
    all.iter_mut().for_each(|v| *v = wrap(*v));
    all.sort_unstable();
    all.dedup();
    all
}

/// Which programs have a value that leads to the error, by gcc.
pub fn truths(programs: &[Made]) -> Vec<bool> {
    let mut text =
        String::from("#include <setjmp.h>\n#include <stdio.h>\n#define reach_error reached\n");
    text.push_str(
        "static jmp_buf out; static long input; static void reached(void) { longjmp(out, 1); }\n",
    );
    for &(c, input, ..) in TYPES {
        let _ =
            writeln!(text, "static {c} __VERIFIER_nondet_{input}(void) {{ return ({c})input; }}");
    }
    let mut calls = String::new();
    for (i, made) in programs.iter().enumerate() {
        let body =
            made.text.lines().filter(|l| !l.starts_with("extern")).collect::<Vec<_>>().join("\n");
        let _ = writeln!(
            text,
            "{}",
            body.replace("int main(void)", &format!("static int main{i}(void)"))
        );
        let values: Vec<String> = match TYPES[made.ty].2 {
            8 | 16 => vec!["0".to_owned()],
            _ => candidates(made).iter().map(|v| format!("{}UL", *v as u64)).collect(),
        };
        let _ =
            writeln!(text, "static const unsigned long values{i}[] = {{ {} }};", values.join(", "));
        let (count, value) = match TYPES[made.ty].2 {
            bits @ (8 | 16) => ((1_u32 << bits).to_string(), "(long)k".to_owned()),
            _ => (values.len().to_string(), format!("(long)values{i}[k]")),
        };
        let _ = writeln!(
            calls,
            "  {{ volatile int found = 0; for (volatile unsigned long k = 0; k < {count} && !found; k++) \
             {{ input = {value}; if (setjmp(out)) found = 1; else main{i}(); }} putchar(found ? '1' : '0'); }}"
        );
    }
    let _ = writeln!(text, "int main(void) {{\n{calls}  return 0;\n}}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("all.c"), folder.path().join("all"));
    std::fs::write(&file, &text).expect("a file");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-O0", "-fwrapv", "-o"]).arg(&program).arg(&file);
    let built = gcc.stdin(Stdio::null()).output().expect("gcc runs");
    assert!(built.status.success(), "{}\n{text}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&program).output().expect("it runs");
    let said = String::from_utf8(output.stdout).expect("digits");
    assert_eq!(said.len(), programs.len(), "{text}");
    said.chars().map(|c| c == '1').collect()
}

/// So many programs whose inputs have one of these types.
pub fn programs(random: &mut Random, count: usize, types: Range<usize>) -> Vec<Made> {
    let made = |number| {
        let ty = types.start + random.below(types.len());
        let (functions, constants, variables) = (String::new(), vec![], vec![]);
        Maker { random, constants, variables, functions, number }.program(ty)
    };
    (0..count).map(made).collect()
}

impl Made {
    /// Are all values of its input tried?
    pub fn is_exhausted(&self) -> bool {
        SMALL.contains(&self.ty)
    }
}
