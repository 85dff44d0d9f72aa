//! What the fuzz targets share, partly with the tests.

#[path = "../../tests/support/agreement.rs"]
pub mod agreement;
#[path = "../../tests/support/parsing.rs"]
pub mod parsing;
#[path = "../../tests/support/explicit.rs"]
pub mod explicit;
#[path = "../../tests/support/maker.rs"]
pub mod maker;

use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::program::Program;
use hardbop_bp::language::resolve::{ResolveOptions, resolve};
use hardbop_base::source::Source;

/// Parses and resolves a text without mistakes.
pub fn resolved(text: &str) -> Program {
    parse(text, Dialect::default())
        .and_then(|t| resolve(Source::new("fuzz.bp", text), &t, &ResolveOptions::default()))
        .unwrap_or_else(|d| panic!("{text}\n{d:#?}"))
}
