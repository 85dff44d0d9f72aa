//! Declarations of files that cannot be had, such as those of `__int128`: they are refused where their names are used.

use super::declarator::name_of;
use super::enter::Where;
use super::specifier::{ALIGNED, VECTOR};
use crate::flow::{FunctionId, Instruction};
use crate::parse::builder::Builder;
use crate::parse::context::{Context, Failed};
use crate::parse::scope::Entity;
use crate::parse::surface::is_always_inlined;
use crate::syntax::tree::{Declaration, FunctionDefinition, Node};
use crate::types::{INT128, TypeId};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// How the message about a name begins whose declaration has one of these.
const DEPENDENT: &str = "the declaration of";
/// Such as `_Float16`.
const FLOAT: &str = "a floating type of";
/// All that is refused late.  Other mistakes, such as a mode that gcc does not know, are told where they are.
const RARE: [&str; 5] = [ALIGNED, FLOAT, VECTOR, INT128, DEPENDENT];

impl Context<'_> {
    /// Processes a declaration of the file.  If all that is wrong with it is that it is not supported, and it defines
    /// no object or function, its names are kept as [`Entity::Refused`], and its records stay incomplete.
    pub fn declaration_of_file(&mut self, node: &Node<Declaration>) {
        let before = self.diagnostics.len();
        self.broken.clear();
        self.declaration(node, Where::File);
        let reported = &self.diagnostics[before..];
        let Some(first) = reported.first().cloned() else { return };
        let is_rare = |d: &Diagnostic| {
            d.kind == DiagnosticKind::Unsupported && RARE.iter().any(|r| d.message.starts_with(r))
        };
        if !reported.iter().all(is_rare) {
            return;
        }
        let items = &node.node.declarators;
        let names: Vec<&str> = items.iter().filter_map(|i| name_of(&i.node.declarator)).collect();
        let defines = items.iter().any(|item| item.node.initializer.is_some())
            || names.iter().any(|name| self.bodies.contains(*name));
        let broken = std::mem::take(&mut self.broken);
        if defines || names.is_empty() && broken.is_empty() {
            return;
        }
        self.diagnostics.truncate(before);
        for id in broken {
            self.types.records[id.0 as usize].fields = None;
            self.refused_records.insert(id, first.clone());
        }
        for name in names {
            self.scopes.declare_at_file(name, Entity::Refused, first.span);
            self.refused.insert(name.to_owned(), first.clone());
        }
    }

    /// Keeps the name of a function of gcc's headers for the processor as [`Entity::Refused`], if
    /// all that is wrong with
    /// its signature is that it is not supported.
    pub fn refuse_inlined(&mut self, node: &Node<FunctionDefinition>, before: usize) {
        let name = name_of(&node.node.declarator);
        if let (Some(name), Some(first)) = (name, self.only_unsupported(node, before)) {
            self.diagnostics.truncate(before);
            self.scopes.declare_at_file(name, Entity::Refused, first.span);
            self.refused.insert(name.to_owned(), first);
        }
    }

    /// Leaves open what such a function does, if all that is wrong with its body is that it is
    /// not supported.
    pub fn leave_inlined_open(
        &mut self,
        id: FunctionId,
        node: &Node<FunctionDefinition>,
        before: usize,
    ) {
        if let Some(first) = self.only_unsupported(node, before) {
            self.diagnostics.truncate(before);
            let mut builder = Builder::new();
            builder.stop(Instruction::Unsupported(first.message), first.span);
            self.functions[id.0 as usize].body = Some(builder.finish());
        }
    }

    /// The first mistake since `before`, if all are about what is not supported in a function of
    /// gcc's headers.
    fn only_unsupported(
        &self,
        node: &Node<FunctionDefinition>,
        before: usize,
    ) -> Option<Diagnostic> {
        let reported = &self.diagnostics[before..];
        let all = reported.iter().all(|d| d.kind == DiagnosticKind::Unsupported);
        reported.first().filter(|_| all && is_always_inlined(&node.node)).cloned()
    }

    /// Refuses a name for what its declaration has.
    pub fn refused_name(&mut self, name: &str, span: Span) -> Failed {
        let Some(why) = self.refused.get(name).cloned() else {
            return self.unsupported(span, name);
        };
        self.refused_for(&why, name, span)
    }

    /// Refuses a record, or an array of it, for what its members have; `None` if that is not what is wrong with it.
    pub fn refused_record(&mut self, ty: TypeId, span: Span) -> Option<Failed> {
        let of = self.types.element(ty);
        let (id, _) = self.types.as_record(of)?;
        let why = self.refused_records.get(&id)?.clone();
        let name = self.types.name(of);
        Some(self.refused_for(&why, &name, span))
    }

    fn refused_for(&mut self, why: &Diagnostic, name: &str, span: Span) -> Failed {
        let message = format!("{DEPENDENT} '{name}' cannot be used: {}", why.message);
        let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, span, message)
            .with_label("not supported")
            .with_related(why.span, "declared here");
        self.report(diagnostic)
    }
}
