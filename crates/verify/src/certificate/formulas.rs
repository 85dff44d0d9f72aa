//! The formulas of a proof, which are texts in SMT-LIB.

use rustc_hash::FxHashMap;

use super::document::StatesAt;
use super::rejection::{Doubt, Rejection};
use hardbop_base::budget::Budget;
use hardbop_cfa::Location;
use hardbop_smt::{Sort, Term, Terms, reader};

/// The names that the formulas of a proof may mention besides the variables of the program.
pub(super) struct Formulas {
    /// The terms by name; these come before the variables of the program.
    known: FxHashMap<String, Term>,
}

fn ill(why: String) -> Doubt {
    Rejection::Ill(why).into()
}

impl Formulas {
    /// The formulas over these names and definitions.
    ///
    /// # Errors
    /// A definition is no term.
    pub fn new(
        terms: &mut Terms,
        known: FxHashMap<String, Term>,
        definitions: &[String],
        budget: &Budget,
    ) -> Result<Self, Doubt> {
        let mut formulas = Self { known };
        for (number, text) in definitions.iter().enumerate() {
            let term = formulas.term(terms, text, budget)?;
            formulas.known.insert(format!("?{number}"), term);
        }
        Ok(formulas)
    }

    /// The formulas of locations, of which there are so many.
    ///
    /// # Errors
    /// They are no formulas, or not in order.
    pub fn states(
        &self,
        terms: &mut Terms,
        states: &[StatesAt],
        locations: u32,
        budget: &Budget,
    ) -> Result<Vec<(Location, Term)>, Doubt> {
        let mut at: Vec<(Location, Term)> = Vec::new();
        for StatesAt { location, formula } in states {
            let formula = self.formula(terms, formula, budget)?;
            if *location >= locations || at.last().is_some_and(|&(l, _)| l.0 >= *location) {
                return Err(ill(format!(
                    "location {location} is none, or not behind the one before"
                )));
            }
            let Some(formula) = formula else {
                return Err(ill(format!("what holds at location {location} is no formula")));
            };
            at.push((Location(*location), formula));
        }
        Ok(at)
    }

    /// A formula; `None` if the text is another term.
    ///
    /// # Errors
    /// It is no term.
    pub fn formula(
        &self,
        terms: &mut Terms,
        text: &str,
        budget: &Budget,
    ) -> Result<Option<Term>, Doubt> {
        let term = self.term(terms, text, budget)?;
        Ok((terms.sort(term) == Sort::Bool).then_some(term))
    }

    fn term(&self, terms: &mut Terms, text: &str, budget: &Budget) -> Result<Term, Doubt> {
        let script = reader::parse(text).map_err(|e| ill(e.kind.to_string()))?;
        let named = |terms: &mut Terms, name: &str| match self.known.get(name) {
            Some(term) => Some(*term),
            None => terms.find_symbol(name).map(|symbol| terms.variable(symbol)),
        };
        let mut read = script.read(terms, named, budget)?;
        match (read.pop(), read.len()) {
            (Some((_, Ok(term))), 0) => Ok(term),
            (Some((_, Err((_, misfit)))), 0) => Err(ill(misfit.to_string())),
            _ => Err(ill("a text is not one term".to_owned())),
        }
    }
}
