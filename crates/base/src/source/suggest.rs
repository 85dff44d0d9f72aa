//! "Did you mean": the known name nearest to one that is not known.

/// Length of a name up to which it is compared.  A run makes at most [`Suggestions::LIMIT`]
/// suggestions, so that a file full of mistakes is still reported in no time.
const LONGEST: usize = 64;

/// Finds near names, a limited number of times.
#[derive(Debug, Default)]
pub struct Suggestions {
    made: usize,
}

impl Suggestions {
    const LIMIT: usize = 20;

    /// The candidate nearest to `name`, where one is near enough; among equals, the first in
    /// alphabetical order.
    pub fn nearest<'a>(
        &mut self,
        name: &str,
        candidates: impl Iterator<Item = &'a str>,
    ) -> Option<&'a str> {
        if self.made >= Self::LIMIT || name.len() > LONGEST {
            return None;
        }
        self.made += 1;
        let length = name.chars().count();
        let allowed = (length / 3).max(1);
        candidates
            .filter(|c| c.len() <= LONGEST && *c != name)
            .filter(|c| c.chars().count().abs_diff(length) <= allowed)
            .map(|c| (distance(name, c), c))
            .filter(|&(d, c)| d <= allowed && d < c.chars().count())
            .min()
            .map(|(_, c)| c)
    }
}

/// Edit distance (insert, delete, replace, swap of neighbours count 1 each); letters that differ
/// only in case count 0 unless the names are otherwise equal, where the distance is 1.
fn distance(a: &str, b: &str) -> usize {
    let fold = |s: &str| -> Vec<char> { s.chars().map(|c| c.to_ascii_lowercase()).collect() };
    let (a, b) = (fold(a), fold(b));
    if a == b {
        return 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i);
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{Suggestions, distance};

    #[test]
    fn distances() {
        for (a, b, d) in [
            ("lock", "lokc", 1),
            ("lock", "LOCK", 1),
            ("a", "b", 1),
            ("", "abc", 3),
            ("ab", "b", 1),
        ] {
            assert_eq!(distance(a, b), d, "{a} {b}");
        }
    }

    #[test]
    fn near_names_only() {
        let mut s = Suggestions::default();
        assert_eq!(s.nearest("loked", ["locked", "x"].into_iter()), Some("locked"));
        assert_eq!(s.nearest("x", ["y"].into_iter()), None);
        assert_eq!(s.nearest("L", ["locked"].into_iter()), None);
    }
}
