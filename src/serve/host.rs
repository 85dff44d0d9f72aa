//! The services from outside that a request may need: files, and the C preprocessor.

use hardbop_base::source::Source;

/// Gives requests access to files and the C preprocessor.
pub trait Host: Send + Sync {
    /// The text of a file.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    fn read(&self, path: &str) -> Result<Source, String>;

    /// A C text, to be read with these options, after the C preprocessor, if it needs that; `path`
    /// is its file, if it has one.
    ///
    /// # Errors
    /// Why that fails, in words.
    #[cfg(feature = "c")]
    fn preprocessed(
        &self,
        source: Source,
        path: Option<&str>,
        options: &hardbop_c::ParseOptions,
    ) -> Result<Source, String>;
}
