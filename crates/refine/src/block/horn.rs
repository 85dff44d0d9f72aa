//! A program as constrained Horn clauses over bit-vectors, in SMT-LIB, for other solvers (Bjørner,
//! Gurfinkel, McMillan and Rybalchenko: Horn Clause Solvers for Program Verification, 2015).
//!
//! Each location between blocks has a relation over the variables that are live there, each block
//! is a clause.

use std::fmt::Write;

use thiserror::Error;

use super::liveness::CutLiveness;
use super::problem::Problem;
use hardbop_cfa::{Goal, Location};
use hardbop_smt::{Node, Term, Terms, shared_text};

/// Why there are no clauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HornError {
    #[error(
        "the program computes with floating-point numbers, which have no form in Horn clauses over bit-vectors"
    )]
    Floats,
}

/// The clauses of a program: they are satisfiable if and only if none of its goals can be reached.
///
/// # Errors
/// Something has no form in them.
pub fn horn_clauses(terms: &mut Terms, problem: &mut Problem) -> Result<String, HornError> {
    let live = CutLiveness::new(terms, problem);
    let mut text = String::from("; sat: no error can be reached; unsat: one can");
    let is_open = |(_, goal): &(Location, Goal)| !matches!(goal, Goal::Error);
    if problem.automaton.goals.iter().any(is_open) {
        text.push_str(", or what is not modelled, or a call that is not followed");
    }
    text.push_str("\n(set-logic HORN)\n");
    let mut locations = problem.summary.locations.clone();
    locations.push(problem.automaton.entry);
    locations.sort_unstable();
    locations.dedup();
    locations.retain(|l| problem.automaton.goal(*l).is_none());
    for &location in &locations {
        let sorts: Vec<String> =
            live.at(location).iter().map(|&s| terms.symbol_sort(s).to_string()).collect();
        // Invariant: writing to a string does not fail.
        let _ = writeln!(text, "(declare-fun l{} ({}) Bool)", location.0, sorts.join(" "));
    }
    let before = |terms: &mut Terms, location: Location| -> Vec<Term> {
        live.at(location).into_iter().map(|s| terms.instance(s, 0)).collect()
    };
    let entry = problem.automaton.entry;
    let start = before(terms, entry);
    text.push_str(&clause(terms, &[], None, (Some(entry), &start)));
    for block in 0..problem.summary.blocks.len() {
        let (source, target) = {
            let block = &problem.summary.blocks[block];
            (block.source, block.target)
        };
        let relation = problem.relation(terms, block).clone();
        let is_goal = problem.automaton.goal(target).is_some();
        let after: Vec<Term> = match is_goal {
            true => vec![],
            false => {
                let value = |s| match relation.post.binary_search_by_key(&s, |&(other, _)| other) {
                    Ok(i) => relation.post[i].1,
                    Err(_) => terms.instance(s, 0),
                };
                live.at(target).into_iter().map(value).collect()
            }
        };
        let arguments = before(terms, source);
        let all: Vec<Term> = relation.conjuncts.iter().chain(&after).copied().collect();
        let has_floats = terms
            .postorder(&all, |_| false)
            .into_iter()
            .any(|t| matches!(terms.node(t), Node::Float(..)));
        if has_floats {
            return Err(HornError::Floats);
        }
        let head = (Some(target).filter(|_| !is_goal), &after[..]);
        text.push_str(&clause(terms, &relation.conjuncts, Some((source, &arguments)), head));
    }
    text.push_str("(check-sat)\n");
    Ok(text)
}

/// `forall values: conjuncts and the relation of a location imply that of another one`, or false.
fn clause(
    terms: &Terms,
    conjuncts: &[Term],
    body: Option<(Location, &[Term])>,
    (head, arguments): (Option<Location>, &[Term]),
) -> String {
    let premises = body.map_or(&[][..], |(_, arguments)| arguments);
    let all: Vec<Term> = conjuncts.iter().chain(premises).chain(arguments).copied().collect();
    let mut leaves: Vec<Term> = terms.support_of(&all).into_iter().collect();
    leaves.sort_unstable();
    leaves.dedup();
    let (definitions, texts) = shared_text(terms, &all);
    let (conditions, rest) = texts.split_at(conjuncts.len());
    let (before, after) = rest.split_at(premises.len());
    let atom = |location: Location, arguments: &[String]| match arguments {
        [] => format!("l{}", location.0),
        some => format!("(l{} {})", location.0, some.join(" ")),
    };
    let mut premises: Vec<String> = body.map(|(l, _)| atom(l, before)).into_iter().collect();
    premises.extend(conditions.iter().cloned());
    let premise = match premises.as_slice() {
        [] => "true".to_owned(),
        [only] => only.clone(),
        several => format!("(and {})", several.join(" ")),
    };
    let conclusion = head.map_or("false".to_owned(), |l| atom(l, after));
    let mut inner = format!("(=> {premise} {conclusion})");
    for (number, definition) in definitions.iter().enumerate().rev() {
        inner = format!("(let ((?{number} {definition})) {inner})");
    }
    if !leaves.is_empty() {
        let variable = |&t: &Term| format!("({} {})", terms.display(t), terms.sort(t));
        let variables: Vec<String> = leaves.iter().map(variable).collect();
        inner = format!("(forall ({}) {inner})", variables.join(" "));
    }
    format!("(assert {inner})\n")
}
