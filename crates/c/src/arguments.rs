//! What `main` is given (C11, 5.1.2.2.1): a number of texts, an array of pointers to them with a null pointer behind
//! the last one, and, as POSIX has it, such an array for the environment.
//!
//! The number is at least 1, and at most [`MOST`].  Each text is an object of its own that ends with its zero.

use crate::flow::{Flow, VariableId};
use crate::trace::{Input, InputKind};
use crate::types::{Type, TypeId};

/// The parameters of `main`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// `argc`
    pub count: VariableId,
    /// `argv`
    pub texts: Option<VariableId>,
    /// `envp`
    pub environment: Option<VariableId>,
}

impl Parameters {
    /// Those of the function in which executions start; `None` where it is not `main`, or has no parameters, or others
    /// than C and POSIX give it.
    #[must_use]
    pub fn of(flow: &Flow) -> Option<Self> {
        let main = &flow.functions[flow.main.0 as usize];
        let ty = |v: &VariableId| flow.variables[v.0 as usize].ty;
        let is_array = |v: &VariableId| is_pointer_to_texts(flow, ty(v));
        let fits = main.name == "main"
            && matches!(main.parameters.first(), Some(v) if is_int(flow, ty(v)))
            && main.parameters[1..].iter().all(is_array)
            && main.parameters.len() <= 3;
        fits.then(|| Self {
            count: main.parameters[0],
            texts: main.parameters.get(1).copied(),
            environment: main.parameters.get(2).copied(),
        })
    }
}

/// Whether `main` has a form of the program's own (C11, 5.1.2.2.1: implementation-defined), which begins with no `int`:
/// then its parameters are inputs, as those of any other function in which executions start.
pub(crate) fn are_inputs(flow: &Flow) -> bool {
    let main = &flow.functions[flow.main.0 as usize];
    let first = main.parameters.first();
    first.is_some_and(|v| !is_int(flow, flow.variables[v.0 as usize].ty))
}

fn is_int(flow: &Flow, ty: TypeId) -> bool {
    matches!(flow.types.get(ty), Type::Int { bits: 32, signed: true, .. })
}

/// `char **`, whatever the sign of its characters.
fn is_pointer_to_texts(flow: &Flow, ty: TypeId) -> bool {
    let Type::Pointer(to) = *flow.types.get(ty) else { return false };
    let Type::Pointer(to) = *flow.types.get(to) else { return false };
    matches!(flow.types.get(to), Type::Int { bits: 8, .. })
}

/// The most arguments.  They share 6 MiB on Linux, 1 MiB on macOS, and 64 KiB on Windows with their texts, so that no system
/// gives a program as many.
pub const MOST: u64 = (1 << 24) - 1;

/// What the first text is where nothing depends on it: programs are run under this name.
pub const NAME: &str = "./a.out";

/// What an execution has been given.
#[derive(Debug, Default)]
pub(crate) struct Given {
    /// How many arguments there are, once it is known.
    pub count: Option<u64>,
    /// How many arrays of pointers it has.
    pub arrays: usize,
}

/// The arguments of an execution that has read some: their number, and the texts that were read, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    pub count: u64,
    /// The numbers of texts, and their characters without the zero.
    pub texts: Vec<(u64, Vec<u8>)>,
}

impl CommandLine {
    /// That of an execution with these inputs; `None` where it has read no argument, not even their number.
    #[must_use]
    pub fn of<'i>(flow: &Flow, inputs: impl Iterator<Item = &'i Input> + Clone) -> Option<Self> {
        let Parameters { count, .. } = Parameters::of(flow)?;
        let mut line = inputs.clone().find_map(|input| match input.kind {
            InputKind::Uninitialised { variable, .. } if variable == count.0 => {
                Some(Self { count: input.value, texts: vec![] })
            }
            _ => None,
        })?;
        for input in inputs {
            let InputKind::Argument { index, byte } = input.kind else { continue };
            if byte == 0 {
                line.texts.push((index, vec![]));
            }
            // The characters of a text are read one after the other.
            if let (Some((_, text)), 1..) = (line.texts.last_mut(), input.value) {
                text.push(input.value as u8);
            }
        }
        line.texts.sort_unstable();
        Some(line)
    }

    /// What a shell is to be told; `None` where that is very long.  Texts that were not read are empty.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        if self.count > MOST_WORDS {
            return None;
        }
        let mut words: Vec<&[u8]> = vec![b""; self.count as usize];
        words[0] = NAME.as_bytes();
        for (index, text) in &self.texts {
            *words.get_mut(*index as usize)? = text;
        }
        let name = words[0];
        words[0] = NAME.as_bytes();
        let quoted: Vec<String> = words.into_iter().map(quoted).collect();
        let quoted = quoted.join(" ");
        Some(match name == NAME.as_bytes() {
            true => quoted,
            false => format!("(exec -a {} {quoted})", self::quoted(name)),
        })
    }
}

/// The number of arguments up to which all are shown.
const MOST_WORDS: u64 = 64;

/// A text as a word of a shell.
fn quoted(text: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./:=,+@%-".contains(byte);
    let is_shown = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != b'\'';
    let letters = || text.iter().map(|&byte| char::from(byte));
    if !text.is_empty() && text.iter().all(is_plain) {
        return letters().collect();
    }
    if text.iter().all(is_shown) {
        return format!("'{}'", letters().collect::<String>());
    }
    let escaped = text.iter().map(|byte| match byte {
        byte if is_shown(byte) && *byte != b'\\' => char::from(*byte).to_string(),
        byte => format!("\\{byte:03o}"),
    });
    format!("$'{}'", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_quoted_for_a_shell() {
        let words = |count, texts: &[(u64, &[u8])]| {
            let texts = texts.iter().map(|(index, text)| (*index, text.to_vec())).collect();
            CommandLine { count, texts }.words().expect("it is short")
        };
        assert_eq!(words(3, &[(2, b"-v")]), "./a.out '' -v");
        assert_eq!(words(2, &[(0, b"./a.out"), (1, b"a b$")]), "./a.out 'a b$'");
        assert_eq!(words(2, &[(1, b"it's\\\n")]), r"./a.out $'it\047s\134\012'");
        assert_eq!(words(1, &[(0, b"")]), "(exec -a '' ./a.out)");
        assert_eq!(CommandLine { count: 1 << 20, texts: vec![] }.words(), None);
    }
}
