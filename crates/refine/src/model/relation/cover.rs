//! Irredundant sums of products between two bounds (Minato: "Fast Generation of Irredundant
//! Sum-of-Products Forms from Binary Decision Diagrams", SASIMI 1992; the procedure ISOP).

use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::predicate::abstraction::AbstractionError;
use hardbop_logic::bdd::{Bdd, Manager};

/// Literals with their values, sorted by number.
pub type Cube = Vec<(u32, bool)>;

/// A formula over literals, in the shorter of two forms.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The literal is true in any of the cubes.
    Some(Vec<Cube>),
    /// The literal is true in none of the cubes.
    None(Vec<Cube>),
}

impl Form {
    pub fn is_true(&self) -> bool {
        match self {
            Self::Some(cubes) => cubes.iter().any(Vec::is_empty),
            Self::None(cubes) => cubes.is_empty(),
        }
    }

    pub fn is_false(&self) -> bool {
        match self {
            Self::Some(cubes) => cubes.is_empty(),
            Self::None(cubes) => cubes.iter().any(Vec::is_empty),
        }
    }

    /// The number of literals in it.
    pub fn size(&self) -> usize {
        let (Self::Some(cubes) | Self::None(cubes)) = self;
        cubes.iter().map(|c| c.len().max(1)).sum()
    }
}

/// A function between `lower` and `upper`, in the shorter of the forms that covers of it and of its
/// complement give.
///
/// # Errors
/// If the table of BDD nodes is full or the budget runs out.
pub fn between(manager: &mut Manager, lower: &Bdd, upper: &Bdd) -> Result<Form, AbstractionError> {
    let some = cover(manager, lower, upper)?;
    let (not_upper, not_lower) = (manager.not(upper)?, manager.not(lower)?);
    let none = cover(manager, &not_upper, &not_lower)?;
    let (some, none) = (Form::Some(some), Form::None(none));
    Ok(if some.size() <= none.size() { some } else { none })
}

/// An irredundant list of cubes whose disjunction lies between the bounds.
///
/// # Errors
/// If the table of BDD nodes is full or the budget runs out.
pub fn cover(
    manager: &mut Manager,
    lower: &Bdd,
    upper: &Bdd,
) -> Result<Vec<Cube>, AbstractionError> {
    let mut search = Search { manager, known: FxHashMap::default() };
    let (cubes, _) = search.cover(lower, upper)?;
    Ok(cubes.iter().map(|c| c.iter().rev().copied().collect()).collect())
}

/// Cubes, each with its literals in reverse order, and their disjunction.
type Cover = (Rc<Vec<Cube>>, Bdd);

struct Search<'a> {
    manager: &'a mut Manager,
    known: FxHashMap<(Bdd, Bdd), Cover>,
}

impl Search<'_> {
    /// The recursion is at most as deep as there are variables.
    fn cover(&mut self, lower: &Bdd, upper: &Bdd) -> Result<Cover, AbstractionError> {
        if lower.is_false() {
            return Ok((Rc::default(), self.manager.constant(false)));
        }
        if upper.is_true() {
            return Ok((Rc::new(vec![vec![]]), self.manager.constant(true)));
        }
        let key = (lower.clone(), upper.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let top = |f: &Bdd| f.branch().map_or(u32::MAX, |(v, ..)| v);
        let v = top(lower).min(top(upper));
        let (lower1, lower0) = cofactors(lower, v);
        let (upper1, upper0) = cofactors(upper, v);
        let needs0 = self.manager.minus(&lower0, &upper1)?;
        let needs1 = self.manager.minus(&lower1, &upper0)?;
        let (cubes0, f0) = self.cover(&needs0, &upper0)?;
        let (cubes1, f1) = self.cover(&needs1, &upper1)?;
        let left0 = self.manager.minus(&lower0, &f0)?;
        let left1 = self.manager.minus(&lower1, &f1)?;
        let left = self.manager.or(&left0, &left1)?;
        let both = self.manager.and(&upper0, &upper1)?;
        let (cubes, f) = self.cover(&left, &both)?;
        let variable = self.manager.variable(v);
        let with0 = self.manager.minus(&f0, &variable)?;
        let with1 = self.manager.and(&f1, &variable)?;
        let sum = self.manager.or(&with0, &with1)?;
        let sum = self.manager.or(&sum, &f)?;
        let mut all: Vec<Cube> = vec![];
        for (part, value) in [(cubes1, true), (cubes0, false)] {
            all.extend(part.iter().map(|cube| {
                let mut cube = cube.clone();
                cube.push((v, value));
                cube
            }));
        }
        all.extend(cubes.iter().cloned());
        let result = (Rc::new(all), sum);
        self.known.insert(key, result.clone());
        Ok(result)
    }
}

/// The cofactors for the variable being true and false; it must not lie below the top variable.
fn cofactors(f: &Bdd, variable: u32) -> (Bdd, Bdd) {
    match f.branch() {
        Some((v, high, low)) if v == variable => (high, low),
        _ => (f.clone(), f.clone()),
    }
}
