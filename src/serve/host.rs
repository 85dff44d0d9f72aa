//! What a request may need of the world outside.

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
