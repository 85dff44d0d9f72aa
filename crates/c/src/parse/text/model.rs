//! The data model that a text was preprocessed for.

use super::clean::blank_comments;
use crate::types::DataModel;

/// Types that are as wide as a pointer.
const WORDS: &[&str] =
    &["size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t", "__kernel_size_t", "__ssize_t"];

/// The data model that a definition of a type as wide as a pointer shows: `typedef unsigned int size_t;`
/// is of ILP32.  Where there are several, the first says.
///
/// ```
/// use hardbop_c::{data_model, types::DataModel};
///
/// assert_eq!(data_model("typedef unsigned int size_t;"), Some(DataModel::Ilp32));
/// assert_eq!(data_model("typedef long unsigned int size_t;"), Some(DataModel::Lp64));
/// assert_eq!(data_model("int main(void) { return 0; }"), None);
/// ```
#[must_use]
pub fn data_model(text: &str) -> Option<DataModel> {
    if !WORDS.iter().any(|word| text.contains(word)) {
        return None;
    }
    let text = blank_comments(text).ok()?;
    let mut definitions = text.split("typedef").skip(1);
    definitions.find_map(|rest| {
        let mut words: Vec<&str> = rest.split(';').next()?.split_ascii_whitespace().collect();
        let is_word = WORDS.contains(&words.pop()?);
        let plain = |word: &&str| ["unsigned", "signed", "int", "long"].contains(word);
        if !is_word || words.is_empty() || !words.iter().all(plain) {
            return None;
        }
        let longs = words.iter().filter(|&&word| word == "long").count();
        match longs {
            0 => Some(DataModel::Ilp32),
            1 => Some(DataModel::Lp64),
            _ => None,
        }
    })
}
