//! Bytes of a C file: mistakes are rendered, what is C becomes automata.
//!
//! The length of the text says which data model, so that C files are seeds as they are.

#![no_main]

use hardbop_base::budget::Budget;
use hardbop_c::lower::{LoweringOptions as Options, lower};
use hardbop_c::parse::{MAX_DIAGNOSTICS, ParseOptions, on_large_stack, parse, with_line_marks};
use hardbop_c::types::DataModel;
use hardbop_report::diagnostic::render;
use hardbop_smt::Terms;
use hardbop_base::source::Source;
use libfuzzer_sys::fuzz_target;

/// The work that the lowering may do.
const WORK: u64 = 10_000;

fn read(text: &str) {
    let model = if text.len() % 2 == 0 { DataModel::Ilp32 } else { DataModel::Lp64 };
    let source = Source::new("fuzz.c", text);
    match parse(source.clone(), &ParseOptions { model: Some(model), ..ParseOptions::default() }) {
        Ok(flow) => {
            let budget = Budget::unlimited().trial(WORK);
            // It may end by its budget, or not fit into memory; it must not panic.
            let _ = lower(&flow, &mut Terms::new(), Options::default(), &budget);
        }
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "refused without a reason");
            assert!(diagnostics.len() <= MAX_DIAGNOSTICS);
            assert!(!render(&with_line_marks(source), &diagnostics, false).is_empty());
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    on_large_stack(|| read(text)).expect("a thread");
});
