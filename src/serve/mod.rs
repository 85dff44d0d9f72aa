//! The server: requests in JSON, one per line, and their answers.  docs/protocol.md is for its users.
//!
//! A [`Session`] takes lines and has a [`Sink`] for what it says; it reads and writes nothing
//! itself, and gets files through its [`Host`].  Requests run on worker threads, each within limits of its
//! own.  A request that panics is an error of that request alone.
//!
//! Another method is a function in `methods`, and its name in the
//! list there.

#[cfg(feature = "c")]
mod abstraction;
#[cfg(feature = "c")]
mod c;
mod methods;
mod options;
mod params;
pub mod protocol;
pub mod record;
mod session;
mod work;

pub use session::{Session, Settings, Sink};

use crate::base::source::Source;

/// What a request may need of the world outside.
pub trait Host: Send + Sync {
    /// The text of a file.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    fn read(&self, path: &str) -> Result<Source, String>;

    /// The same text after the C preprocessor, if it needs that; `path` is the file, where it is one.
    ///
    /// # Errors
    /// Why that fails, in words.
    #[cfg(feature = "c")]
    fn preprocessed(
        &self,
        source: Source,
        path: Option<&str>,
        model: crate::program::c::types::DataModel,
    ) -> Result<Source, String>;
}
