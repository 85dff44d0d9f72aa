//! The options of a request.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::protocol::{Code, ErrorBody};

/// The defaults with the options of a request in their place.
///
/// # Errors
/// There is no such option, or it has no such value.
pub(super) fn overlay<T: Serialize + DeserializeOwned + Default>(
    given: &Map<String, Value>,
) -> Result<T, ErrorBody> {
    hardbop_report::document::overlay(&T::default(), given)
        .map_err(|e| ErrorBody::new(Code::InvalidParams, e.to_string()))
}
