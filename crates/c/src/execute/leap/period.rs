//! Watches some edges of an execution for a sequence that repeats.

use super::Passed;

/// Edges that are watched: a round may have half as many.  Other values were not measured.
const WINDOW: usize = 1 << 10;

/// The edges passed since the watch began.
#[derive(Debug, Default)]
pub(super) struct Watch {
    edges: Vec<Passed>,
}

impl Watch {
    /// Takes in an edge. At the end of the watch, the edges of a round, if all of the watch consists of rounds that
    /// begin and end in the present call.
    pub(super) fn pass(&mut self, passed: Passed) -> Option<Option<Vec<Passed>>> {
        self.edges.push(passed);
        if self.edges.len() < WINDOW {
            return None;
        }
        let period = period(&self.edges);
        let round = &self.edges[WINDOW - period..];
        let repeats = 2 * period <= WINDOW;
        let stays = round.iter().all(|p| p.depth >= passed.depth);
        Some((repeats && stays).then(|| round.to_vec()))
    }
}

/// The smallest distance at which all elements repeat (Knuth, Morris and Pratt's failure function).
fn period<T: PartialEq>(all: &[T]) -> usize {
    let mut border = vec![0; all.len()];
    for i in 1..all.len() {
        let mut length = border[i - 1];
        while length > 0 && all[i] != all[length] {
            length = border[length - 1];
        }
        border[i] = length + usize::from(all[i] == all[length]);
    }
    all.len() - border.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::period;

    #[test]
    fn the_smallest_period() {
        assert_eq!(period(&[1, 2, 3, 1, 2, 3, 1]), 3);
        assert_eq!(period(&[1, 1, 1]), 1);
        assert_eq!(period(&[1, 1, 2, 1, 1, 2, 1, 1]), 3);
        assert_eq!(period(&[1, 2, 3]), 3);
    }
}
