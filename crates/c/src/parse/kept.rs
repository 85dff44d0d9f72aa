//! What several parts of the reader hand on to each other: results of calls, promises about functions, computed `goto`s,
//! what is given to `atexit`, and annotations.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::text::acsl::meaning::Meaning;
use super::unit::Thing;
use crate::flow::{Expr, FunctionId, LocationId, Place, VariableId};
use crate::syntax::known::plain;
use crate::syntax::tree::{
    Attribute, Constant, DeclarationSpecifier, Expression, Extension, FunctionSpecifier,
    Identifier, Node,
};
use hardbop_base::source::Span;

/// Where the result of a call is.
#[derive(Debug)]
pub(super) enum Called {
    Value(Expr),
    /// In the destination that was offered.
    Stored,
    Nothing,
}

/// The promises of declarations about a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Promises {
    /// A call does not return: `_Noreturn`, or the attribute.
    pub no_return: bool,
    /// A call changes nothing: the attributes `pure` and `const`.
    pub no_effect: bool,
    /// It runs before `main`, or behind it: the attributes `constructor` and `destructor`, with a priority if that is plain.
    pub constructor: Option<Option<u32>>,
    pub destructor: Option<Option<u32>>,
}

impl Promises {
    /// The promises of the specifiers and the attributes of a declaration.
    pub fn of(specifiers: &[Node<DeclarationSpecifier>], own: &[Node<Extension>]) -> Self {
        let mut promises = Self::default();
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::Function(word) => {
                    promises.no_return |= *word == FunctionSpecifier::Noreturn;
                }
                DeclarationSpecifier::Extension(list) => promises.add(list),
                _ => {}
            }
        }
        promises.add(own);
        promises
    }

    fn add(&mut self, extensions: &[Node<Extension>]) {
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else { continue };
            let attribute = &attribute;
            match plain(&attribute.name.node) {
                "noreturn" => self.no_return = true,
                "pure" | "const" => self.no_effect = true,
                "constructor" => self.constructor = Some(priority(attribute)),
                "destructor" => self.destructor = Some(priority(attribute)),
                _ => {}
            }
        }
    }
}

/// The function that a declaration names in the attribute.
pub(super) fn cleanup_of<'t>(
    specifiers: &'t [Node<DeclarationSpecifier>],
    own: &'t [Node<Extension>],
) -> Option<&'t Node<Identifier>> {
    let lists = specifiers.iter().filter_map(|specifier| match &specifier.node {
        DeclarationSpecifier::Extension(list) => Some(list.as_slice()),
        _ => None,
    });
    lists.chain([own]).flatten().find_map(|extension| {
        let Extension::Attribute(attribute) = &extension.node else { return None };
        let argument = attribute.arguments.first()?;
        match &argument.node {
            Expression::Identifier(name) if plain(&attribute.name.node) == "cleanup" => {
                Some(&**name)
            }
            _ => None,
        }
    })
}

/// A `goto` whose targets are known at the end of its function.
#[derive(Debug)]
pub(super) struct ComputedGoto {
    pub from: LocationId,
    pub value: Expr,
    pub span: Span,
}

/// The functions that the program has registered, and the one that calls them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handlers {
    /// An array of pointers to functions.
    pub list: VariableId,
    pub count: VariableId,
    /// Calls them all.
    pub run: FunctionId,
}

/// The names of what is registered, which no text can have.
pub(crate) const RUN: &str = "calls of functions given to atexit";
pub(super) const LIST: &str = "functions given to atexit";
pub(super) const COUNT: &str = "number of functions given to atexit";

impl Handlers {
    /// The things that all files of a program share, by name.
    pub fn names(self) -> [(&'static str, Thing); 3] {
        let [list, count] = [self.list, self.count].map(Thing::Variable);
        [(LIST, list), (COUNT, count), (RUN, Thing::Function(self.run))]
    }
}

/// The priority of functions for which none is given: they are the last constructors, and the first destructors.
const DEFAULT: u32 = 65535;

/// The priority in `constructor(101)`.
fn priority(attribute: &Attribute) -> Option<u32> {
    let [argument] = attribute.arguments.as_slice() else {
        return attribute.arguments.is_empty().then_some(DEFAULT);
    };
    match &argument.node {
        Expression::Constant(constant) => match &constant.node {
            Constant::Integer(integer) => integer.number.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// An invariant of the loop behind it, in ACSL.
#[derive(Debug, Clone)]
pub(super) struct LoopInvariant {
    pub predicate: Node<Expression>,
    pub span: Span,
}

/// A clause of a contract in ACSL.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    pub meaning: Meaning,
    /// The predicate, or the places that are listed.
    pub parts: Vec<Node<Expression>>,
    pub span: Span,
    /// How the declaration behind it calls the parameters, in their order.
    pub names: Vec<String>,
}

/// The value that `\old` has kept.
#[derive(Debug, Clone)]
pub(super) struct Old {
    pub value: Expr,
    /// The least and the greatest number that it can be; none for a pointer.
    pub range: Option<(i128, i128)>,
}

/// What `\old` means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Time {
    /// The function begins: the value now.
    Begin,
    /// It returns: a value that was kept.
    #[default]
    End,
}

/// The end of a function whose contract says what holds there.
#[derive(Debug, Clone)]
pub(super) struct Ending {
    pub location: LocationId,
    /// Where it returns without the value that it should return.
    pub without: LocationId,
    /// Whether it does so somewhere.
    pub lacks: bool,
    /// The places of the returns.
    pub returns: Vec<Span>,
    pub result: Option<Place>,
    /// What has the values that parameters were given, by their numbers, as far as clauses name them.
    pub copies: Vec<(usize, VariableId)>,
    /// What holds.
    pub ensured: Vec<Clause>,
}

/// A function in which executions may start, and whose contract says what is required there.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub function: FunctionId,
    /// It is not 0 where an execution is about to start in the function.
    pub flag: VariableId,
    /// The clauses.
    pub required: Vec<Span>,
}

/// Annotations on their way from where they stand to where they are checked.
#[derive(Debug, Default)]
pub(super) struct Annotated {
    /// Invariants of the loop that is to follow.
    pub invariants: Vec<LoopInvariant>,
    /// Clauses by the first place of the declaration behind them.
    pub clauses: HashMap<u32, Vec<Clause>>,
    /// The contracts of functions.
    pub contracts: IndexMap<FunctionId, Vec<Clause>>,
    /// How the function that is being read returns, if its contract says something of that.
    pub ending: Option<Ending>,
    pub time: Time,
    /// By the places of the terms.
    pub old: HashMap<u32, Old>,
    pub starts: Vec<Start>,
}
