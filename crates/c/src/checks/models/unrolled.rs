//! Walks over texts in small arrays, without loops: no invariant has to be found, and what stands around the call is one
//! block with it.

use super::Expansion;
use super::plan::{Given, Piece};
use crate::flow::{Base, Expr, ExprKind, Instruction, LocationId, Place, Step, VariableId};
use crate::types::{Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_base::source::Span;

/// The number of cells up to which a walk is unrolled.  Other values were not measured.
const MOST_CELLS: u64 = 64;

/// An array of characters, and the number of its cells.
pub(super) struct Cells {
    array: VariableId,
    character: TypeId,
    count: u64,
}

impl Expansion<'_> {
    /// The cells that a piece walks over, if it does no more than to look for the end of the text in a small array.
    pub(super) fn walks(&self, piece: &Piece, arguments: &[Expr]) -> Option<Cells> {
        if !matches!(piece.body, "text" | "strlen") {
            return None;
        }
        let [Given::Argument(text)] = piece.arguments[..] else { return None };
        let text = arguments.get(text)?.unconverted();
        let ExprKind::AddressOf(first) = &text.kind else { return None };
        let Base::Variable(array) = first.base else { return None };
        let types = &self.flow.types;
        let &Type::Array(character, Some(count)) =
            types.get(self.flow.variables[array.0 as usize].ty)
        else {
            return None;
        };
        let is_char = matches!(types.get(character), Type::Int { bits: 8, .. });
        let is_small = first.is_first() && (1..=MOST_CELLS).contains(&count);
        (is_char && is_small).then_some(Cells { array, character, count })
    }

    /// The character in a cell.
    fn cell(&mut self, cells: &Cells, index: u64, span: Span) -> Expr {
        let index = Expr::number(index, self.flow.types.signed_word(), span);
        let path = vec![Step::Index(Box::new(index))];
        Place { base: Base::Variable(cells.array), path, ty: cells.character, span }.load()
    }

    /// Goes from cell to cell up to the one that is 0, whose number is the result.  The one behind the last is read
    /// where that is an error.
    pub(super) fn unrolled(
        &mut self,
        cells: &Cells,
        result: Option<VariableId>,
        (from, to): (LocationId, LocationId),
        span: Span,
    ) {
        let is_error = self.flow.checked.has(Check::Bounds);
        let (hidden, mut here) = (self.flow.name_in(span), from);
        for index in 0..cells.count + u64::from(is_error) {
            let cell = self.cell(cells, index, span);
            let (next, end) = (self.code.fresh(), self.code.fresh());
            self.code.branch(here, cell, (next, end), hidden);
            match result {
                Some(result) => {
                    let word = self.flow.types.unsigned_word();
                    self.assign(result, Expr::number(index, word, span), (end, to), span);
                }
                None => self.code.add(end, to, Instruction::Skip, hidden),
            }
            here = next;
        }
    }
}
