//! What the automata assume about a program.

use std::fmt;

use super::super::flow::Flow;
use super::super::memory::ObjectKind;
use super::super::reliance::{CONSTANTS, Reliance};
use super::super::types::TypeId;

/// An assumption under which the automata include all behaviour of the program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assumption {
    ValidAccesses,
    /// As `ValidAccesses`, if there are checks that accesses stay within objects.
    CheckedAccesses,
    /// Addresses are compared by order or used as numbers.
    Addresses,
    /// What the text relies on.
    Text(Reliance),
    /// Pointers are equal only if they point into one object.
    DistinctObjects,
    /// Local pointers are not used before they have a value.
    InitialisedPointers,
    /// Values of local variables that are read before they have got one.
    SettledValues,
    /// Memory of the heap that is read before it has got a value.
    SettledBlocks,
    /// Results of functions that have returned none.
    MissingResults,
    /// String literals and objects that are defined `const` are not written.
    Constants,
    /// Local variables and blocks of `alloca` are not used after their function has returned or their block was left.
    EndedVariables,
    /// Blocks are freed once, and not used afterwards.
    LiveBlocks,
    /// What an execution that does not end leaves behind is no error.
    Ends,
    DivisorsNotZero,
    /// Floating-point numbers of 32-bit programs are computed with SSE.
    FloatsOfSse,
    /// The bits of NaNs are those that x86 gives them.
    BitsOfNans,
    /// `malloc` never returns null.
    AllocationSucceeds,
    /// `memcpy` yields a pointer only where both objects hold one.
    CopiesKeepPointers,
    /// A pointer from outside is only used to access scalars of the size of its pointee type.
    UnknownPointers,
    /// This function, which has no body, does anything that a function of another file can.
    UndefinedFunction(String),
    /// This function, which has no body, changes only what it can reach.
    ReachingFunction(String),
    /// This function, which has no body, changes nothing.
    PureFunction(String),
    /// This function has no body; its name tells what it does.
    LibraryFunction(String),
    /// What functions read from streams.
    Streams,
    /// What `main` is given.
    Arguments,
    /// An object is used as a larger one: its name or origin, and the types.
    LargerObject {
        what: String,
        used: String,
    },
    /// The error needs an object at an address that the text gives as a number.
    ObjectAt(u64),
    /// The error needs a pointer from outside to point to an object outside the program.
    OutsideObjects,
}

/// Assumptions in words, in their order; those about library functions are one.
pub fn words<'a>(assumptions: impl IntoIterator<Item = &'a Assumption>) -> Vec<String> {
    let (mut all, mut functions) = (vec![], vec![]);
    for assumption in assumptions {
        match assumption {
            Assumption::LibraryFunction(name) => functions.push(name.as_str()),
            other => all.push(other.to_string()),
        }
    }
    match functions.as_slice() {
        [] => {}
        [name] => all.push(Assumption::LibraryFunction((*name).to_owned()).to_string()),
        names => all.push(format!(
            "{} functions that are not defined do what the library functions of these names do ({})",
            names.len(),
            names.join(", ")
        )),
    }
    all
}

impl Assumption {
    /// Whether an error depends on it even though the program text was executed.
    pub fn concerns_errors(&self) -> bool {
        matches!(
            self,
            Self::Addresses
                | Self::InitialisedPointers
                | Self::MissingResults
                | Self::Text(
                    Reliance::Order
                        | Reliance::Sequence
                        | Reliance::StableSort
                        | Reliance::NoReturn
                        | Reliance::Jumped
                        | Reliance::GivenObjects
                        | Reliance::GivenObjectsOrNull
                )
                | Self::Streams
                | Self::OutsideObjects
                | Self::ObjectAt(_)
                | Self::LargerObject { .. }
        )
    }

    /// Whether the interpreter relies on it too: where it does not hold, other executions than those that the
    /// interpreter shows are possible.
    pub fn concerns_executions(&self) -> bool {
        match self {
            Self::Addresses
            | Self::Text(_)
            | Self::DistinctObjects
            | Self::EndedVariables
            | Self::Constants
            | Self::FloatsOfSse
            | Self::BitsOfNans
            | Self::AllocationSucceeds
            | Self::Streams
            | Self::Arguments
            | Self::LibraryFunction(_) => true,
            Self::ValidAccesses
            | Self::CheckedAccesses
            | Self::InitialisedPointers
            | Self::SettledValues
            | Self::SettledBlocks
            | Self::MissingResults
            | Self::LiveBlocks
            | Self::Ends
            | Self::DivisorsNotZero
            | Self::CopiesKeepPointers
            | Self::UnknownPointers
            | Self::UndefinedFunction(_)
            | Self::ReachingFunction(_)
            | Self::PureFunction(_)
            | Self::LargerObject { .. }
            | Self::ObjectAt(_)
            | Self::OutsideObjects => false,
        }
    }

    /// Whether it is about what was never written: it has any value.
    pub fn concerns_values(&self) -> bool {
        matches!(
            self,
            Self::InitialisedPointers
                | Self::SettledValues
                | Self::SettledBlocks
                | Self::MissingResults
        )
    }

    /// The assumption of what the text relies on.
    pub fn of_text(reliance: Reliance) -> Self {
        match reliance {
            // What pointers lead to may show the same.
            Reliance::Constants => Self::Constants,
            other => Self::Text(other),
        }
    }

    /// The assumption that an object is as large as a type.
    pub fn larger(flow: &Flow, object: ObjectKind, used: TypeId) -> Option<Self> {
        let source = &flow.source;
        let what = match object {
            ObjectKind::Variable(v) => {
                let variable = &flow.variables[v.0 as usize];
                let place = source.words(variable.span.start);
                format!("'{}' ({})", variable.name, &place["in ".len()..])
            }
            ObjectKind::Allocation(function, edge) => {
                let body = flow.functions[function.0 as usize].body.as_ref()?;
                let at = body.edges.get(edge as usize)?.span.start;
                format!("the memory allocated {}", source.words(at))
            }
            _ => return None,
        };
        Some(Self::LargerObject { what, used: flow.types.name(used) })
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ValidAccesses => f.write_str("no access is out of bounds, misaligned or through an invalid pointer"),
            Self::CheckedAccesses => f.write_str(
                "no access is misaligned, through a pointer that has left its object for another one, or to an object that has ended",
            ),
            Self::Addresses => f.write_str(
                "objects lie at the addresses that hardbop assigns, where these decide the order of pointers or numbers computed from them",
            ),
            Self::Text(reliance) => reliance.fmt(f),
            Self::DistinctObjects => f.write_str(
                "pointers to different objects differ, also behind the end of an object, into string literals, to freed blocks, and to labels",
            ),
            Self::InitialisedPointers => f.write_str("no pointer is used before it has a value"),
            Self::SettledValues => f.write_str(
                "a variable that is read before it has a value has any value, which stays until it gets another one",
            ),
            Self::SettledBlocks => f.write_str(
                "allocated memory that is read before it is written has any value, which stays until it is written",
            ),
            Self::Constants => f.write_str(CONSTANTS),
            Self::MissingResults => f.write_str("a function that ends without a 'return' has any value as its result"),
            Self::EndedVariables => f.write_str(
                "no local variable or block of alloca is used after its function has returned or its block was left",
            ),
            Self::LiveBlocks => f.write_str("no block is freed twice, or used after it was freed, and nothing else is freed"),
            Self::Ends => f.write_str(
                "blocks are looked for where the program ends by 'return' or 'exit', not in executions that end otherwise or never",
            ),
            Self::DivisorsNotZero => f.write_str("a division by zero ends the program"),
            Self::FloatsOfSse => f.write_str(
                "floating-point numbers are computed as with 'gcc -m32 -msse2 -mfpmath=sse', not on the x87",
            ),
            Self::BitsOfNans => f.write_str(
                "sign and payload of a NaN are those that x86 gives at run time (of two NaNs, the left one), and in initialisers of statics those that gcc gives",
            ),
            Self::AllocationSucceeds => f.write_str("memory never runs out, and a block of size 0 has an address"),
            Self::CopiesKeepPointers => {
                f.write_str("bytes that 'memcpy' copies are a pointer only where both objects hold a pointer")
            }
            Self::UnknownPointers => f.write_str(
                "a write through a pointer from outside changes a whole scalar of an object that is known outside, or no memory of the program",
            ),
            Self::UndefinedFunction(name) => write!(
                f,
                "'{name}' is not defined: it returns any value, if at all, changes only what other files can name or were given, and calls only what it was given"
            ),
            Self::ReachingFunction(name) => write!(
                f,
                "'{name}' is not defined: it returns any value, may change what it was given, and calls nothing back"
            ),
            Self::PureFunction(name) => {
                write!(f, "'{name}' is not defined: it returns any value and changes nothing")
            }
            Self::LibraryFunction(name) => {
                write!(f, "'{name}' is not defined: it does what the library function of that name does")
            }
            Self::Streams => f.write_str(
                "what one call reads does not depend on what others have read, and a text that is read has no zero byte and fits into its buffer",
            ),
            Self::Arguments => f.write_str(
                "'main' is given at least one argument, its name, at most 16,777,215, and no text of 2 GiB or more (with 32-bit pointers, of 128 KiB)",
            ),
            Self::LargerObject { what, used } => {
                write!(f, "{what} is as large as the '{used}' that it is used as")
            }
            Self::ObjectAt(number) => {
                write!(f, "at the address {number:#x}, which the program uses, there is a separate object")
            }
            Self::OutsideObjects => f.write_str(
                "a pointer from outside may point to a separate object to which nothing else points",
            ),
        }
    }
}
