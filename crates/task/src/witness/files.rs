//! Finds the file of a program that a witness means: folders differ from machine to machine.

use std::path::{Component, Path};

/// The names that agree with a name in the most parts from the end, and at least in the last one,
/// wholly rather than partly; none twice.
///
/// The names that a wanted one may mean: several where the name does not tell them apart.
#[must_use]
pub fn like<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let parts = |name: &str| -> Vec<String> {
        let normal = |part: Component| match part {
            Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
            _ => None,
        };
        Path::new(name).components().rev().filter_map(normal).collect()
    };
    let own = parts(wanted);
    let (mut best, mut found) = ((1, false, false), vec![]);
    for name in names {
        let parts = parts(name);
        let common = parts.iter().zip(&own).take_while(|(a, b)| a == b).count();
        // The whole of a name counts for more than a part.
        let is_whole = parts.len() == common;
        let likeness = (common, is_whole && own.len() == common, is_whole);
        if likeness > best {
            (best, found) = (likeness, vec![name]);
        } else if likeness == best && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::like;

    #[test]
    fn the_most_parts_from_the_end_count() {
        let names = ["one/src/a.c", "lib/a.c", "lib/b.c", "a.cc"];
        assert_eq!(like("other/src/a.c", names), ["one/src/a.c"]);
        assert_eq!(like("./lib/../lib/a.c", names), ["lib/a.c"]);
        assert_eq!(like("a.c", names), ["one/src/a.c", "lib/a.c"]);
        assert_eq!(like("b.c", names), ["lib/b.c"]);
        assert_eq!(like("a.c", ["lib/a.c", "a.c"]), ["a.c"]);
        assert_eq!(like("src/a.c", ["lib/a.c", "a.c"]), ["a.c"]);
        assert!(like("c.c", names).is_empty() && like("", names).is_empty());
    }
}
