//! Random programs with numbers, enumerations, blocks and loops, against what they mean: sets of
//! states, by a few lines that share nothing with the reader.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use hardbop_base::random::Random;

use super::is_unsafe;

/// Values of `a` and `b` (numbers of two bits), `e` (one of three) and `f` (a truth value).
type State = [u8; 4];
type States = BTreeSet<State>;

const NAMES: [&str; 4] = ["a", "b", "e", "f"];
const SIZES: [u8; 4] = [4, 4, 3, 2];

#[derive(Debug)]
enum Number {
    Constant(u8),
    Variable(usize),
    Add(Box<Number>, Box<Number>),
    Subtract(Box<Number>, Box<Number>),
}

#[derive(Debug)]
enum Condition {
    Compare(&'static str, Number, Number),
    /// `e == 1`, `e != 1`
    Enum(bool, u8),
    /// `a` as a condition, `f`.
    Variable(usize),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Same(Box<Condition>, Box<Condition>),
}

#[derive(Debug)]
enum Statement {
    Number(usize, Number),
    Step(usize, bool),
    Enum(u8),
    Flag(Condition),
    /// `a = *`, and so on.
    Any(usize),
    /// `a = f`
    FromFlag(usize),
    If(Condition, Vec<Statement>, Vec<Statement>),
    While(Condition, Vec<Statement>),
    /// A block with a variable of its own, of the same name.
    Block(usize, Vec<Statement>),
    Break,
    Continue,
    Assert(Condition),
    Assume(Condition),
}

struct Maker(Random);

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        self.0.bits() % n
    }

    fn number(&mut self, depth: u32) -> Number {
        match self.below(if depth == 0 { 4 } else { 6 }) {
            0 => Number::Constant(self.below(4) as u8),
            1..4 => Number::Variable(self.below(2) as usize),
            4 => Number::Add(Box::new(self.number(depth - 1)), Box::new(self.number(depth - 1))),
            _ => {
                Number::Subtract(Box::new(self.number(depth - 1)), Box::new(self.number(depth - 1)))
            }
        }
    }

    fn condition(&mut self, depth: u32) -> Condition {
        match self.0.bits() % if depth == 0 { 4 } else { 8 } {
            0 | 1 => {
                let sign = ["==", "!=", "<", "<=", ">", ">="][self.below(6) as usize];
                Condition::Compare(sign, self.number(1), self.number(1))
            }
            2 => Condition::Enum(self.below(2) == 0, self.below(3) as u8),
            3 => Condition::Variable([0, 1, 3][self.below(3) as usize]),
            4 => Condition::Not(Box::new(self.condition(depth - 1))),
            5 => Condition::And(
                Box::new(self.condition(depth - 1)),
                Box::new(self.condition(depth - 1)),
            ),
            6 => Condition::Or(
                Box::new(self.condition(depth - 1)),
                Box::new(self.condition(depth - 1)),
            ),
            _ => Condition::Same(
                Box::new(self.condition(depth - 1)),
                Box::new(self.condition(depth - 1)),
            ),
        }
    }

    fn statements(&mut self, depth: u32, in_loop: bool) -> Vec<Statement> {
        (0..1 + self.below(3)).map(|_| self.statement(depth, in_loop)).collect()
    }

    fn statement(&mut self, depth: u32, in_loop: bool) -> Statement {
        match self.below(if depth == 0 { 12 } else { 17 }) {
            0 | 1 => Statement::Number(self.below(2) as usize, self.number(2)),
            2 => Statement::Step(self.below(2) as usize, self.below(2) == 0),
            3 => Statement::Enum(self.below(3) as u8),
            4 | 5 => Statement::Flag(self.condition(2)),
            6 => Statement::Any(self.below(4) as usize),
            7 => Statement::FromFlag(self.below(2) as usize),
            8 if in_loop => Statement::Break,
            9 if in_loop => Statement::Continue,
            8..11 => Statement::Assert(self.condition(1)),
            11 => Statement::Assume(self.condition(1)),
            12 | 13 => {
                let then = self.statements(depth - 1, in_loop);
                let otherwise = if self.below(2) == 0 {
                    Vec::new()
                } else {
                    self.statements(depth - 1, in_loop)
                };
                Statement::If(self.condition(1), then, otherwise)
            }
            14 | 15 => Statement::While(self.condition(1), self.statements(depth - 1, true)),
            _ => Statement::Block(
                [0, 1, 3][self.below(3) as usize],
                self.statements(depth - 1, in_loop),
            ),
        }
    }
}

impl Number {
    fn text(&self) -> String {
        match self {
            Self::Constant(n) => n.to_string(),
            Self::Variable(v) => NAMES[*v].to_owned(),
            Self::Add(a, b) => format!("({} + {})", a.text(), b.text()),
            Self::Subtract(a, b) => format!("({} - {})", a.text(), b.text()),
        }
    }

    fn value(&self, s: &State) -> u8 {
        match self {
            Self::Constant(n) => *n,
            Self::Variable(v) => s[*v],
            Self::Add(a, b) => (a.value(s) + b.value(s)) % 4,
            Self::Subtract(a, b) => (a.value(s) + 4 - b.value(s)) % 4,
        }
    }
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Self::Compare(sign, a, b) => format!("{} {sign} {}", a.text(), b.text()),
            Self::Enum(is, value) => format!("e {} {value}", if *is { "==" } else { "!=" }),
            Self::Variable(v) => NAMES[*v].to_owned(),
            Self::Not(c) => format!("!({})", c.text()),
            Self::And(a, b) => format!("({}) && ({})", a.text(), b.text()),
            Self::Or(a, b) => format!("({}) || ({})", a.text(), b.text()),
            Self::Same(a, b) => format!("({}) == ({})", truth(a), truth(b)),
        }
    }

    fn holds(&self, s: &State) -> bool {
        match self {
            Self::Compare(sign, a, b) => {
                let (a, b) = (a.value(s), b.value(s));
                match *sign {
                    "==" => a == b,
                    "!=" => a != b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                }
            }
            Self::Enum(is, value) => (s[2] == *value) == *is,
            Self::Variable(v) => s[*v] != 0,
            Self::Not(c) => !c.holds(s),
            Self::And(a, b) => a.holds(s) && b.holds(s),
            Self::Or(a, b) => a.holds(s) || b.holds(s),
            Self::Same(a, b) => a.holds(s) == b.holds(s),
        }
    }
}

/// `a` alone would be compared as a number.
fn truth(c: &Condition) -> String {
    match c {
        Condition::Variable(0 | 1) => format!("!!{}", c.text()),
        _ => c.text(),
    }
}

fn write(statements: &[Statement], out: &mut String) {
    for statement in statements {
        let _ = match statement {
            Statement::Number(v, n) => writeln!(out, "{} = {};", NAMES[*v], n.text()),
            Statement::Step(v, up) => {
                writeln!(out, "{}{};", NAMES[*v], if *up { "++" } else { "--" })
            }
            Statement::Enum(value) => writeln!(out, "e := {value};"),
            Statement::Flag(c) => writeln!(out, "f = {};", c.text()),
            Statement::Any(v) => writeln!(out, "{} = *;", NAMES[*v]),
            Statement::FromFlag(v) => writeln!(out, "{} = f;", NAMES[*v]),
            Statement::Break => writeln!(out, "break;"),
            Statement::Continue => writeln!(out, "continue;"),
            Statement::Assert(c) => writeln!(out, "assert({});", c.text()),
            Statement::Assume(c) => writeln!(out, "assume({});", c.text()),
            Statement::If(c, then, otherwise) => {
                let _ = writeln!(out, "if ({}) {{", c.text());
                write(then, out);
                if !otherwise.is_empty() {
                    let _ = writeln!(out, "}} else {{");
                    write(otherwise, out);
                }
                writeln!(out, "}}")
            }
            Statement::While(c, inner) => {
                let _ = writeln!(out, "while ({}) {{", c.text());
                write(inner, out);
                writeln!(out, "}}")
            }
            Statement::Block(v, inner) => {
                let kind = if *v == 3 { "bool" } else { "int" };
                let _ = writeln!(out, "{{ {kind} {};", NAMES[*v]);
                write(inner, out);
                writeln!(out, "}}")
            }
        };
    }
}

/// What executions of some statements lead to.
#[derive(Default)]
struct Ends {
    normal: States,
    broken: States,
    again: States,
}

/// Executes statements from all of some states.
fn execute(statements: &[Statement], from: States, error: &mut bool) -> Ends {
    let mut ends = Ends { normal: from, ..Ends::default() };
    for statement in statements {
        let states = std::mem::take(&mut ends.normal);
        let set = |states: States, v: usize, value: &dyn Fn(&State) -> Vec<u8>| -> States {
            let each = |s: State| {
                let values = value(&s).into_iter();
                values.map(move |n| {
                    let mut s = s;
                    s[v] = n;
                    s
                })
            };
            states.into_iter().flat_map(each).collect()
        };
        let split = |states: States, c: &Condition| -> (States, States) {
            states.into_iter().partition(|s| c.holds(s))
        };
        match statement {
            Statement::Number(v, n) => ends.normal = set(states, *v, &|s| vec![n.value(s)]),
            Statement::Step(v, up) => {
                ends.normal = set(states, *v, &|s| vec![(s[*v] + if *up { 1 } else { 3 }) % 4]);
            }
            Statement::Enum(value) => ends.normal = set(states, 2, &|_| vec![*value]),
            Statement::Flag(c) => ends.normal = set(states, 3, &|s| vec![u8::from(c.holds(s))]),
            Statement::Any(v) => ends.normal = set(states, *v, &|_| (0..SIZES[*v]).collect()),
            Statement::FromFlag(v) => ends.normal = set(states, *v, &|s| vec![s[3]]),
            Statement::Break => ends.broken.extend(states),
            Statement::Continue => ends.again.extend(states),
            Statement::Assert(c) => {
                let (holds, fails) = split(states, c);
                *error |= !fails.is_empty();
                ends.normal = holds;
            }
            Statement::Assume(c) => ends.normal = split(states, c).0,
            Statement::If(c, then, otherwise) => {
                let (holds, fails) = split(states, c);
                for (part, from) in [(then, holds), (otherwise, fails)] {
                    let inner = execute(part, from, error);
                    ends.normal.extend(inner.normal);
                    ends.broken.extend(inner.broken);
                    ends.again.extend(inner.again);
                }
            }
            Statement::While(c, inner) => {
                let mut heads = states;
                loop {
                    let (holds, fails) = split(heads.clone(), c);
                    let ends_of_round = execute(inner, holds, error);
                    ends.normal.extend(fails);
                    ends.normal.extend(ends_of_round.broken);
                    let before = heads.len();
                    heads.extend(ends_of_round.normal);
                    heads.extend(ends_of_round.again);
                    if heads.len() == before {
                        break;
                    }
                }
            }
            Statement::Block(v, inner) => {
                for outer in 0..SIZES[*v] {
                    let from = states.iter().copied().filter(|s| s[*v] == outer).collect();
                    let from = set(from, *v, &|_| (0..SIZES[*v]).collect());
                    let found = execute(inner, from, error);
                    let back = |states| set(states, *v, &|_| vec![outer]);
                    ends.normal.extend(back(found.normal));
                    ends.broken.extend(back(found.broken));
                    ends.again.extend(back(found.again));
                }
            }
        }
    }
    ends
}

#[test]
fn random_programs() {
    let mut known = [0, 0];
    for seed in 0..160 {
        let mut maker = Maker(Random::new(seed));
        let program = maker.statements(3, false).into_iter().chain(maker.statements(3, false));
        let program: Vec<Statement> = program.chain(maker.statements(2, false)).collect();
        let any = |size: u8| 0..size;
        let from: States = any(4)
            .flat_map(|a| any(3).flat_map(move |e| any(2).map(move |f| [a, 1, e, f])))
            .collect();
        let mut expected = false;
        execute(&program, from, &mut expected);
        let mut text = String::from(
            "define DEFAULT_INT_BITS 2\nint a = *, b = 1;\nvar e: enum {0, 1, 2};\nbool f;\nvoid main() {\n",
        );
        write(&program, &mut text);
        text.push_str("}\n");
        known[usize::from(expected)] += 1;
        assert_eq!(is_unsafe(&text), expected, "seed {seed}\n{text}");
    }
    assert!(known.iter().all(|&n| n > 25), "{known:?}");
}
