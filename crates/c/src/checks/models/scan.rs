//! `sscanf` with a literal format: what it reads, and the room that it needs where it stores.

use super::plan::Given::Argument;
use super::plan::{Call, Given, Piece, Plan, literal};
use crate::flow::Expr;
use crate::library::{Conversion, Directive, LibraryFunction, Scanned, scan};
use crate::types::Types;

/// The text is read up to its end; what is stored is left open.
pub(super) fn scanned(
    known: &LibraryFunction,
    arguments: &[Expr],
    strings: &[Vec<u8>],
    types: &Types,
) -> Option<Plan> {
    let format = known.prototype.format().filter(|_| known.name == "sscanf")?;
    let directives = scan(literal(&arguments[format], strings)?, types.model)?;
    let stores = directives.iter().filter_map(|directive| match directive {
        Directive::Conversion(conversion) => Some(conversion).filter(|c| c.stores),
        Directive::Blank | Directive::Exactly { .. } => None,
    });
    let targets = format + 1..;
    let room: Vec<(usize, Given)> = targets
        .zip(stores)
        .map(|(target, conversion)| Some((target, Given::Number(bytes(conversion)?))))
        .collect::<Option<_>>()?;
    let is_pointer = |&(target, _): &(usize, Given)| {
        arguments.get(target).is_some_and(|argument| types.is_pointer(argument.ty))
    };
    let is_known = literal(&arguments[0], strings).is_some();
    let text = (!is_known).then(|| Piece { body: "text", arguments: vec![Argument(0)] });
    let plan = Plan::new(text.into_iter().collect(), Call::Stays);
    room.iter().all(is_pointer).then_some(Plan { room, ..plan })
}

/// The most bytes that a conversion stores, if there is such a number.
fn bytes(conversion: &Conversion) -> Option<u64> {
    Some(match conversion.what {
        Scanned::Integer { bits, .. } | Scanned::Real { bits } => u64::from(bits / 8),
        Scanned::Characters => conversion.width.unwrap_or(1).into(),
        Scanned::Text(_) => u64::from(conversion.width?) + 1,
    })
}
