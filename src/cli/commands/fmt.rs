//! `hardbop fmt`: the canonical form.

use crate::cli::arguments::translate::FmtArguments;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::interrupt;
use crate::cli::{input, output};
use hardbop_bp::language::print::print;

/// Prints, checks or writes the canonical form.
pub(crate) fn run(arguments: &FmtArguments) -> Result<Exit, CliError> {
    let FmtArguments { file, check, in_place, drop_comments, dialect, color } = arguments;
    interrupt::at_once();
    input::boolean::named(file)?;
    let source = input::read(file)?;
    let tree = input::parsed(&source, *dialect, color.when)?;
    let text = print(&tree);
    let canonical = text == source.text;
    if *check {
        if !canonical {
            output::complain(&format!("{}: not in canonical form", source.name));
            return Ok(Exit::Refused);
        }
    } else if *in_place && !output::is_stream(file) {
        if canonical {
            return Ok(Exit::Safe);
        }
        if has_comments(&source.text) && !drop_comments {
            return Err(CliError::Usage(format!(
                "'{}' has comments, which would be lost; '--drop-comments' allows that",
                source.name
            )));
        }
        output::write(file, text.as_bytes())?;
    } else {
        output::print(&text)?;
    }
    Ok(Exit::Safe)
}

/// Is there a comment outside of quoted names?
fn has_comments(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut quoted = false;
    for pair in bytes.windows(2) {
        match pair {
            [b'{', _] => quoted = true,
            [b'}' | b'\n', _] => quoted = false,
            b"//" | b"/*" if !quoted => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_comments;

    #[test]
    fn comments_are_found_outside_of_names() {
        assert!(has_comments("skip; // done"));
        assert!(has_comments("{a} := T; /* b */"));
        assert!(!has_comments("{a//b} := {c/*d};"));
        assert!(!has_comments(""));
    }
}
