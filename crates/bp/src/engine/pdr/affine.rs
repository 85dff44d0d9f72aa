//! Affine spaces over GF(2), as equations.

use fixedbitset::FixedBitSet;

/// The exclusive or of these items, in ascending order, is `sum`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Equation {
    pub items: Vec<usize>,
    pub sum: bool,
}

impl Equation {
    /// Does it hold of a point?
    pub fn holds(&self, point: &FixedBitSet) -> bool {
        self.items.iter().fold(false, |sum, &i| sum ^ point.contains(i)) == self.sum
    }

    /// The class that it says something about, by its least item, or that of constants; `None` if
    /// it is longer.
    fn class(&self) -> Option<&[usize]> {
        let (_, least) = self.items.split_last().filter(|_| self.items.len() <= 2)?;
        Some(least)
    }

    /// Adds another equation to this one.
    fn add(&mut self, other: &Self) {
        self.items = merged(&self.items, &other.items);
        self.sum ^= other.sum;
    }
}

/// The numbers that are in one of two ascending lists, but not in both.
pub fn merged(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => {
                all.push(a[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                all.push(b[j]);
                j += 1;
            }
            std::cmp::Ordering::Equal => (i, j) = (i + 1, j + 1),
        }
    }
    all.extend(&a[i..]);
    all.extend(&b[j..]);
    all
}

/// The smallest affine space with some points: the points that satisfy all equations.
#[derive(Debug, Clone)]
pub struct Hull {
    pub equations: Vec<Equation>,
    /// Of items from this one on, no more is said than that they are equal, opposite, or constant.
    first_gate: usize,
    /// Points in general position, which span it; fewer if equations were dropped.  None: it is
    /// empty.
    pub points: Vec<FixedBitSet>,
}

impl Hull {
    /// The empty hull.
    pub fn new(first_gate: usize) -> Self {
        Self { equations: vec![], first_gate, points: vec![] }
    }

    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Makes it the space of all points, of which it has some.
    pub fn fill(&mut self) {
        self.equations.clear();
        if self.is_empty() {
            self.points.push(FixedBitSet::with_capacity(0));
        }
    }

    /// Adds a point, which has values for these items.  Returns whether it is new.
    ///
    /// Items that are equal or opposite in all points are a class, of which each has an equation
    /// with the least; constants are a class without one.  Longer equations are about the least
    /// items of classes alone.  So a class that a point splits leaves two, and one equation that
    /// does not hold.
    pub fn add(&mut self, items: &[usize], point: &FixedBitSet) -> bool {
        if self.is_empty() {
            let equation = |&i: &usize| Equation { items: vec![i], sum: point.contains(i) };
            self.equations = items.iter().map(equation).collect();
            self.points.push(point.clone());
            return true;
        }
        let violated = |e: &mut Equation| !e.holds(point);
        let mut violated: Vec<Equation> = self.equations.extract_if(.., violated).collect();
        violated.sort_by(|a, b| (a.items.len(), &a.items).cmp(&(b.items.len(), &b.items)));
        // The sum of two violated equations holds.  Short ones are to stay: those of a class, which
        // follow each other here, are added to the first of their own, so the rest of the class is
        // again equal to one of it.
        let mut split: Vec<Equation> = vec![];
        for mut next in violated {
            match split.last().filter(|e| e.class().is_some() && e.class() == next.class()) {
                Some(first) => {
                    next.add(first);
                    self.equations.push(next);
                }
                None => split.push(next),
            }
        }
        if split.is_empty() {
            return false;
        }
        split.retain(|e| e.items.last().is_some_and(|&i| i < self.first_gate));
        if let Some((pivot, others)) = split.split_first_mut() {
            others.iter_mut().for_each(|e| e.add(pivot));
            self.equations.extend(split.drain(1..));
        }
        self.points.push(point.clone());
        true
    }

    /// Brings the longer equations into a form in which each has an item that no other has, and
    /// which does not depend on the order in which points were added.
    pub fn reduce(&mut self) {
        let mut rest: Vec<Equation> =
            self.equations.extract_if(.., |e| e.items.len() > 2).collect();
        let mut done: Vec<Equation> = vec![];
        // By their last items: entry values in terms of others come before current ones.
        while let Some(at) = (0..rest.len()).max_by_key(|&i| rest[i].items.last().copied()) {
            let next = rest.swap_remove(at);
            let Some(&pivot) = next.items.last() else { continue };
            for other in rest.iter_mut().chain(&mut done) {
                if other.items.binary_search(&pivot).is_ok() {
                    other.add(&next);
                }
            }
            done.push(next);
        }
        self.equations.append(&mut done);
        self.equations.sort_unstable_by(|a, b| a.items.cmp(&b.items));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_base::random::Random;

    /// All sums of an odd number of points.
    fn spanned(points: &[u32]) -> Vec<u32> {
        let choices = (0u32..1 << points.len()).filter(|c| c.count_ones() % 2 == 1);
        let sum =
            |c: u32| (0..points.len()).filter(|i| c >> i & 1 == 1).fold(0, |s, i| s ^ points[i]);
        let mut all: Vec<u32> = choices.map(sum).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn the_hull_is_what_the_points_span() {
        const ITEMS: u32 = 7;
        let bits =
            |p: u32| -> FixedBitSet { (0..ITEMS as usize).filter(|i| p >> i & 1 == 1).collect() };
        let grown = |p: u32| {
            let mut b = bits(p);
            b.grow(ITEMS as usize);
            b
        };
        let items: Vec<usize> = (0..ITEMS as usize).collect();
        let mut random = Random::new(7);
        for _ in 0..100 {
            let points: Vec<u32> =
                (0..=random.below(6)).map(|_| random.below(1 << ITEMS) as u32).collect();
            let mut hull = Hull::new(ITEMS as usize);
            for (i, &p) in points.iter().enumerate() {
                let is_new = i == 0 || !spanned(&points[..i]).contains(&p);
                assert_eq!(hull.add(&items, &grown(p)), is_new);
            }
            let all = spanned(&points);
            for reduced in [false, true] {
                if reduced {
                    hull.reduce();
                }
                let inside = |p: &u32| hull.equations.iter().all(|e| e.holds(&grown(*p)));
                let found: Vec<u32> = (0..1 << ITEMS).filter(inside).collect();
                assert_eq!(found, all);
                // What two items alone say is an equation of the least of their class.
                let pairs = (0..ITEMS as usize).flat_map(|b| (0..b).map(move |a| (a, b)));
                let value = |p: u32, i: usize| p >> i & 1;
                for (a, b) in pairs {
                    let sums = || all.iter().map(|&p| value(p, a) ^ value(p, b));
                    if sums().all(|s| s == value(all[0], a) ^ value(all[0], b)) {
                        let short = hull.equations.iter().filter(|e| e.items.len() <= 2);
                        let about = |i| short.clone().any(|e| e.items.last() == Some(&i));
                        assert!(about(b), "{a} and {b} are a class: {hull:?}");
                    }
                }
            }
        }
    }
}
