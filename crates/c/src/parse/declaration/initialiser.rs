//! Initialisers, turned into assignments to single scalars.
//!
//! C 6.7.9: a list runs through the parts of an object in order, designators move the position, and parts without a
//! value are zero. Globals are zero at the start; locals are zeroed before the values are assigned.

use std::iter::Peekable;

use super::cleared::Cover;
use crate::flow::{Base, Expr, ExprKind, Instruction, Place, Step, VariableId};
use crate::parse::context::{Context, List, Typed};
use crate::parse::expression::constant::wrap;
use crate::syntax::tree::{
    CompoundLiteral, Designator, Expression, Initializer, InitializerListItem, Node,
};
use crate::types::{Type, TypeId};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Each element of a range gets a value of its own: of longer ones, there are too many.
const MANY_ELEMENTS: u64 = 1 << 20;

type Items<'t> = Peekable<std::slice::Iter<'t, Node<InitializerListItem>>>;

impl<'t> Context<'_> {
    /// Initialises a variable; an array of unknown length gets its length.
    pub fn initialise(
        &mut self,
        id: VariableId,
        initialiser: &'t Node<Initializer>,
        span: Span,
    ) -> Typed<()> {
        let place = self.place_of(id, span);
        match &initialiser.node {
            Initializer::List(items) => self.initialise_list(place, items, span),
            Initializer::Expression(expression) => {
                if matches!(self.types.get(place.ty), Type::Array(..)) {
                    let mut cover = Cover::None;
                    let mark = self.mark();
                    let at = self.span(initialiser);
                    if let Expression::CompoundLiteral(literal) = &expression.node {
                        return self.initialise_copy(place, &literal.node, span);
                    }
                    let Expression::StringLiteral(string) = &expression.node else {
                        let message = "an array needs a list of values".to_owned();
                        return Err(self.type_error(at, message, "not a list"));
                    };
                    self.string_into(&place, &string.node, &mut cover, at)?;
                    return self.complete(place, cover, mark, span);
                }
                if self.current.is_some() {
                    self.store_into(place, expression, span, false)?;
                    return Ok(());
                }
                let value = self.value(expression)?;
                self.put(place, value, false)
            }
        }
    }

    /// Initialises an array with an array that has no name, as gcc does: with its values.
    fn initialise_copy(
        &mut self,
        place: Place,
        literal: &'t CompoundLiteral,
        span: Span,
    ) -> Typed<()> {
        let ty = self.type_name(&literal.type_name)?;
        let element = |context: &Self, ty: TypeId| match *context.types.get(ty) {
            Type::Array(element, _) => Some(element),
            _ => None,
        };
        let length = |context: &Self, ty: TypeId| match *context.types.get(ty) {
            Type::Array(_, length) => length,
            _ => None,
        };
        let (own, given) = (length(self, place.ty), length(self, ty));
        let fits = given.is_none() || own.is_none() || own == given;
        if element(self, ty).is_none() || element(self, ty) != element(self, place.ty) || !fits {
            let at = self.span(&literal.type_name);
            let message = "an array needs a list of values".to_owned();
            return Err(self.type_error(at, message, "an array of another type"));
        }
        if own.is_none() && given.is_some() {
            if let Base::Variable(id) = place.base {
                self.variables[id.0 as usize].ty = ty;
            }
            return self.initialise_list(Place { ty, ..place }, &literal.initializer_list, span);
        }
        self.initialise_list(place, &literal.initializer_list, span)
    }

    /// Initialises a whole variable with a braced list.
    pub fn initialise_list(
        &mut self,
        place: Place,
        items: &'t [Node<InitializerListItem>],
        span: Span,
    ) -> Typed<()> {
        let mark = self.mark();
        let mut cover = Cover::None;
        let outer = self.list.replace(List { start: mark, has_effects: false });
        let filled = self.braced(&place, items, &mut cover, span);
        self.list = outer;
        filled?;
        self.complete(place, cover, mark, span)
    }

    pub fn element(&mut self, place: &Place, index: u64) -> Place {
        let word = self.types.signed_word();
        let bits = self.types.model.word();
        let number = self.constant(wrap(i128::from(index), bits), word, place.span);
        let mut place = place.clone();
        if let Type::Array(element, _) = *self.types.get(place.ty) {
            place.ty = element;
        }
        place.path.push(Step::Index(Box::new(number)));
        place
    }

    /// An element or member of a place.
    fn part(&mut self, place: &Place, index: u64) -> Place {
        match self.types.get(place.ty) {
            Type::Array(..) => self.element(place, index),
            _ => self.field(place.clone(), index as u32, place.span),
        }
    }

    /// The number of parts that a list without designators initialises.
    fn parts(&self, ty: TypeId) -> Option<u64> {
        match self.types.get(ty) {
            Type::Array(_, Some(length)) => Some(*length),
            Type::Array(_, None) => Some(u64::MAX),
            Type::Record(_) if self.types.is_pair(ty) => None,
            Type::Record(record) => {
                let record = self.types.record(*record);
                let fields = record.fields.as_ref().map_or(0, Vec::len) as u64;
                Some(if record.union { fields.min(1) } else { fields })
            }
            _ => None,
        }
    }

    /// Initialises an object with `{ ... }`.
    fn braced(
        &mut self,
        place: &Place,
        items: &'t [Node<InitializerListItem>],
        cover: &mut Cover,
        span: Span,
    ) -> Typed<()> {
        if self.parts(place.ty).is_none() {
            // A braced scalar.
            let Some(first) = items.first() else {
                let message = "a number or a pointer needs a value".to_owned();
                return Err(self.type_error(span, message, "no value within the braces"));
            };
            if items.len() > 1 && self.types.as_complex(place.ty).is_some() {
                // The parts of it, as other compilers have it.
                let what = "a list of several values for a complex number";
                return Err(self.unsupported(span, what));
            }
            return self.item(place, &first.node.initializer, cover);
        }
        if let [only] = items
            && only.node.designation.is_empty()
            && let Initializer::Expression(expression) = &only.node.initializer.node
            && let Expression::StringLiteral(string) = &expression.node
            && self.is_text(place.ty, &string.node)
        {
            let at = self.span(only);
            return self.string_into(place, &string.node, cover, at);
        }
        if let Type::Record(_) = self.types.get(place.ty) {
            self.complete_size(place.ty, span)?;
        }
        let mut items = items.iter().peekable();
        self.fill(place, 0, &mut items, cover, true)
    }

    /// Initialises the parts of an object from `index` on.
    fn fill(
        &mut self,
        place: &Place,
        index: u64,
        items: &mut Items<'t>,
        cover: &mut Cover,
        braced: bool,
    ) -> Typed<()> {
        let count = self.parts(place.ty).unwrap_or(0);
        let mut index = index;
        let mut is_excess = false;
        while let Some(item) = items.peek().copied() {
            if let Some((first, rest)) = item.node.designation.split_first() {
                if !braced {
                    return Ok(());
                }
                items.next();
                index = self.designated(place, first, rest, item, items, cover)?;
                continue;
            }
            if index >= count {
                if !braced {
                    return Ok(());
                }
                // A designator may follow.
                if !std::mem::replace(&mut is_excess, true) {
                    let message = "more values than there are parts";
                    self.excess(self.span(item), message, "left out");
                }
                items.next();
                continue;
            }
            let part = self.part(place, index);
            self.next_item(&part, items, cover.part(index))?;
            index += 1;
        }
        Ok(())
    }

    /// Initialises an object with the next value or values.
    fn next_item(&mut self, place: &Place, items: &mut Items<'t>, cover: &mut Cover) -> Typed<()> {
        match items.next() {
            Some(item) => self.leading(place, item, items, cover),
            None => Ok(()),
        }
    }

    /// Initialises an object with this value, and with those behind it if this one is for a part only: without braces,
    /// the list goes on within the object.
    fn leading(
        &mut self,
        place: &Place,
        item: &'t Node<InitializerListItem>,
        items: &mut Items<'t>,
        cover: &mut Cover,
    ) -> Typed<()> {
        if self.parts(place.ty).is_some_and(|parts| parts > 0)
            && let Initializer::Expression(expression) = &item.node.initializer.node
            && !self.is_whole(place.ty, expression)?
        {
            self.choose_member(place, 0, cover, self.span(item))?;
            let first = self.part(place, 0);
            self.leading(&first, item, items, cover.part(0))?;
            return self.fill(place, 1, items, cover, false);
        }
        self.item(place, &item.node.initializer, cover)
    }

    /// Is the expression a value for all of an object that has parts?
    fn is_whole(&mut self, ty: TypeId, expression: &Node<Expression>) -> Typed<bool> {
        Ok(match &expression.node {
            Expression::StringLiteral(string) => self.is_text(ty, &string.node),
            Expression::Constant(_) => false,
            _ => self.types.as_record(ty).is_some() && self.type_of(expression)? == ty,
        })
    }

    /// Initialises an object with one value.
    fn item(
        &mut self,
        place: &Place,
        initialiser: &'t Node<Initializer>,
        cover: &mut Cover,
    ) -> Typed<()> {
        let span = self.span(initialiser);
        match &initialiser.node {
            Initializer::List(items) => {
                if !cover.is_empty() {
                    self.note_replaced(span);
                    self.reset(place, &Cover::None, span)?;
                }
                *cover = Cover::None;
                self.braced(place, items, cover, span)
            }
            Initializer::Expression(expression) => {
                if let Expression::StringLiteral(string) = &expression.node
                    && self.is_text(place.ty, &string.node)
                {
                    return self.string_into(place, &string.node, cover, span);
                }
                let mark = self.mark();
                let value = self.value(expression)?;
                let again = !matches!(cover, Cover::None);
                self.note_item(mark, place, &value, again);
                *cover = Cover::Full;
                self.put(place.clone(), value, again)
            }
        }
    }

    /// Initialises what the designators say; returns the index at which the list continues.
    fn designated(
        &mut self,
        place: &Place,
        first: &'t Node<Designator>,
        rest: &'t [Node<Designator>],
        item: &'t Node<InitializerListItem>,
        items: &mut Items<'t>,
        cover: &mut Cover,
    ) -> Typed<u64> {
        let at = self.span(first);
        let (low, high) = match (&first.node, self.types.get(place.ty).clone()) {
            (Designator::Index(index), Type::Array(_, length)) => {
                let index = self.designator_index(index, length)?;
                (index, index)
            }
            (Designator::Range(from, to), Type::Array(_, length)) => {
                // The value is to be computed once.
                if self.initialiser_has_effects(&item.node.initializer) {
                    return Err(self.unsupported(at, "a range of elements whose value has effects"));
                }
                let low = self.designator_index(from, length)?;
                let high = self.designator_index(to, length)?;
                if high.saturating_sub(low) >= MANY_ELEMENTS {
                    let what = "a range of so many elements";
                    return Err(self.unsupported(at, what));
                }
                (low, high)
            }
            (Designator::Member(name), Type::Record(record)) => {
                let Some(path) = self.find_member(record, &name.node.name) else {
                    self.select(place.clone(), &name.node.name, at, at)?;
                    return Ok(0);
                };
                self.follow(place, &path, rest, item, items, cover)?;
                return Ok(u64::from(path[0]) + 1);
            }
            _ => {
                let name = self.types.name(place.ty);
                let message = format!("this designator does not fit to '{name}'");
                return Err(self.type_error(at, message, "of another kind of object"));
            }
        };
        self.whole_is_open(cover, at)?;
        for index in low..=high {
            let part = self.part(place, index);
            // The list continues behind the last one.
            let mut none = [].iter().peekable();
            let more = if index == high { &mut *items } else { &mut none };
            self.behind(&part, rest, item, more, cover.part(index))?;
        }
        Ok(high + 1)
    }

    /// Initialises the member at the end of a path, which leads through anonymous ones; the list continues in these.
    fn follow(
        &mut self,
        place: &Place,
        path: &[u32],
        rest: &'t [Node<Designator>],
        item: &'t Node<InitializerListItem>,
        items: &mut Items<'t>,
        cover: &mut Cover,
    ) -> Typed<()> {
        let Some((&index, path)) = path.split_first() else {
            return self.behind(place, rest, item, items, cover);
        };
        let at = self.span(item);
        self.whole_is_open(cover, at)?;
        let field = self.field(place.clone(), index, at);
        self.choose_member(place, u64::from(index), cover, at)?;
        let part = cover.part(u64::from(index));
        self.follow(&field, path, rest, item, items, part)?;
        if let Some(&next) = path.first() {
            self.fill(&field, u64::from(next) + 1, items, part, false)?;
        }
        Ok(())
    }

    /// Refuses a value for a part of what has one as a whole: gcc forgets the rest of it, others do not.
    fn whole_is_open(&mut self, cover: &Cover, at: Span) -> Typed<()> {
        match cover {
            Cover::Full => {
                let what = "a value for a part of what has a value as a whole";
                Err(self.unsupported(at, what))
            }
            Cover::None | Cover::Parts(_) => Ok(()),
        }
    }

    /// Processes the remaining designators and then the value.
    fn behind(
        &mut self,
        place: &Place,
        rest: &'t [Node<Designator>],
        item: &'t Node<InitializerListItem>,
        items: &mut Items<'t>,
        cover: &mut Cover,
    ) -> Typed<()> {
        match rest.split_first() {
            Some((first, rest)) => {
                let next = self.designated(place, first, rest, item, items, cover)?;
                if let Some(item) = items.peek().filter(|i| i.node.designation.is_empty())
                    && let Initializer::Expression(expression) = &item.node.initializer.node
                    && let Expression::StringLiteral(string) = &expression.node
                    && self.is_text(place.ty, &string.node)
                {
                    // It is for what comes after the array; gcc takes it for the array.
                    let what = "a string behind a value for a character of an array";
                    return Err(self.unsupported(self.span(*item), what));
                }
                // `.a.b = 1, 2` continues after `.a.b`.
                self.fill(place, next, items, cover, false)
            }
            None => self.leading(place, item, items, cover),
        }
    }

    fn designator_index(&mut self, index: &Node<Expression>, length: Option<u64>) -> Typed<u64> {
        let at = self.span(index);
        let (value, _) = self.constant_expression(index)?;
        match u64::try_from(value) {
            Ok(index) if index < length.unwrap_or(1 << 32) => Ok(index),
            _ => {
                let message = format!("there is no element {value}");
                Err(self.type_error(at, message, "outside of the array"))
            }
        }
    }

    /// Initialises an array of characters with a string literal.
    fn string_into(
        &mut self,
        place: &Place,
        parts: &[String],
        cover: &mut Cover,
        span: Span,
    ) -> Typed<()> {
        let Type::Array(element, length) = *self.types.get(place.ty) else { return Ok(()) };
        if !self.is_text(place.ty, parts) {
            let message = "this string is not of the array's kind of characters".to_owned();
            return Err(self.type_error(span, message, "a string of another kind"));
        }
        let bits = self.types.bits(element).map_or(8, |(bits, _)| bits);
        let (mut units, _) = self.string_units(parts, span)?;
        let length = length.unwrap_or(units.len() as u64);
        if units.len() as u64 == length + 1 {
            // The terminating zero may be omitted.
            units.pop();
        }
        if units.len() as u64 > length {
            let message = format!("this string does not fit into {length} characters");
            self.excess(span, &message, "the rest is left out");
            units.truncate(length as usize);
        }
        if !cover.is_empty() {
            self.note_replaced(span);
        }
        *cover = Cover::None;
        for (index, unit) in units.into_iter().enumerate() {
            let part = self.element(place, index as u64);
            *cover.part(index as u64) = Cover::Full;
            let value = self.constant(wrap(i128::from(unit), bits), element, span);
            self.put(part, value, false)?;
        }
        Ok(())
    }

    /// Excess values are ignored, as in gcc.
    fn excess(&mut self, span: Span, message: &str, label: &str) {
        let diagnostic = Diagnostic::new(DiagnosticKind::Type, span, message);
        let key = format!("excess {}", span.start);
        self.warn(&key, diagnostic.with_label(label));
    }

    /// Assigns an initial value. Zeros of globals are skipped, unless they overwrite a value (`again`).
    fn put(&mut self, place: Place, value: Expr, again: bool) -> Typed<()> {
        let span = value.span;
        let value = self.assignable(value, place.ty, span)?;
        let value = self.fitting_field(&place, value);
        if self.current.is_none() && self.types.is_pair(place.ty) {
            for (index, part) in self.parts_of_pair(value).into_iter().enumerate() {
                let place = self.field(place.clone(), index as u32, span);
                self.put(place, part, again)?;
            }
            return Ok(());
        }
        if self.current.is_some() {
            if self.is_long_double(place.ty) {
                self.not_modelled(span, "'long double'");
            }
            self.emit(Instruction::Assign(place, value), span);
        } else if self.is_long_double(place.ty) && self.has_readable_bytes(&place) {
            return Err(self.unsupported(span, "an initial 'long double' whose bytes may be read"));
        } else if again || !matches!(value.kind, ExprKind::Constant(0)) {
            self.initialisers.push((place, value));
        }
        Ok(())
    }
}
