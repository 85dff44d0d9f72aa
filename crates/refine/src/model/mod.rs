//! Boolean programs that abstract programs: predicate abstraction function by function, independent
//! of the calling context.
//!
//! There is one procedure per function, with calls as in Ball, Majumdar, Millstein, Rajamani:
//! "Automatic Predicate Abstraction of C Programs" (PLDI 2001): predicates over globals are
//! globals, others are local to their function; those over formals are passed (E_f, Sect. 4.5), and
//! those over what a caller knows afterwards are returned (E_r).  Statements are large blocks, as
//! in Beyer et al.: "Software Model Checking via Large-Block Encoding" (Sect. III-A).  Each is
//! abstracted to its Boolean predicate abstraction (Sect. II-B) as a transition relation: over a
//! predicate p before it and p' after it, ∃ data states c, c': p(c), p'(c'), and the block leads
//! from c to c'.  Infeasible counterexamples with calls are refuted by nested interpolants
//! (Heizmann, Hoenicke, Podelski, POPL 2010).
//!
//! A [`Skeleton`] holds what does not depend on the predicates; an [`Abstracter`] makes abstract
//! procedures from [`Predicates`], and [`program`] writes the text of a [`BooleanProgram`].
//! [`BooleanModel`] is the [abstract model](crate::cegar::AbstractModel) that the loop refines.

pub mod abstraction;
pub mod boolean;
pub mod path;
pub mod relation;
pub mod skeleton;
pub mod summaries;
pub mod text;

pub use abstraction::abstracter::Abstracter;
pub use boolean::BooleanModel;
pub use relation::cache::Cache;
pub use relation::update::Update;
pub use skeleton::Skeleton;
pub use skeleton::given::{GivenError, GivenErrorKind, predicates};
pub use skeleton::predicates::Predicates;
pub use text::names::{Naming, SmtLib};
pub use text::program::{BooleanProgram, Meaning, Text, program};
