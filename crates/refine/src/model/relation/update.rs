//! An abstract transition relation as one constrained parallel assignment.

use serde::{Deserialize, Serialize};

use super::atoms::within;
use super::cover::{Form, between};
use super::query::{Query, Relations};
use crate::predicate::Abstraction;
use crate::predicate::abstraction::AbstractionError;
use hardbop_base::budget::Budget;
use hardbop_logic::bdd::{Bdd, Manager};
use hardbop_smt::Terms;

/// The value assigned to a variable of the Boolean program; its literals are those of the state
/// before.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    Any,
    Is(Form),
    /// `schoose[p, n]`: T where the first form holds, F where the second does, otherwise either.
    Choose(Form, Form),
}

/// `targets := values constrain condition`; literals are given by their numbers in the query.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Update {
    /// The values, one per target, in the order of the targets.
    pub values: Vec<Value>,
    /// The condition over literals before and after the assignment.
    pub condition: Form,
}

impl Update {
    /// Does no state pass it?
    pub fn is_blocked(&self) -> bool {
        self.condition.is_false()
    }
}

/// The literals before and after, by number and in order.
#[derive(Debug, Clone, Copy)]
pub struct Sides<'a> {
    pub before: &'a [usize],
    pub after: &'a [usize],
    /// The literals before, in groups; what precedes the assignment ensures that some state has the
    /// values of a group together.
    pub kept: &'a [Vec<usize>],
}

/// The assignment that abstracts what the formula does to the literals: for `Boolean`, the
/// strongest relation between literals before and after; for `Cartesian`, a separate relation for
/// each literal after.
///
/// Valuations of a group of `kept` literals that no state has do not matter: what precedes the
/// assignment excludes them.
///
/// # Errors
/// If a solver fails or the budget runs out.
pub fn update(
    relations: &mut Relations,
    terms: &mut Terms,
    query: Query,
    sides: Sides,
    abstraction: Abstraction,
    budget: &Budget,
) -> Result<Update, AbstractionError> {
    let Sides { before, after, kept } = sides;
    let single = relations.limits.single_work;
    let free = Query { conjuncts: &[], definitions: &[], ..query };
    let mut care = relations.vocabulary.manager().constant(true);
    for together in kept {
        // If this takes too long, all valuations of the group matter.
        let possible = relations.models(terms, free, together, &budget.trial(single));
        if let Some(possible) = within(possible, budget)? {
            care = relations.vocabulary.manager().and(&care, &possible)?;
        }
    }
    if abstraction == Abstraction::Boolean {
        let mut asked: Vec<usize> = before.iter().chain(after).copied().collect();
        asked.sort_unstable();
        let relation =
            relations.models(terms, query, &asked, &budget.trial(relations.limits.joint_work));
        let joint = relation.and_then(|r| joint(relations, &r, &care, after));
        if let Some(found) = within(joint, budget)? {
            return Ok(found);
        }
    }
    separate(relations, terms, query, sides, &care, budget)
}

/// Computes one relation for each literal after; a literal for which this takes too long may have
/// any value.
fn separate(
    relations: &mut Relations,
    terms: &mut Terms,
    query: Query,
    Sides { before, after, .. }: Sides,
    care: &Bdd,
    budget: &Budget,
) -> Result<Update, AbstractionError> {
    let single = relations.limits.single_work;
    let passed = relations.models(terms, query, before, &budget.trial(single));
    let Some(passed) = within(passed, budget)? else {
        let values = after.iter().map(|_| Value::Any).collect();
        return Ok(Update { values, condition: Form::Some(vec![vec![]]) });
    };
    let mut values = vec![];
    for &target in after {
        let mut asked: Vec<usize> = before.to_vec();
        asked.push(target);
        asked.sort_unstable();
        let relation = relations.models(terms, query, &asked, &budget.trial(single));
        let found = relation.and_then(|r| value(relations, &r, &passed, target));
        values.push(within(found, budget)?.map_or(Value::Any, |(value, _)| value));
    }
    let manager = relations.vocabulary.manager();
    let careless = manager.not(care)?;
    let upper = manager.or(&passed, &careless)?;
    Ok(Update { values, condition: between(manager, &passed, &upper)? })
}

/// The assignment for a joint relation.
fn joint(
    relations: &mut Relations,
    relation: &Bdd,
    care: &Bdd,
    after: &[usize],
) -> Result<Update, AbstractionError> {
    let manager = relations.vocabulary.manager();
    let all = manager.cube(after.iter().map(|&i| i as u32))?;
    let passed = manager.exists(relation, &all)?;
    let mut values = vec![];
    // The transitions that the values alone allow.
    let mut product = care.clone();
    for &target in after {
        let manager = relations.vocabulary.manager();
        let others = manager.cube(after.iter().filter(|&&i| i != target).map(|&i| i as u32))?;
        let own = manager.exists(relation, &others)?;
        let (value, allowed) = value(relations, &own, &passed, target)?;
        product = relations.vocabulary.manager().and(&product, &allowed)?;
        values.push(value);
    }
    let manager = relations.vocabulary.manager();
    let open = manager.not(&product)?;
    let upper = manager.or(relation, &open)?;
    Ok(Update { values, condition: between(manager, relation, &upper)? })
}

/// The value that the target gets, and the relation that the value implements.
fn value(
    relations: &mut Relations,
    relation: &Bdd,
    passed: &Bdd,
    target: usize,
) -> Result<(Value, Bdd), AbstractionError> {
    let manager = relations.vocabulary.manager();
    let variable = manager.variable(target as u32);
    let cube = manager.cube([target as u32])?;
    let with = manager.and(relation, &variable)?;
    let can_be_true = manager.exists(&with, &cube)?;
    let without = manager.minus(relation, &variable)?;
    let can_be_false = manager.exists(&without, &cube)?;
    let is_true = manager.minus(passed, &can_be_false)?;
    let is_false = manager.minus(passed, &can_be_true)?;
    let open = manager.and(&can_be_true, &can_be_false)?;
    // In states that do not pass, the value does not matter.
    let blocked = manager.not(passed)?;
    let (upper_true, upper_false) =
        (manager.or(&is_true, &blocked)?, manager.or(&is_false, &blocked)?);
    if open.is_false() {
        let form = between(manager, &is_true, &upper_true)?;
        let function = function(manager, &form)?;
        let allowed = manager.iff(&variable, &function)?;
        return Ok((Value::Is(form), allowed));
    }
    if is_true.is_false() && is_false.is_false() {
        return Ok((Value::Any, manager.constant(true)));
    }
    let positive = between(manager, &is_true, &upper_true)?;
    let negative = between(manager, &is_false, &upper_false)?;
    let (p, n) = (function(manager, &positive)?, function(manager, &negative)?);
    // T where p holds, F where only n holds, otherwise either.
    let chosen = manager.or(&p, &n)?;
    let right = manager.iff(&variable, &p)?;
    let free = manager.not(&chosen)?;
    let allowed = manager.or(&free, &right)?;
    Ok((Value::Choose(positive, negative), allowed))
}

/// The function that a form represents.
fn function(manager: &mut Manager, form: &Form) -> Result<Bdd, AbstractionError> {
    let (Form::Some(cubes) | Form::None(cubes)) = form;
    let mut any = manager.constant(false);
    for cube in cubes {
        let cube = manager.literals(cube.iter().copied())?;
        any = manager.or(&any, &cube)?;
    }
    Ok(match form {
        Form::Some(_) => any,
        Form::None(_) => manager.not(&any)?,
    })
}
