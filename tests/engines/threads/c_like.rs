//! Random programs with threads in the C-like dialect, against what they mean, and against the same
//! programs in the ordinary one.

use std::fmt::Write as _;

use hardbop_base::verdict::Outcome;
use hardbop_bp::threads::Method;

use super::reference::{Formula, Meaning, NAMES, Program, Statement, meaning, name};
use super::{STATES, asked, program};

fn formula(e: &Formula) -> String {
    match e {
        Formula::Constant(value) => if *value { "true" } else { "0" }.to_owned(),
        Formula::Any => "*".to_owned(),
        Formula::Variable(v) => name(*v).to_owned(),
        Formula::Not(e) => format!("!({})", formula(e)),
        Formula::And(a, b) => format!("({} && {})", formula(a), formula(b)),
        Formula::Or(a, b) => format!("({} || {})", formula(a), formula(b)),
    }
}

/// A statement; its number decides between ways to write it.
fn statement(s: &Statement, number: usize) -> Option<String> {
    let odd = number % 2 == 1;
    Some(match s {
        Statement::Assign(v, e) => {
            format!("{} {} {};", name(*v), if odd { "=" } else { ":=" }, formula(e))
        }
        Statement::Assume(e) => format!("{}({});", if odd { "wait" } else { "assume" }, formula(e)),
        Statement::Assert(e) => format!("assert({});", formula(e)),
        Statement::Branch(e, l) if odd => format!("if ({}) goto {l};", formula(e)),
        Statement::Branch(e, l) => format!("if ({}) {{ {{ goto {l} }} }} else ;", formula(e)),
        Statement::Goto(a, b) => format!("goto {a}, {b};"),
        Statement::Start(e) => format!("create_thread(&p, {});", formula(e)),
        Statement::Call(Some(v), p, e) => {
            let call = if odd { "call " } else { "" };
            format!("{} = {call}{}({});", name(*v), NAMES[*p], formula(e))
        }
        Statement::Call(None, p, e) => format!("{}({});", NAMES[*p], formula(e)),
        Statement::AtomicBegin => "atomic_begin;".to_owned(),
        Statement::AtomicEnd => "end_atomic;".to_owned(),
        Statement::EndThread => "end_thread;".to_owned(),
        Statement::Return(e) => format!("return {};", formula(e)),
        Statement::Both(..) | Statement::Broadcast(_) | Statement::StartAt(_) => return None,
    })
}

/// The text; none where a statement is not one of the dialect.
fn text(program: &Program) -> Option<String> {
    let mut out = String::from("bool g0, g1;\n");
    for (p, body) in program.procedures.iter().enumerate() {
        let _ = match p {
            0 => writeln!(out, "void main() {{ bool v0; bool v1;"),
            _ => writeln!(out, "bool {}(bool v0) {{ bool v1;", NAMES[p]),
        };
        for (i, s) in body.iter().enumerate() {
            let colon = if i % 3 == 0 { "" } else { ":" };
            let _ = writeln!(out, "{i}{colon}  {}", statement(s, i)?);
        }
        let _ = writeln!(out, "{}: }}", body.len());
    }
    Some(out)
}

#[test]
fn random_programs() {
    let mut known = [0, 0];
    for seed in 20_000..20_700 {
        let random = Program::random(seed, false);
        let Some(text) = text(&random) else { continue };
        let Some(expected) = meaning(&random, STATES) else { continue };
        let verdict = |text: &str| match asked(&program(text), Method::States, 4_000).outcome {
            Outcome::Safe(_) => Some(Meaning::Safe),
            Outcome::Unsafe(_) => Some(Meaning::Unsafe),
            Outcome::Unknown(_) => None,
        };
        let found = verdict(&text);
        assert_eq!(found, verdict(&random.text()), "seed {seed}\n{text}");
        match (found, expected) {
            (Some(Meaning::Safe), Meaning::Unsafe) | (Some(Meaning::Unsafe), Meaning::Safe) => {
                panic!("seed {seed}: not {expected:?}\n{text}")
            }
            (Some(found), _) => known[usize::from(found == Meaning::Unsafe)] += 1,
            (None, _) => {}
        }
    }
    assert!(known.iter().all(|&n| n > 40), "{known:?}");
}
