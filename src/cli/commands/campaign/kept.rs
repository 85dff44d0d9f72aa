//! The files that are kept of a campaign, on their way to the store and back.

use std::path::Path;

use crate::cli::output::error::CliError;
use hardbop_lab::campaign::store::StoreError;

/// A failure of the store.
pub(super) fn stored(path: &Path, error: &StoreError) -> CliError {
    CliError::Write { what: format!("'{}'", path.display()), reason: error.to_string() }
}

/// A file of a run, packed for the store.
pub(super) fn packed(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    use std::io::Write as _;
    let mut out = flate2::write::GzEncoder::new(vec![], flate2::Compression::default());
    out.write_all(bytes)?;
    out.finish()
}

/// The file that was packed.
pub(super) fn unpacked(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    use std::io::Read as _;
    let mut out = vec![];
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut out)?;
    Ok(out)
}
