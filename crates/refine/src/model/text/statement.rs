//! Assignments as text.

use crate::model::abstraction::assignment::{Assignment, Variable};
use crate::model::relation::cover::Form;
use crate::model::relation::update::Value;

/// Does the assignment do nothing?
pub fn is_skip(assignment: &Assignment) -> bool {
    assignment.targets.is_empty() && assignment.update.condition.is_true()
}

/// The statement, without `;`.
pub fn text<'n>(assignment: &Assignment, name: impl Fn(Variable) -> &'n str) -> String {
    let update = &assignment.update;
    if is_skip(assignment) {
        return "skip".to_owned();
    }
    let literal = |number: u32, value: bool| {
        let (variable, after) = assignment.literals[number as usize];
        let sign = if value { "" } else { "!" };
        let tick = if after { "'" } else { "" };
        format!("{sign}{tick}{}", name(variable))
    };
    if assignment.targets.is_empty() || update.is_blocked() {
        return format!("assume {}", form(&update.condition, &literal));
    }
    let targets: Vec<&str> = assignment.targets.iter().map(|&v| name(v)).collect();
    let values: Vec<String> = update
        .values
        .iter()
        .map(|value| match value {
            Value::Any => "*".to_owned(),
            Value::Is(f) => form(f, &literal),
            Value::Choose(p, n) => {
                format!("schoose[{}, {}]", form(p, &literal), form(n, &literal))
            }
        })
        .collect();
    let mut text = format!("{} := {}", targets.join(", "), values.join(", "));
    if !update.condition.is_true() {
        text.push_str(" constrain ");
        text.push_str(&form(&update.condition, &literal));
    }
    text
}

/// An expression; nested operators are always parenthesised, so that all dialects parse it alike.
fn form(form: &Form, literal: &impl Fn(u32, bool) -> String) -> String {
    if form.is_true() {
        return "T".to_owned();
    }
    if form.is_false() {
        return "F".to_owned();
    }
    let (cubes, inner, outer, positive) = match form {
        Form::Some(cubes) => (cubes, " & ", " | ", true),
        Form::None(cubes) => (cubes, " | ", " & ", false),
    };
    let parts: Vec<String> = cubes
        .iter()
        .map(|cube| {
            let literals: Vec<String> =
                cube.iter().map(|&(i, v)| literal(i, v == positive)).collect();
            match literals.len() {
                1 => literals.concat(),
                _ if cubes.len() == 1 => literals.join(inner),
                _ => format!("({})", literals.join(inner)),
            }
        })
        .collect();
    parts.join(outer)
}
