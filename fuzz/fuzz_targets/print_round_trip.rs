//! What is printed reads as the same tree in every dialect, and prints as the same text.
//!
//! The tree is that of the text, or, where the first byte is odd, of a program made from the bytes.

#![no_main]

use arbitrary::Unstructured;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_fuzz::parsing::check_tree;
use hardbop_fuzz::maker::program;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let dialect = Dialect::ALL[usize::from(first / 2) % Dialect::ALL.len()];
    let tree = if first % 2 == 1 {
        let Ok(text) = program(&mut Unstructured::new(rest)) else { return };
        parse(&text, dialect)
    } else {
        let Ok(text) = std::str::from_utf8(rest) else { return };
        parse(text, dialect)
    };
    if let Ok(tree) = tree {
        check_tree(tree);
    }
});
