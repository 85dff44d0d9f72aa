//! What users are told about malformed C programs.
//!
//! One file per kind of mistake in `tests/c/malformed`: `p*` are no C, `r*` have wrong names or
//! types. Snapshots of the messages are in `tests/snapshots`; review them with `cargo insta
//! review`, or write them with `INSTA_UPDATE=always cargo test --test c_malformed`.

use std::path::Path;

use hardbop_base::source::{Diagnostic, DiagnosticKind, Source};
use hardbop_c::parse;
use hardbop_c::parse::{MAX_DIAGNOSTICS, ParseOptions, on_large_stack, with_line_marks};
use hardbop_report::diagnostic::render;

/// All that is wrong with a program.
fn diagnostics(source: &Source) -> Vec<Diagnostic> {
    on_large_stack(|| parse(source.clone(), &ParseOptions::default()).err().unwrap_or_default())
        .expect("a thread")
}

#[test]
fn messages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/malformed");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 38, "{}", files.len());
    for path in files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let source = with_line_marks(Source::new(format!("{name}.c"), text));
        let found = diagnostics(&source);
        assert!(!found.is_empty(), "{name}");
        assert!(found.len() <= MAX_DIAGNOSTICS, "{name}");
        assert!(found.is_sorted_by_key(|d| d.span.start), "{name}");
        let no_c = found
            .iter()
            .all(|d| matches!(d.kind, DiagnosticKind::Syntax | DiagnosticKind::Unsupported));
        assert!(no_c || name.starts_with('r'), "{name}");
        let shown = if found.len() > 12 { &found[..2] } else { &found[..] };
        let text = render(&source, shown, false);
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(format!("c_{name}"), text);
        });
    }
}

/// Pieces of programs, cut anywhere: a message, or a program, but never a panic.
#[test]
fn truncated_programs() {
    let text = include_str!("semantics/initialisers.c");
    let cuts = (0..text.len()).step_by(37).filter(|&i| text.is_char_boundary(i));
    for cut in cuts {
        for piece in [&text[..cut], &text[cut..]] {
            for diagnostic in diagnostics(&Source::new("cut.c", piece)) {
                assert!(diagnostic.span.start <= diagnostic.span.end);
                assert!(diagnostic.span.end as usize <= piece.len(), "{piece}\n{diagnostic:?}");
            }
        }
    }
}

/// Line marks may say anything (found by fuzzing).
#[test]
fn line_numbers_out_of_range() {
    for number in ["0", "2147483647", "2147483648", "18446744073709551615", "99999999999999999999"]
    {
        let text = format!("# {number} \"lock.c\"\nint held;\nint main(void) {{ return hold; }}\n");
        let source = with_line_marks(Source::new("marked.c", text));
        let shown = render(&source, &diagnostics(&source), false);
        assert!(shown.contains("'hold'"), "{shown}");
    }
}

/// The parser follows brackets by recursion.
#[test]
fn brackets_that_nest_too_deeply() {
    for bracket in ["(", "{", "["] {
        let text = format!("int main(void) {{ return {}", bracket.repeat(500_000));
        let source = Source::new("deep.c", text);
        let shown = render(&source, &diagnostics(&source), false);
        assert!(shown.contains("nest deeper than"), "{}", &shown[..200.min(shown.len())]);
    }
}

/// It follows operators and statements in the same way.
#[test]
fn statements_that_nest_too_deeply() {
    for (part, said) in [
        ("x = ", "operators and words"),
        ("!", "operators and words"),
        ("sizeof ", "operators and words"),
        ("if (x) ", "operators and words"),
        ("for (;;) ", "operators and words"),
        ("if (x) x = 1; else ", "times 'else'"),
    ] {
        let text = format!("int main(void) {{ int x; {}x; }}", part.repeat(500_000));
        let source = Source::new("deep.c", text);
        let shown = render(&source, &diagnostics(&source), false);
        assert!(shown.contains(said), "{part}: {}", &shown[..200.min(shown.len())]);
    }
}

/// Runs of signs are operators of two characters, as far as possible.
#[test]
fn long_runs_of_signs() {
    for sign in ["-", "+"] {
        let text = format!("int main(void) {{ int x = 0; {}if (x); }}\n", sign.repeat(64));
        let source = Source::new("signs.c", text);
        let shown = render(&source, &diagnostics(&source), false);
        assert!(shown.contains("'if' cannot stand here") && shown.contains("signs.c:1"), "{shown}");
    }
    let text = "int main(void) { int x = 3; char *s = \"--------------------\"; return - - - -x; }";
    assert!(parse(Source::new("blanks.c", text), &ParseOptions::default()).is_ok());
}
