//! Lists of additional arguments (C11, 7.16): what is done with them is left to `c::variadic`, as calls.

use crate::flow::{Base, Callee, Expr, ExprKind, FunctionId, Instruction, Place, Step};
use crate::parse::context::{Context, Typed};
use crate::parse::expression::place::Operand;
use crate::syntax::tree::{Expression, Node, VaArgExpression};
use crate::types::{DataModel, Field, Record, RecordId, Type, TypeId};
use crate::variadic::{NEXT, TAG, is_list_record};
use hardbop_base::source::Span;

/// The member that leads to the next argument.
const AREA: u32 = 2;

impl Context<'_> {
    /// `__builtin_va_list`: a pointer on i386, an array of one record on x86-64.
    pub fn list_type(&mut self) -> TypeId {
        let void = self.void();
        let pointer = self.types.pointer_to(void);
        if self.types.model == DataModel::Ilp32 {
            return pointer;
        }
        let known = self.types.records.iter().position(|record| record.name == TAG);
        let index = known.unwrap_or_else(|| {
            let number = self.types.intern(Type::Int { bits: 32, signed: false, rank: 3 });
            let parts = [
                ("gp_offset", number, 0),
                ("fp_offset", number, 4),
                ("overflow_arg_area", pointer, 8),
                ("reg_save_area", pointer, 16),
            ];
            let fields = parts.map(|(name, ty, offset)| Field {
                name: name.to_owned(),
                ty,
                offset,
                bit_field: None,
                atomic: false,
            });
            let fields = Some(fields.to_vec());
            let record = Record { name: TAG.to_owned(), union: false, fields, size: 24, align: 8 };
            self.types.records.push(record);
            self.types.records.len() - 1
        });
        let record = self.types.intern(Type::Record(RecordId(index as u32)));
        self.types.intern(Type::Array(record, Some(1)))
    }

    /// The place of the pointer in a list; nothing if it is none.
    fn list(&mut self, node: &Node<Expression>) -> Typed<Option<Place>> {
        let span = self.span(node);
        let operand = self.operand(node)?;
        let ty = self.operand_type(&operand);
        let is_tag = |ty| is_list_record(&self.types, ty);
        let (mut place, path) = match (operand, self.types.get(ty).clone()) {
            (Operand::Place(place), Type::Array(element, _)) if is_tag(element) => {
                let word = self.types.signed_word();
                let first = self.constant(0, word, span);
                (place, vec![Step::Index(Box::new(first)), Step::Field(AREA)])
            }
            (operand, Type::Pointer(to)) if is_tag(to) => {
                let pointer = self.decay(operand, span)?;
                let base = Base::Pointer(Box::new(pointer));
                (Place { base, path: vec![], ty: to, span }, vec![Step::Field(AREA)])
            }
            (Operand::Place(place), Type::Pointer(_)) => return Ok(Some(place)),
            _ => return Ok(None),
        };
        place.path.extend(path);
        let void = self.void();
        place.ty = self.types.pointer_to(void);
        Ok(Some(place))
    }

    /// Leaves something to be done with lists; says whether they are some.
    pub(in crate::parse::expression) fn with_lists(
        &mut self,
        name: &str,
        lists: &[Node<Expression>],
        result: Option<Place>,
        span: Span,
    ) -> Typed<bool> {
        let mut arguments = Vec::with_capacity(lists.len());
        for node in lists {
            let Some(place) = self.list(node)? else { return Ok(false) };
            arguments.push(Expr { ty: place.ty, kind: ExprKind::Load(place), span });
        }
        self.later_call(name, arguments, result, span);
        Ok(true)
    }

    /// A call of a function that only a later pass knows.
    pub(in crate::parse::expression) fn later_call(
        &mut self,
        name: &str,
        arguments: Vec<Expr>,
        result: Option<Place>,
        span: Span,
    ) {
        let known = self.functions.iter().position(|function| function.name == name);
        let id = match known {
            Some(index) => FunctionId(index as u32),
            None => {
                let result = self.void();
                let function = Type::Function { result, parameters: vec![], variadic: true };
                let ty = self.types.intern(function);
                self.new_function(name, ty, Span::default())
            }
        };
        let callee = Callee::Function(id);
        self.emit(Instruction::Call { result, callee, arguments }, span);
    }

    /// `va_arg(list, T)`
    pub(in crate::parse::expression) fn next_argument(
        &mut self,
        node: &VaArgExpression,
        span: Span,
    ) -> Typed<Operand> {
        let ty = self.type_name(&node.type_name)?;
        self.complete_size(ty, span)?;
        let place = self.temporary(ty, span);
        let list = std::slice::from_ref(&*node.va_list);
        if !self.with_lists(NEXT, list, Some(place.clone()), span)? {
            self.not_modelled(span, "va_arg on something that is no list of arguments");
        }
        Ok(Operand::Place(place))
    }
}
