//! Places as the protocol has them: files are URIs, lines and columns begin with 0, and columns count the units of UTF-16.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::{Location, Position, Range, Uri};

/// The path of a file, where a URI names one.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme().is_some_and(|scheme| scheme.as_str().eq_ignore_ascii_case("file"));
    let is_here =
        uri.authority().is_none_or(|host| host.as_str().is_empty() || host.as_str() == "localhost");
    let path = decoded(uri)?;
    (is_file && is_here && path.is_absolute()).then_some(path)
}

/// The path of a URI, relative or not, without its escapes.
fn decoded(uri: &Uri) -> Option<PathBuf> {
    let path = uri.path().as_estr().decode().into_string().ok()?;
    Some(PathBuf::from(path.into_owned()))
}

/// The URI of an absolute path.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let mut text = "file://".to_owned();
    for byte in path.to_str()?.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(char::from(byte));
            }
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    Uri::from_str(&text).ok()
}

/// How far a place reaches.
#[derive(Debug, Clone, Copy)]
pub(super) enum Extent<'t> {
    /// So many characters.
    Characters(usize),
    /// This text, where it is there; else the word.
    Text(&'t str),
}

/// The files of a run, and their lines, each read once.
pub(super) struct Files {
    /// The folders in which relative names are looked for.
    folders: Vec<PathBuf>,
    lines: BTreeMap<PathBuf, Vec<String>>,
}

impl Files {
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders, lines: BTreeMap::new() }
    }

    /// The file that a message names, as an absolute path.
    pub fn named(&self, name: &str) -> Option<PathBuf> {
        let mut places = self.folders.iter().map(|folder| folder.join(name));
        places.find(|path| path.is_file()).map(|path| path.components().collect())
    }

    /// The file that a URI of a report names: relative to a folder, or absolute.
    pub fn of_uri(&self, uri: &str) -> Option<PathBuf> {
        self.named(decoded(&Uri::from_str(uri).ok()?)?.to_str()?)
    }

    /// A place by its line and column, which begin with 1 and count characters.
    pub fn range(&mut self, path: &Path, (line, column): (usize, usize), to: Extent) -> Range {
        let lines = self.lines.entry(path.to_owned()).or_insert_with(|| {
            let bytes = fs::read(path).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
        });
        let line = line.saturating_sub(1);
        let text = lines.get(line).map_or("", String::as_str);
        let start = text.char_indices().nth(column.saturating_sub(1));
        let start = start.map_or(text.len(), |(at, _)| at);
        let (before, rest) = text.split_at(start);
        let length = match to {
            Extent::Characters(number) => {
                rest.char_indices().nth(number).map_or(rest.len(), |(at, _)| at)
            }
            Extent::Text(words) if !words.is_empty() && rest.starts_with(words) => words.len(),
            Extent::Text(_) => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
        };
        // Something is to be seen.
        let one = rest.chars().next().map_or(0, char::len_utf8);
        let length = length.max(one);
        let units = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let (start, end) = (units(before), units(before) + units(&rest[..length]));
        Range::new(Position::new(line, start), Position::new(line, end))
    }

    /// The same in a file that the protocol can name.
    pub fn location(&mut self, path: &Path, at: (usize, usize), to: Extent) -> Option<Location> {
        Some(Location::new(uri_of(path)?, self.range(path, at, to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris() {
        let uri = |text: &str| Uri::from_str(text).expect("a URI");
        let path = Path::new("/tmp/a b/é%.c");
        let own = uri_of(path).expect("it has one");
        assert_eq!(own.as_str(), "file:///tmp/a%20b/%C3%A9%25.c");
        assert_eq!(path_of(&own).as_deref(), Some(path));
        assert_eq!(path_of(&uri("file://localhost/x%2Ec")).as_deref(), Some(Path::new("/x.c")));
        for other in ["untitled:Untitled-1", "file://elsewhere/x.c", "http://a/b.c", "file:///%FF"]
        {
            assert_eq!(path_of(&uri(other)), None, "{other}");
        }
    }

    #[test]
    fn columns_count_units_of_utf_16() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.c");
        fs::write(&path, "/* é😀 */ int x;\r\n\n").expect("it can be written");
        let mut files = Files::new(vec![folder.path().to_owned()]);
        let mut range = |at, to| {
            let Range { start, end } = files.range(&path, at, to);
            (start.line, start.character, end.line, end.character)
        };
        assert_eq!(range((1, 10), Extent::Text("int x;")), (0, 10, 0, 16));
        assert_eq!(range((1, 10), Extent::Text("other")), (0, 10, 0, 13));
        assert_eq!(range((1, 4), Extent::Characters(2)), (0, 3, 0, 6));
        assert_eq!(range((1, 99), Extent::Characters(5)), (0, 16, 0, 16));
        assert_eq!(range((2, 1), Extent::Text("")), (1, 0, 1, 0));
        assert_eq!(range((99, 1), Extent::Text("")), (98, 0, 98, 0));
    }
}
