//! Initial values: expressions, and lists with designators.

use super::{Parsed, Parser};
use crate::syntax::token::{Kind, Sign};
use crate::syntax::tree::{Designator, Initializer, InitializerListItem, Node};

impl Parser<'_> {
    /// An expression or a list.
    pub(super) fn initialiser(&mut self) -> Parsed<Node<Initializer>> {
        let start = self.start();
        if self.is(Sign::OpenBrace) {
            let list = self.initialiser_list()?;
            return Ok(self.node(Initializer::List(list), start));
        }
        let expression = self.assignment()?;
        Ok(self.node(Initializer::Expression(Box::new(expression)), start))
    }

    /// `{ a, .b = c }`
    pub(super) fn initialiser_list(&mut self) -> Parsed<Vec<Node<InitializerListItem>>> {
        self.bump();
        let mut items = Vec::new();
        while !self.accept(Sign::CloseBrace) {
            items.push(self.item()?);
            if !self.accept(Sign::Comma) {
                self.expect(Sign::CloseBrace, "',', '}' or an operator")?;
                break;
            }
        }
        Ok(items)
    }

    fn item(&mut self) -> Parsed<Node<InitializerListItem>> {
        let start = self.start();
        let designation = self.designation()?;
        let initializer = Box::new(self.initialiser()?);
        Ok(self.node(InitializerListItem { designation, initializer }, start))
    }

    /// `.a[1] =`, or the older `a:` and `[1]`.
    fn designation(&mut self) -> Parsed<Vec<Node<Designator>>> {
        let mut all = Vec::new();
        if self.kind() == Kind::Name && self.ahead(1) == Kind::Sign(Sign::Colon) {
            let start = self.start();
            let (name, _) = self.name()?;
            self.bump();
            all.push(self.node(Designator::Member(name), start));
            return Ok(all);
        }
        loop {
            let start = self.start();
            let designator = match self.kind() {
                Kind::Sign(Sign::Dot) => {
                    self.bump();
                    Designator::Member(self.name()?.0)
                }
                Kind::Sign(Sign::OpenSquare) => {
                    self.bump();
                    let first = self.conditional()?;
                    let designator = if self.accept(Sign::Ellipsis) {
                        Designator::Range(Box::new(first), Box::new(self.conditional()?))
                    } else {
                        Designator::Index(first)
                    };
                    self.expect(Sign::CloseSquare, "']', '...' or an operator")?;
                    designator
                }
                _ => break,
            };
            all.push(self.node(designator, start));
        }
        let is_old = matches!(
            all.as_slice(),
            [Node { node: Designator::Index(_) | Designator::Range(..), .. }]
        );
        if !all.is_empty() && !self.accept(Sign::Assign) && !is_old {
            return Err(self.wrong("'=', '.' or '['"));
        }
        Ok(all)
    }
}
