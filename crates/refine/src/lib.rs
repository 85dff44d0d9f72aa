//! Predicate abstraction and its refinement, for any program that is given as control-flow
//! automata.
//!
//! The method is that of Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: "Software Model Checking
//! via Large-Block Encoding" (FMCAD 2009).  The modules, from the bottom up:
//!
//! - [`limits`]: how long one method is tried before the next;
//! - [`interpolate`]: Craig interpolants of an infeasible sequence of formulas (Sect. II-C);
//! - [`predicate`]: precisions, Cartesian and Boolean predicate abstraction φ^π, the operator SP^π
//!   (Sect. II-B);
//! - [`block`]: the division of automata into large blocks (Sect. III-A), formulas of paths SP_σ
//!   (Sect. II-A), and executions that satisfy them;
//! - [`proof`]: why no goal is reached, as formulas of locations, and the solver that says whether
//!   they show it;
//! - [`values`]: exploration of values and intervals, before anything is abstracted;
//! - [`affine`]: affine relations between variables, as candidates for predicates;
//! - [`select`]: predicates that the program text suggests, instead of interpolants;
//! - [`cegar`]: the loop, and its interface to abstractions;
//! - [`tree`]: the abstract reachability tree (Sect. II-C);
//! - [`model`]: Boolean programs, in which each procedure abstracts a function of the program.
//!
//! ```
//! use hardbop_base::budget::Budget;
//! use hardbop_refine::predicate::{Abstraction, formula::abstraction_of_text};
//! use hardbop_smt::{Purpose, SolverKind, Solvers};
//!
//! let (variables, solver) = ("(declare-const x (_ BitVec 8))", SolverKind::Blast);
//! let (formula, predicates) = ("(bvult x #x05)", "(bvult x #x0a) (= x #x07)");
//! let solvers = Solvers::new(solver, None, Purpose::Abstraction);
//! let budget = Budget::unlimited();
//! let found = abstraction_of_text(variables, formula, predicates, Abstraction::Cartesian, solvers, &budget)?;
//! assert_eq!(found, "(and (bvult x #x0a) (not (= x #x07)))");
//! # Ok::<(), hardbop_refine::predicate::formula::FormulaError>(())
//! ```

pub mod affine;
pub mod block;
pub mod cegar;
pub mod houdini;
pub mod interpolate;
pub mod limits;
pub mod model;
pub mod predicate;
pub mod proof;
pub mod select;
pub mod tree;
pub mod values;
