//! What a program has that can be checked.

use crate::parse::{RUN, Unit};
use crate::rules::RuleFunction;
use hardbop_base::source::Span;

/// What can be checked, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// The functions of the program with bodies.
    pub functions: Vec<(String, Span)>,
    /// The function, and a label, a call of an error function or an assertion in it.
    pub errors: Vec<(String, Span)>,
}

impl Contents {
    pub(super) fn of(unit: &Unit) -> Self {
        let mut contents = Self::default();
        let internal = unit.function(RUN).map(|id| id.0 as usize);
        for (id, function) in unit.functions.iter().enumerate() {
            if function.body.is_none() || function.is_convention() || Some(id) == internal {
                continue;
            }
            let name = match RuleFunction::of(&function.name) {
                Some(RuleFunction::Event(event)) => event,
                Some(RuleFunction::Helper) => continue,
                None => {
                    contents.functions.push((function.name.clone(), function.span));
                    function.name.clone()
                }
            };
            let own = unit.stated.iter().filter(|(of, _)| of.0 as usize == id);
            contents.errors.extend(own.map(|&(_, span)| (name.clone(), span)));
        }
        contents.functions.sort_by_key(|(_, span)| span.start);
        contents.errors.sort_by_key(|(_, span)| (span.start, span.end));
        // An assertion may be stated several times.
        contents.errors.dedup_by_key(|(_, span)| *span);
        contents
    }
}
