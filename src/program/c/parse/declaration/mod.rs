//! Declarations: types, variables with their initial values, and functions.

mod declarator;
pub(super) mod enter;
mod function;
mod initialiser;
mod linkage;
mod record;
mod specifier;
