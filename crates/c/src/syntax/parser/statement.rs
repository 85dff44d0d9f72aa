//! Statements and blocks.

use super::{Failed, Parsed, Parser};
use crate::syntax::token::{Kind, Sign, Word};
use crate::syntax::tree::{
    AsmStatement, BlockItem, DoWhileStatement, Expression, ForInitializer, ForStatement,
    Identifier, IfStatement, Label, LabeledStatement, Node, Statement, SwitchStatement,
    WhileStatement,
};
use hardbop_base::source::Span;

/// A part of a chain of `if` and `else if`.
struct Branch {
    start: u32,
    condition: Box<Node<Expression>>,
    then_statement: Box<Node<Statement>>,
}

impl Parser<'_> {
    /// `{ .. }`
    pub(super) fn block(&mut self) -> Parsed<Node<Statement>> {
        let start = self.start();
        self.names.enter();
        let items = self.items();
        self.names.leave();
        Ok(self.node(Statement::Compound(items?), start))
    }

    /// The parts of a block, with its braces.
    pub(super) fn items(&mut self) -> Parsed<Vec<Node<BlockItem>>> {
        let outer = self.labels.len();
        let items = self.items_within();
        self.labels.truncate(outer);
        items
    }

    fn items_within(&mut self) -> Parsed<Vec<Node<BlockItem>>> {
        self.bump();
        let mut items = Vec::new();
        loop {
            if self.accept(Sign::CloseBrace) {
                return Ok(items);
            }
            if self.kind() == Kind::End {
                return Err(self.wrong("'}'"));
            }
            let start = self.start();
            let first = self.at;
            match self.item_of_block() {
                Ok(Some(item)) => items.push(self.node(item, start)),
                Ok(None) => {}
                Err(Failed) => self.recover_in_block(first)?,
            }
        }
    }

    fn item_of_block(&mut self) -> Parsed<Option<BlockItem>> {
        if self.accept_word(Word::Label) {
            return self.local_labels().map(|()| None);
        }
        if self.begins_static_assert() {
            return Ok(Some(BlockItem::StaticAssert(self.static_assert()?)));
        }
        if !self.is_label() && self.begins_declaration(self.at) {
            return Ok(Some(BlockItem::Declaration(self.local_declaration()?)));
        }
        Ok(Some(BlockItem::Statement(self.statement()?)))
    }

    /// `__label__ a, b;`: labels that only this block has.
    fn local_labels(&mut self) -> Parsed<()> {
        loop {
            let (_, name) = self.name()?;
            // The first one keeps its name, which properties may mention.
            let number = self.local_labels.entry(name).and_modify(|n| *n += 1).or_insert(1);
            let own = if *number == 1 { name.to_owned() } else { format!("{name}@{number}") };
            self.labels.push((name, own));
            if !self.accept(Sign::Comma) {
                return self.expect_semicolon("';' or ','");
            }
        }
    }

    /// A name as that of a label.
    pub(super) fn label_name(&mut self) -> Parsed<Node<Identifier>> {
        let (mut identifier, name) = self.name()?;
        if let Some((_, own)) = self.labels.iter().rev().find(|(label, _)| *label == name) {
            identifier.node.name.clone_from(own);
        }
        Ok(identifier)
    }

    /// Whether a name with a colon is next.
    fn is_label(&self) -> bool {
        self.kind() == Kind::Name && self.ahead(1) == Kind::Sign(Sign::Colon)
    }

    pub(super) fn statement(&mut self) -> Parsed<Node<Statement>> {
        let start = self.start();
        let Kind::Word(word) = self.kind() else {
            return match self.kind() {
                Kind::Sign(Sign::OpenBrace) => self.block(),
                Kind::Sign(Sign::Semicolon) => {
                    self.bump();
                    Ok(self.node(Statement::Expression(None), start))
                }
                Kind::Name if self.is_label() => self.labeled(),
                _ => self.expression_statement(),
            };
        };
        match word {
            Word::Case | Word::Default => self.labeled(),
            // Each is a block (C11, 6.8.4, 3, and 6.8.5, 5).
            Word::If | Word::Switch | Word::While | Word::Do | Word::For => {
                self.names.enter();
                let statement = match word {
                    Word::If => self.if_statement(),
                    Word::Switch => self.switch_statement(),
                    Word::While => self.while_statement(),
                    Word::Do => self.do_statement(),
                    _ => self.for_statement(),
                };
                self.names.leave();
                statement
            }
            Word::Goto | Word::Continue | Word::Break | Word::Return => self.jump(word),
            Word::Asm => self.assembler(),
            Word::Else => Err(self.else_without_if()),
            _ => self.expression_statement(),
        }
    }

    /// A statement that is a part of another one, and a block as such.
    fn inner_statement(&mut self) -> Parsed<Box<Node<Statement>>> {
        self.names.enter();
        let statement = self.statement();
        self.names.leave();
        statement.map(Box::new)
    }

    fn switch_statement(&mut self) -> Parsed<Node<Statement>> {
        let start = self.start();
        self.bump();
        let expression = self.condition()?;
        let statement = self.inner_statement()?;
        let node = self.node(SwitchStatement { expression, statement }, start);
        Ok(self.node(Statement::Switch(Box::new(node)), start))
    }

    fn while_statement(&mut self) -> Parsed<Node<Statement>> {
        let start = self.start();
        self.bump();
        let expression = self.condition()?;
        let statement = self.inner_statement()?;
        let node = self.node(WhileStatement { expression, statement }, start);
        Ok(self.node(Statement::While(Box::new(node)), start))
    }

    fn expression_statement(&mut self) -> Parsed<Node<Statement>> {
        let start = self.start();
        let wanted = match self.kind() {
            Kind::Sign(_) | Kind::Word(_) | Kind::Strange | Kind::End => "a statement",
            _ => "an expression",
        };
        let begins = self.at;
        let before = self.mistakes.len();
        let expression = match self.expression() {
            Ok(expression) => expression,
            Err(Failed) => {
                // Nothing of it could be read.
                if self.at == begins && self.mistakes.len() == before + 1 && wanted == "a statement"
                {
                    self.rephrase(wanted);
                }
                return Err(Failed);
            }
        };
        let is_name = matches!(expression.node, Expression::Identifier(_));
        let wanted = if is_name { "';', ':' or an operator" } else { "';' or an operator" };
        self.expect_semicolon(wanted)?;
        Ok(self.node(Statement::Expression(Some(Box::new(expression))), start))
    }

    /// `(e)`
    fn condition(&mut self) -> Parsed<Box<Node<Expression>>> {
        self.expect(Sign::OpenRound, "'('")?;
        let expression = self.expression()?;
        self.expect(Sign::CloseRound, "')' or an operator")?;
        Ok(Box::new(expression))
    }

    fn labeled(&mut self) -> Parsed<Node<Statement>> {
        let start = self.start();
        let label = if self.accept_word(Word::Default) {
            Label::Default
        } else if self.accept_word(Word::Case) {
            let low = Box::new(self.conditional()?);
            match self.accept(Sign::Ellipsis) {
                true => Label::CaseRange(low, Box::new(self.conditional()?)),
                false => Label::Case(low),
            }
        } else {
            Label::Identifier(self.label_name()?)
        };
        let label = self.node(label, start);
        self.expect(Sign::Colon, "':' or an operator")?;
        // Of C23: a label in front of a declaration, or at the end of a block.
        let is_alone = self.is(Sign::CloseBrace)
            || !self.is_label() && self.begins_declaration(self.at)
            || self.begins_static_assert();
        let statement = match is_alone {
            true => {
                let end = self.end();
                Node::new(Statement::Expression(None), Span { start: end, end })
            }
            false => self.statement()?,
        };
        let node = LabeledStatement { label, statement: Box::new(statement) };
        let node = self.node(node, start);
        Ok(self.node(Statement::Labeled(Box::new(node)), start))
    }

    /// `if`, with a chain of `else if`, which may be long.
    fn if_statement(&mut self) -> Parsed<Node<Statement>> {
        let first = self.branch()?;
        let mut chain = Vec::new();
        let mut last = None;
        while self.accept_word(Word::Else) {
            if !self.is_word(Word::If) {
                last = Some(self.inner_statement()?);
                break;
            }
            chain.push(self.branch()?);
        }
        while let Some(branch) = chain.pop() {
            last = Some(Box::new(self.if_node(branch, last)));
        }
        Ok(self.if_node(first, last))
    }

    /// `if (e) statement`, without what is behind `else`.
    fn branch(&mut self) -> Parsed<Branch> {
        let start = self.start();
        self.bump();
        let condition = self.condition()?;
        let then_statement = self.inner_statement()?;
        Ok(Branch { start, condition, then_statement })
    }

    fn if_node(
        &self,
        branch: Branch,
        else_statement: Option<Box<Node<Statement>>>,
    ) -> Node<Statement> {
        let Branch { start, condition, then_statement } = branch;
        let node = IfStatement { condition, then_statement, else_statement };
        let node = self.node(node, start);
        self.node(Statement::If(Box::new(node)), start)
    }

    fn do_statement(&mut self) -> Parsed<Node<Statement>> {
        let start = self.start();
        self.bump();
        let statement = self.inner_statement()?;
        if !self.accept_word(Word::While) {
            return Err(self.do_without_while());
        }
        let expression = self.condition()?;
        self.expect_semicolon("';'")?;
        let node = self.node(DoWhileStatement { statement, expression }, start);
        Ok(self.node(Statement::DoWhile(Box::new(node)), start))
    }

    fn for_statement(&mut self) -> Parsed<Node<Statement>> {
        let start = self.start();
        self.bump();
        self.expect(Sign::OpenRound, "'('")?;
        let initializer = if self.accept(Sign::Semicolon) {
            ForInitializer::Empty
        } else if self.begins_static_assert() {
            ForInitializer::StaticAssert(self.static_assert()?)
        } else if self.begins_declaration(self.at) {
            ForInitializer::Declaration(self.local_declaration()?)
        } else {
            let expression = self.expression()?;
            self.expect(Sign::Semicolon, "';' or an operator")?;
            ForInitializer::Expression(Box::new(expression))
        };
        let condition = match self.is(Sign::Semicolon) {
            true => None,
            false => Some(Box::new(self.expression()?)),
        };
        self.expect(Sign::Semicolon, "';' or an operator")?;
        let step = match self.is(Sign::CloseRound) {
            true => None,
            false => Some(Box::new(self.expression()?)),
        };
        self.expect(Sign::CloseRound, "')' or an operator")?;
        let statement = self.inner_statement()?;
        let node = self.node(ForStatement { initializer, condition, step, statement }, start);
        Ok(self.node(Statement::For(Box::new(node)), start))
    }

    /// `goto`, `continue`, `break` and `return`.
    fn jump(&mut self, word: Word) -> Parsed<Node<Statement>> {
        let start = self.start();
        self.bump();
        let (statement, wanted) = match word {
            Word::Continue => (Statement::Continue, "';'"),
            Word::Break => (Statement::Break, "';'"),
            Word::Goto if self.accept(Sign::Star) => {
                let target = Box::new(self.expression()?);
                (Statement::ComputedGoto(target), "';' or an operator")
            }
            Word::Goto => (Statement::Goto(self.label_name()?), "';'"),
            _ if self.is(Sign::Semicolon) => (Statement::Return(None), "';'"),
            _ => {
                let value = Box::new(self.expression()?);
                (Statement::Return(Some(value)), "';' or an operator")
            }
        };
        self.expect_semicolon(wanted)?;
        Ok(self.node(statement, start))
    }

    /// `asm ("..");`
    fn assembler(&mut self) -> Parsed<Node<Statement>> {
        let start = self.start();
        self.bump();
        let mut jumps = false;
        while let Kind::Word(word @ (Word::Volatile | Word::Inline | Word::Goto | Word::Const)) =
            self.kind()
        {
            jumps |= word == Word::Goto;
            self.bump();
        }
        self.expect(Sign::OpenRound, "'('")?;
        let template = self.string()?.node;
        let mut statement =
            AsmStatement { jumps, template, has_outputs: false, inputs: Vec::new() };
        let mut section = 0;
        loop {
            section += match self.kind() {
                Kind::Sign(Sign::Colon) => 1,
                Kind::Sign(Sign::DoubleColon) => 2,
                _ => break,
            };
            self.bump();
            self.assembler_section(section, &mut statement)?;
        }
        self.expect(Sign::CloseRound, "')', ',' or ':'")?;
        self.expect_semicolon("';'")?;
        Ok(self.node(Statement::Asm(Box::new(statement)), start))
    }

    /// The operands of a section: outputs, inputs, what is overwritten, labels.
    fn assembler_section(&mut self, section: u32, statement: &mut AsmStatement) -> Parsed<()> {
        loop {
            match self.kind() {
                Kind::Text if section > 2 => {
                    self.string()?;
                }
                Kind::Name if section > 2 => self.bump(),
                Kind::Text | Kind::Sign(Sign::OpenSquare) => {
                    if self.accept(Sign::OpenSquare) {
                        self.name()?;
                        self.expect(Sign::CloseSquare, "']'")?;
                    }
                    self.string()?;
                    self.expect(Sign::OpenRound, "'('")?;
                    let operand = self.expression()?;
                    self.expect(Sign::CloseRound, "')' or an operator")?;
                    if section == 1 {
                        statement.has_outputs = true;
                    } else {
                        statement.inputs.push(operand);
                    }
                }
                _ => return Ok(()),
            }
            if !self.accept(Sign::Comma) {
                return Ok(());
            }
        }
    }
}
