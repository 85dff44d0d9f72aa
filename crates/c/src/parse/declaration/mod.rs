//! Declarations: types, variables with their initial values, and functions.

mod cleared;
mod declarator;
mod deduced;
pub(super) mod enter;
mod enumeration;
mod flexible;
mod function;
mod initialiser;
mod linkage;
mod qualified;
mod record;
mod refused;
mod specifier;
mod variable_array;

pub(super) use declarator::name_of;
pub(super) use linkage::alias_of;
pub(super) use qualified::Qualified;
