//! The sub-commands, a file or folder each: they translate arguments, call the library and write
//! what it answers.

#[cfg(feature = "c")]
pub(crate) mod abstraction;
#[cfg(feature = "campaign")]
pub(crate) mod campaign;
pub(crate) mod certify;
#[cfg(feature = "c")]
pub(crate) mod cfa;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod formula;
pub(crate) mod generate;
pub(crate) mod list;
pub(crate) mod lsp;
mod measure;
pub(crate) mod reference;
pub(crate) mod replay;
pub(crate) mod serve;
