//! The files of this machine, for a server.

use std::path::Path;

use super::text::read;
#[cfg(feature = "c")]
use crate::cli::arguments::c::preprocessor::Preprocessor;
use crate::cli::output::error::CliError;
use crate::cli::output::is_stream;
use crate::serve::Host;
use hardbop_base::source::Source;

/// Reads what requests name.
pub(crate) struct Files;

impl Host for Files {
    fn read(&self, path: &str) -> Result<Source, String> {
        if is_stream(Path::new(path)) {
            return Err("standard input has the requests".to_owned());
        }
        read(Path::new(path)).map_err(words)
    }

    #[cfg(feature = "c")]
    fn preprocessed(
        &self,
        source: Source,
        path: Option<&str>,
        options: &hardbop_c::ParseOptions,
    ) -> Result<Source, String> {
        let path = Path::new(path.unwrap_or("-"));
        let how = Preprocessor::default();
        super::preprocess::preprocessed(source, path, options, &how).map_err(words)
    }
}

fn words(error: CliError) -> String {
    let text = error.to_string();
    text.strip_prefix("error: ").map(str::to_owned).unwrap_or(text)
}
