//! Fingerprints of findings, which stay where lines move: no number of a line or a column is part of one.

use std::collections::BTreeMap;

use crate::kept::fingerprint;
use crate::properties::{Kind, Property};

/// A line of a file, as far as a fingerprint depends on it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// The file, under a name that is the same wherever it is checked.
    pub file: String,
    /// The text without comments and blanks; empty where it cannot be read.
    pub text: String,
}

/// Sets the fingerprints of findings. Each is made of the kind, the file, the function, the text of the line, that of the operation,
/// and a number among those that are equal in all this. `line` gives the line of that number in a file.
pub fn set_fingerprints(properties: &mut [Property], mut line: impl FnMut(&str, usize) -> Line) {
    let mut seen: BTreeMap<[String; 5], usize> = BTreeMap::new();
    for property in properties {
        let place = match property.kind {
            Kind::Function | Kind::Program => continue,
            // It may be in several functions.
            Kind::Label => None,
            Kind::Assertion | Kind::Operations(_) => property.positions().next(),
        };
        let Line { file, text } =
            place.map_or_else(Line::default, |(file, number, _)| line(file, number));
        let function = place.and(property.function.clone()).unwrap_or_default();
        let name = property.name.split_whitespace().collect();
        let words = [property.kind.name().to_owned(), file, function, text, name];
        let number = seen.entry(words.clone()).or_default();
        *number += 1;
        let number = number.to_string();
        let words: Vec<&str> = words.iter().map(String::as_str).chain([number.as_str()]).collect();
        property.fingerprint = Some(fingerprint(&words));
    }
}

#[cfg(test)]
mod tests {
    use hardbop_base::errors::Check;

    use super::*;

    /// The fingerprints of accesses at these lines of a text.
    fn of(text: &str, lines: &[usize]) -> Vec<String> {
        let open = |line: &usize| {
            let place = format!("p.c:{line}:1");
            Property::open(Kind::Operations(Check::Bounds), "a [ i ]", vec![place])
        };
        let mut all: Vec<Property> = lines.iter().map(open).collect();
        set_fingerprints(&mut all, |file, number| {
            let text = text.lines().nth(number - 1).unwrap_or("");
            Line { file: file.to_owned(), text: text.split_whitespace().collect() }
        });
        all.into_iter().filter_map(|p| p.fingerprint).collect()
    }

    #[test]
    fn they_stay_where_lines_move() {
        let before = of("x = a[i];\na[i] = 1;\na[i] = 1;\n", &[1, 2, 3]);
        assert_eq!(before.len(), 3);
        assert!(before[0] != before[1] && before[1] != before[2]);
        // Another one in front of them, and blanks, change nothing.
        let after = of("y = a[i];\n\n  x  = a[i];\na[i] = 1;\n  a[i]=1;\n", &[1, 3, 4, 5]);
        assert_eq!(before, after[1..]);
        assert!(!before.contains(&after[0]));
    }
}
