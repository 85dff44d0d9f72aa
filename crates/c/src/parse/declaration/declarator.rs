//! Declarators: pointers to, arrays of and functions returning a base type.

use super::specifier::is_pointer;
use crate::flow::VariableKind;
use crate::parse::context::{Context, Typed};
use crate::parse::scope::Entity;
use crate::reliance::Reliance;
use crate::syntax::known::plain;
use crate::syntax::tree::{
    ArraySize, Declarator, DeclaratorKind, DerivedDeclarator, Expression, Extension,
    FunctionDeclarator, Identifier, Node, TypeQualifier,
};
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;

/// A declared name and its type.
#[derive(Debug)]
pub(in crate::parse) struct Declared<'t> {
    pub name: Option<(&'t str, Span)>,
    pub ty: TypeId,
    /// The derivation nearest to the name; for a function, its parameters.
    pub outermost: Option<&'t DerivedDeclarator>,
    /// The length of an array if it is not constant; the type then has no length.
    pub length: Option<&'t Node<Expression>>,
    /// Whether its length is `*`.
    is_star: bool,
    /// If it is a pointer, or an array of pointers: whether these are volatile themselves.
    pub volatile_pointer: Option<bool>,
    /// The same for `const`.
    pub constant_pointer: Option<bool>,
}

impl Declared<'_> {
    /// Of the base type, and without a name so far.
    fn new(base: TypeId) -> Self {
        Self {
            name: None,
            ty: base,
            outermost: None,
            length: None,
            is_star: false,
            volatile_pointer: None,
            constant_pointer: None,
        }
    }
}

/// A parameter of a function.
#[derive(Debug)]
pub(in crate::parse) struct Parameter {
    /// Empty if it has no name.
    pub name: String,
    /// Never an array or a function.
    pub ty: TypeId,
    /// Whether it is a number or a record that is declared `const`.
    pub constant: bool,
    /// Whether its type has lengths that the body evaluates.
    pub has_rows: bool,
    pub span: Span,
}

/// Arrays longer than this are mistakes.
const LONGEST: i128 = 1 << 40;

impl<'t> Context<'_> {
    pub fn declarator(
        &mut self,
        base: TypeId,
        declarator: &'t Node<Declarator>,
    ) -> Typed<Declared<'t>> {
        let mut declared = Declared::new(base);
        let mut declarator = declarator;
        loop {
            let span = self.span(declarator);
            let derived = &declarator.node.derived;
            let extensions: Vec<_> = declarator.node.extensions.iter().collect();
            let is_vector = extensions.iter().any(|e| {
                matches!(&e.node,
                Extension::Attribute(a) if plain(&a.name.node) == "vector_size")
            });
            if is_vector && (declared.outermost.is_some() || !derived.is_empty()) {
                return Err(self.unsupported(span, "a vector type behind a declarator"));
            }
            if !extensions.is_empty() && declared.outermost.is_none() && derived.is_empty() {
                // The alignment of the declared thing is not that of its type.
                declared.ty = self.modes(declared.ty, &extensions)?;
            }
            let is_pointer = |d: &DerivedDeclarator| matches!(d, DerivedDeclarator::Pointer(_));
            let pointers = derived.iter().filter(|d| is_pointer(&d.node));
            let suffixes = derived.iter().rev().filter(|d| !is_pointer(&d.node));
            for step in pointers.chain(suffixes) {
                self.finish_length(&mut declared)?;
                match &step.node {
                    DerivedDeclarator::Pointer(all) => {
                        let has = |qualifier| Some(all.contains(&qualifier));
                        declared.volatile_pointer = has(TypeQualifier::Volatile);
                        declared.constant_pointer = has(TypeQualifier::Const);
                        let at = self.span(step);
                        if all.contains(&TypeQualifier::Atomic) {
                            self.rely_at(Reliance::OneThread, at);
                        }
                    }
                    DerivedDeclarator::Array(_) => {}
                    _ => {
                        declared.volatile_pointer = Some(false);
                        declared.constant_pointer = Some(false);
                    }
                }
                declared.ty = self.derive(&mut declared, &step.node, self.span(step))?;
                declared.outermost = Some(&step.node);
            }
            match &declarator.node.kind.node {
                DeclaratorKind::Abstract => return Ok(declared),
                DeclaratorKind::Identifier(name) => {
                    declared.name = Some((&name.node.name, self.span(name)));
                    return Ok(declared);
                }
                DeclaratorKind::Declarator(inner) => declarator = inner,
            }
        }
    }

    fn derive(
        &mut self,
        declared: &mut Declared<'t>,
        step: &'t DerivedDeclarator,
        span: Span,
    ) -> Typed<TypeId> {
        let ty = declared.ty;
        match step {
            DerivedDeclarator::Pointer(_) => Ok(self.types.pointer_to(ty)),
            DerivedDeclarator::Array(array) => {
                if matches!(self.types.get(ty), Type::Function { .. } | Type::Void) {
                    let name = self.types.name(ty);
                    let message = format!("an array cannot have elements of type '{name}'");
                    return Err(self.type_error(span, message, "not an element type"));
                }
                declared.is_star = matches!(array, ArraySize::Variable) && self.in_parameters > 0;
                let length = match array {
                    ArraySize::Unknown | ArraySize::Variable => None,
                    ArraySize::Expression(size) => {
                        let constant = self.try_constant(size)?;
                        let is_variable = self.variable_type_of(ty).is_some();
                        if constant.is_none() || is_variable {
                            declared.length = Some(size);
                        }
                        constant.map(|(value, _)| value).filter(|_| !is_variable)
                    }
                };
                let length = match length {
                    Some(length) if !(0..=LONGEST).contains(&length) => {
                        let message = format!("an array cannot have {length} elements");
                        return Err(self.type_error(span, message, "this length"));
                    }
                    length => length.map(|l| l as u64),
                };
                let size = self.types.size(ty).zip(length).map(|(s, n)| s.checked_mul(n));
                if size.is_some_and(|size| size.is_none_or(|size| size > self.types.largest())) {
                    let message = "this array is larger than the memory".to_owned();
                    return Err(self.type_error(span, message, "too long"));
                }
                Ok(self.types.intern(Type::Array(ty, length)))
            }
            DerivedDeclarator::Function(function) => {
                let variadic = function.is_variadic;
                let parameters = self.parameters(function)?;
                let parameters = parameters.iter().map(|p| p.ty).collect();
                self.function_type(ty, parameters, variadic, span)
            }
            DerivedDeclarator::KRFunction(_) => self.function_type(ty, Vec::new(), true, span),
        }
    }

    fn function_type(
        &mut self,
        result: TypeId,
        parameters: Vec<TypeId>,
        variadic: bool,
        span: Span,
    ) -> Typed<TypeId> {
        if matches!(self.types.get(result), Type::Function { .. } | Type::Array(..))
            || self.variable_type_of(result).is_some()
        {
            let name = self.types.name(result);
            let message = format!("a function cannot return '{name}'");
            return Err(self.type_error(span, message, "of this function"));
        }
        Ok(self.types.intern(Type::Function { result, parameters, variadic }))
    }

    /// The parameters of a prototype.
    pub fn parameters(&mut self, function: &FunctionDeclarator) -> Typed<Vec<Parameter>> {
        let mut parameters: Vec<Parameter> = Vec::with_capacity(function.parameters.len());
        self.scopes.enter();
        // Lengths of arrays may name the parameters before; those are variables only meanwhile.
        let variables = self.variables.len();
        let has_rows = std::mem::replace(&mut self.has_rows, false);
        self.in_parameters += 1;
        let result = function.parameters.iter().try_for_each(|node| {
            let span = self.span(node);
            let pointer = node.node.declarator.as_ref().is_some_and(is_pointer);
            let specified =
                self.as_pointee(pointer, |c| c.specifiers(&node.node.specifiers, span))?;
            let base = specified.ty;
            let (name, ty) = match &node.node.declarator {
                Some(declarator) => self.parameter_declarator(base, declarator)?,
                None => (None, base),
            };
            let ty = self.adjusted(ty);
            // Of a pointer, it is said of the target.
            let constant = specified.constant && !self.types.is_pointer(ty);
            if let Some(name) = name {
                let id = self.variable(name, ty, VariableKind::Parameter, span);
                self.scopes.declare(name, Entity::Variable(id), span);
            }
            let has_rows = std::mem::replace(&mut self.has_rows, false);
            let name = name.unwrap_or("").to_owned();
            parameters.push(Parameter { name, ty, constant, has_rows, span });
            Ok(())
        });
        self.in_parameters -= 1;
        self.has_rows = has_rows;
        self.scopes.leave();
        self.variables.truncate(variables);
        result?;
        // `(void)`
        let void = self.void();
        if let [only] = parameters.as_slice()
            && only.ty == void
            && only.name.is_empty()
        {
            parameters.clear();
        }
        Ok(parameters)
    }

    /// As [`Context::declarator`], but ignores the length of an array.
    pub fn parameter_declarator(
        &mut self,
        base: TypeId,
        declarator: &'t Node<Declarator>,
    ) -> Typed<(Option<&'t str>, TypeId)> {
        let derived = &declarator.node.derived;
        let first = derived.iter().position(|d| matches!(d.node, DerivedDeclarator::Array(_)));
        let is_identifier = !matches!(declarator.node.kind.node, DeclaratorKind::Declarator(_));
        let Some(first) = first.filter(|_| is_identifier) else {
            let declared = self.declarator(base, declarator)?;
            return Ok((declared.name.map(|(name, _)| name), declared.ty));
        };
        if !declarator.node.extensions.is_empty() {
            let extensions: Vec<_> = declarator.node.extensions.iter().collect();
            let same = self.modes(base, &extensions)? == base;
            if !same {
                let span = self.span(declarator);
                return Err(self.unsupported(span, "an attribute of this parameter"));
            }
        }
        let mut declared = Declared::new(base);
        let steps = derived[..first].iter().chain(derived[first + 1..].iter().rev());
        if let DerivedDeclarator::Array(ArraySize::Expression(size)) = &derived[first].node
            && self.has_effects(size)
        {
            let span = self.span(size);
            return Err(self.unsupported(span, "a length with effects, of a parameter"));
        }
        for step in steps {
            self.finish_length(&mut declared)?;
            declared.ty = self.derive(&mut declared, &step.node, self.span(step))?;
        }
        self.finish_length(&mut declared)?;
        let name = match &declarator.node.kind.node {
            DeclaratorKind::Identifier(name) => Some(name.node.name.as_str()),
            _ => None,
        };
        Ok((name, self.types.pointer_to(declared.ty)))
    }

    /// Makes an array of variable length a type of its own, where something is derived from it.
    fn finish_length(&mut self, declared: &mut Declared<'t>) -> Typed<()> {
        if let Some(length) = declared.length.take() {
            declared.ty = self.variable_type(declared.ty, length)?;
        }
        // As if it had a length, where parameters are declared.
        if std::mem::take(&mut declared.is_star)
            && let Type::Array(element, _) = *self.types.get(declared.ty)
        {
            declared.ty = element;
        }
        Ok(())
    }

    /// The type of a parameter: arrays and functions become pointers.
    pub fn adjusted(&mut self, ty: TypeId) -> TypeId {
        match *self.types.get(ty) {
            Type::Array(element, _) => self.types.pointer_to(element),
            Type::Function { .. } => self.types.pointer_to(ty),
            _ => match self.variable_type_of(ty) {
                Some(variable) => self.types.pointer_to(variable.element),
                None => ty,
            },
        }
    }
}

/// The parameter names of a K&R definition.
pub(in crate::parse) fn old_parameters(
    outermost: Option<&DerivedDeclarator>,
) -> Option<&[Node<Identifier>]> {
    match outermost {
        Some(DerivedDeclarator::KRFunction(names)) => Some(names),
        _ => None,
    }
}

/// The name that is declared.
pub(in crate::parse) fn name_of(declarator: &Node<Declarator>) -> Option<&str> {
    let mut declarator = declarator;
    loop {
        match &declarator.node.kind.node {
            DeclaratorKind::Abstract => return None,
            DeclaratorKind::Identifier(name) => return Some(&name.node.name),
            DeclaratorKind::Declarator(inner) => declarator = inner,
        }
    }
}
