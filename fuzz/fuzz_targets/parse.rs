//! Bytes of a file, as `check` reads them: mistakes are rendered, programs are resolved.

#![no_main]

use hardbop_bp::language::dot::dot;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::resolve::{ResolveOptions, resolve};
use hardbop_bp::language::text::decode;
use hardbop_report::diagnostic::render;
use hardbop_base::source::Source;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let Ok(text) = decode(rest.to_vec()) else { return };
    let dialect = Dialect::ALL[usize::from(first) % Dialect::ALL.len()];
    let source = Source::new("fuzz.bp", text);
    let result = parse(&source.text, dialect)
        .and_then(|tree| resolve(source.clone(), &tree, &ResolveOptions::default()));
    match result {
        Ok(program) => assert!(!dot(&program).is_empty()),
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "refused without a reason");
            assert!(!render(&source, &diagnostics, first >= 128).is_empty());
        }
    }
});
