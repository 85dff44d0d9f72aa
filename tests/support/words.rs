//! The words of hardbop's own sources: names that programs may have as well.

use std::collections::BTreeSet;
use std::path::Path;

/// The words with which texts in the sources begin, and those of the parts of harnesses that are in
/// C.
pub fn words() -> Vec<String> {
    let mut found = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src"), root.join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if let "rs" | "c" = ending {
                let text = std::fs::read_to_string(&path).expect("a text");
                let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let parts: Vec<&str> = match ending {
                    "c" => text.split(|c| !is_letter(c)).collect(),
                    _ => text.split('"').skip(1).collect(),
                };
                for part in parts {
                    let end = part.find(|c| !is_letter(c)).unwrap_or(part.len());
                    let name = &part[..end];
                    // Longer ones are sentences.
                    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
                    if is_name && name.len() < 30 {
                        found.insert(name.to_owned());
                        if part[end..].starts_with('{') {
                            found.insert(format!("{name}0"));
                        }
                    }
                }
            }
        }
    }
    found.into_iter().collect()
}
