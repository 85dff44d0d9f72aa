//! What the meaning of a text rests on where C gives it none, or leaves it open.

use std::fmt;

use hardbop_base::source::Span;

/// Something that the text does, and that has the meaning which hardbop gives it only under an assumption.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reliance {
    /// A value depends on the order in which operands and arguments are evaluated, which C leaves open (C11, 6.5, 6.5.2.2):
    /// calls that may change what other operands read, and two calls.
    Order,
    /// An effect has no order with another one on the same object, or with a read of it (C11, 6.5, 2).
    Sequence,
    /// A call of `qsort` is written out as insertion sort.
    StableSort,
    /// `volatile` is written where it has no effect here: at members, locals, and targets of pointers.
    VolatileMemory,
    /// An array of variable length may have one that is not positive (C11, 6.7.6.2, 5).
    Lengths,
    /// `__builtin_unreachable` is called.
    Unreachable,
    /// The text writes to a local object that is defined `const`, through a cast (C11, 6.7.3, 6).
    Constants,
    /// A member is defined `const`, and writes to what is so are errors, but those to members are not seen.
    ConstantMembers,
    /// A function of the text that is declared `_Noreturn` is called, or its address is taken (C11, 6.7.4, 8).
    NoReturn,
    /// The result of a call is the number of characters that it puts out (C11, 7.21.6.1), or the character (7.21.7.3).
    Output,
    /// A call may choose another locale than the one at the start (C11, 7.11.1.1).
    Locale,
    /// Complex numbers are divided (C11, Annex G.5.1, leaves open how their parts are rounded).
    ComplexQuotients,
    /// A local variable that is not `volatile` may be changed between a call of `setjmp` and a jump back to it, and read
    /// afterwards (C11, 7.13.2.1, 3).
    Jumped,
    /// An object is atomic, or each thread has one of its own: with one thread, it is one like others.
    OneThread,
    /// The program starts threads.
    Threads,
    /// The program has signal handlers of its own.
    Signals,
    /// The function in which executions start is given objects.
    GivenObjects,
    /// It is given objects, or null.
    GivenObjectsOrNull,
    /// Its contract says what it is given, and what else holds there.
    Required,
    /// What the contract of a function without a body says of its calls is so.
    Contract,
}

/// Operands that C leaves without an order, of which at least one has calls: a [`Reliance::Order`] if what they do meets.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unordered {
    /// A place in the text of one.
    pub at: Span,
    /// The calls in each, by their places.
    pub calls: [Vec<Span>; 2],
    /// Whether the first one of these reads memory, besides its calls.
    pub reads: bool,
}

/// The same whether the text or what a pointer leads to shows it.
pub const CONSTANTS: &str = "no string literal is written, and no object that is defined 'const'";

impl fmt::Display for Reliance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Order => {
                "operands and arguments are evaluated from left to right, where calls in them may depend on the order"
            }
            Self::Sequence => {
                "no expression changes an object that another part of it, which has no order with that, changes or reads, as in 'i = i++'"
            }
            Self::StableSort => {
                "'qsort' compares as insertion sort does, and keeps the order of elements that compare equal"
            }
            Self::VolatileMemory => {
                "only the program changes 'volatile' members, locals and targets of pointers"
            }
            Self::Lengths => "the length of an array of variable length is positive",
            Self::Unreachable => "no call of '__builtin_unreachable' is reached",
            Self::Constants => CONSTANTS,
            Self::ConstantMembers => "no member that is defined 'const' is written",
            Self::NoReturn => "no function that is declared '_Noreturn' returns",
            Self::Output => {
                "output does not fail where the program uses the result: 'printf' and its like return how many characters they write, and 'putchar' and its like the character"
            }
            Self::Locale => "the locale stays \"C\", whatever 'setlocale' is told",
            Self::ComplexQuotients => {
                "complex numbers are divided as by the library of gcc 12 and later: by Smith's algorithm, 'float' with the precision of 'double'"
            }
            Self::OneThread => "there is one thread",
            Self::Threads => {
                "threads run in any order, each access to memory is seen at once by all of them, only they change 'volatile' variables, and starting a thread does not fail"
            }
            Self::Signals => {
                "signals that have handlers come at any time, before or after an access to memory, and only their handlers change 'volatile' variables; a handler is not interrupted by signals without one"
            }
            Self::GivenObjects => {
                "each pointer that the function is given leads to an object of its type, one element, to which no other one leads, and so do the pointers in it"
            }
            Self::GivenObjectsOrNull => {
                "each pointer that the function is given is null or leads to an object of its type, one element, to which no other one leads, and so do the pointers in it"
            }
            Self::Required => {
                "where executions start, what the function's 'requires' says holds"
            }
            Self::Contract => {
                "a function that is not defined does what its contract says: 'ensures' holds where it returns, and with an 'assigns' that is understood it changes nothing else and calls nothing of the program"
            }
            Self::Jumped => {
                "'longjmp' leaves local variables as they are, also those that are not 'volatile' and were changed since 'setjmp'"
            }
        })
    }
}
