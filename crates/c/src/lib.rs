//! C programs: from text to typed control flow ([`flow`]), their concrete interpreter ([`execute`]), and on to
//! control-flow automata ([`lower`]) over the scalars in the program's [`memory`].
//!
//! ```
//! use hardbop_base::source::Source;
//! use hardbop_c::execute::{ExecutionOptions, Zero, run};
//! use hardbop_c::{ParseOptions, parse};
//!
//! let source = Source::new("six.c", "int main(void) { int n = 1; for (int i = 2; i < 4; i++) n *= i; return n; }");
//! let flow = parse(source, &ParseOptions::default()).expect("it is C");
//! let execution = run(&flow, &mut Zero, &ExecutionOptions::default()); // inputs are zero, if there are any
//! assert_eq!(execution.status, Some(6));
//! ```

pub mod arguments;
mod bodies;
mod checks;
mod edit;
pub mod execute;
pub mod flow;
mod for_check;
pub mod harness;
pub mod instrument;
mod jumps;
pub mod library;
pub mod limits;
mod link;
pub mod lower;
pub mod memory;
pub mod parse;
pub mod points_to;
pub mod print;
mod property;
mod reliance;
mod rewrite;
mod rounding;
mod rules;
mod signals;
mod syntax;
mod terms;
mod threads;
pub mod trace;
pub mod types;
mod variadic;

pub use for_check::read_for_check;
pub use link::{AmbiguousName, Contents, Files, ProgramFiles, parse, programs, wanted};
pub use parse::{
    ParseOptions, Pointers, comments_of, conceal, data_model, expose, has_main, is_same_code,
    needs_preprocessor, on_large_stack, with_line_marks,
};
pub use property::Property;
pub use reliance::{CONSTANTS, Reliance, Unordered};
pub use rules::{KnownRule, RULES, Rule, RuleFunction};
