//! The abstraction of a single formula, without a program: the strongest conjunction of predicates
//! and their negations, or the strongest Boolean combination of predicates, that it implies.
//!
//! The formula is treated as a block that changes nothing, so the [`Abstractor`] of the analysis
//! computes the result.

use thiserror::Error;

use super::abstraction::{Abstraction, Abstractor};
use super::block::BlockFormula;
use super::effort::AbstractionError;
use super::vocabulary::{PredicateId, Vocabulary};
use hardbop_base::budget::Budget;
use hardbop_smt::reader::{self, Misfit, ReadError};
use hardbop_smt::{DeclarationError, Node, Solvers, Sort, Term, Terms, declare};

/// Why there is no abstraction of a formula.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_refine::predicate::Abstraction;
/// use hardbop_refine::predicate::formula::{FormulaError, abstraction_of_text};
/// use hardbop_smt::{Purpose, SolverKind, Solvers};
///
/// let solvers = Solvers::new(SolverKind::Blast, None, Purpose::Abstraction);
/// let found = abstraction_of_text("", "(< x 1)", "", Abstraction::Boolean, solvers, &Budget::unlimited());
/// let Err(error @ (FormulaError::Text { .. } | FormulaError::Misfit { .. })) = found else {
///     panic!("x is not declared");
/// };
/// assert!(error.to_string().starts_with("formula: "));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FormulaError {
    #[error("expected a formula, found a {0}")]
    NoFormula(Sort),
    /// A formula may only mention program variables ([`Terms::variable`]).
    #[error("'{0}' is an instance of a variable, not a variable")]
    Instance(String),
    #[error("declarations: {0}")]
    Declarations(DeclarationError),
    #[error("{part}: {error}")]
    Text { part: Part, error: ReadError },
    #[error("{part}: {error}")]
    Misfit { part: Part, error: Misfit },
    #[error(transparent)]
    Abstraction(#[from] AbstractionError),
}

/// The part of the input that a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    Formula,
    Predicates,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if *self == Self::Formula { "formula" } else { "predicates" })
    }
}

/// The abstraction of `formula`, over the same variables; `false` iff it is unsatisfiable.
///
/// Constant predicates are ignored; `p` and `not p` are the same predicate.
///
/// # Errors
/// If an argument is not a formula over variables, a solver fails, or the budget runs out.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_refine::predicate::Abstraction;
/// use hardbop_refine::predicate::formula::{FormulaError, abstraction};
/// use hardbop_smt::{Comparison, Purpose, SolverKind, Solvers, Sort, Terms};
///
/// let mut terms = Terms::new();
/// let x = terms.symbol("x", Sort::Bits(8));
/// let x = terms.variable(x);
/// let (five, ten) = (terms.bits(8, 5), terms.bits(8, 10));
/// let (is_five, below) = (terms.equal(x, five), terms.compare(Comparison::ULt, x, ten));
/// let solvers = Solvers::new(SolverKind::default(), None, Purpose::Abstraction);
/// let budget = Budget::unlimited();
/// let found = abstraction(&mut terms, is_five, &[below], Abstraction::Boolean, solvers, &budget)?;
/// assert_eq!(found, below);
/// # Ok::<(), FormulaError>(())
/// ```
pub fn abstraction(
    terms: &mut Terms,
    formula: Term,
    predicates: &[Term],
    kind: Abstraction,
    solvers: Solvers,
    budget: &Budget,
) -> Result<Term, FormulaError> {
    for &t in [formula].iter().chain(predicates) {
        suits(terms, t)?;
    }
    let mut vocabulary = Vocabulary::new(budget).map_err(AbstractionError::from)?;
    let mut ids: Vec<PredicateId> = vec![];
    for &p in predicates {
        ids.extend(vocabulary.add(terms, p).map_err(AbstractionError::from)?);
    }
    ids.sort_unstable();
    ids.dedup();
    let formula = terms.substitute(formula, |terms, leaf| match *terms.node(leaf) {
        Node::Variable(s) => Some(terms.instance(s, 0)),
        _ => None,
    });
    let block = BlockFormula { number: 0, conjuncts: &[formula], definitions: &[], post: &[] };
    let any = terms.bool(true);
    let mut abstractor = Abstractor::new(solvers, kind);
    let state = abstractor.successor(terms, &mut vocabulary, any, &block, &ids, budget)?;
    Ok(vocabulary.formula(terms, &state))
}

/// The [`abstraction`] of SMT-LIB texts: declarations of variables, one formula, any number of
/// predicates.
///
/// # Errors
/// If a text is wrong, or [`abstraction`] fails.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_refine::predicate::Abstraction;
/// use hardbop_refine::predicate::formula::{FormulaError, abstraction_of_text};
/// use hardbop_smt::{Purpose, SolverKind, Solvers};
///
/// let found = abstraction_of_text(
///     "(declare-const x (_ BitVec 8))",
///     "(bvult x #x05)",
///     "(bvult x #x0a) (= x #x07)",
///     Abstraction::Boolean,
///     Solvers::new(SolverKind::default(), None, Purpose::Abstraction),
///     &Budget::unlimited(),
/// )?;
/// assert_eq!(found, "(and (bvult x #x0a) (not (= x #x07)))");
/// # Ok::<(), FormulaError>(())
/// ```
pub fn abstraction_of_text(
    declarations: &str,
    formula: &str,
    predicates: &str,
    kind: Abstraction,
    solvers: Solvers,
    budget: &Budget,
) -> Result<String, FormulaError> {
    let mut terms = Terms::new();
    declare(&mut terms, declarations).map_err(FormulaError::Declarations)?;
    let formulas = read(&mut terms, Part::Formula, formula)?;
    let formula = terms.and(&formulas);
    let predicates = read(&mut terms, Part::Predicates, predicates)?;
    let found = abstraction(&mut terms, formula, &predicates, kind, solvers, budget)?;
    Ok(terms.display(found).to_string())
}

/// The formulas of a text.
fn read(terms: &mut Terms, part: Part, text: &str) -> Result<Vec<Term>, FormulaError> {
    let script = reader::parse(text).map_err(|error| FormulaError::Text { part, error })?;
    let formulas = script.formulas(terms).into_iter();
    formulas.map(|(_, f)| f.map_err(|error| FormulaError::Misfit { part, error })).collect()
}

fn suits(terms: &Terms, formula: Term) -> Result<(), FormulaError> {
    if terms.sort(formula) != Sort::Bool {
        return Err(FormulaError::NoFormula(terms.sort(formula)));
    }
    let instance =
        |&&t: &&Term| terms.node(t).is_leaf() && !matches!(terms.node(t), Node::Variable(_));
    match terms.support(formula).iter().find(instance) {
        Some(&t) => Err(FormulaError::Instance(terms.display(t).to_string())),
        None => Ok(()),
    }
}
