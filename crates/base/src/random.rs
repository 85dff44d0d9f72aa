//! A small deterministic generator of random numbers (SplitMix64, Steele, Lea and Flood 2014).
//!
//! Ours, so that a seed gives the same programs and statistics whatever libraries are linked.

/// The state of a generator.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 where `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The bias of the remainder is below 2^-40 for every bound in use.
        if bound == 0 { 0 } else { (self.bits() % bound as u64) as usize }
    }

    /// A number from `low` to `high`, both included.
    pub fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.below((high + 1).saturating_sub(low))
    }

    /// Tells `true` in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Picks one of the items; none where there is none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).copied()
    }

    /// Index of one of the weights, each with its share.  Invariant: their sum is positive.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (i, &w) in weights.iter().enumerate() {
            if left < w {
                return i;
            }
            left -= w;
        }
        0
    }

    /// Brings the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// Up to `count` different items, in random order.
    pub fn sample<T: Copy>(&mut self, items: &[T], count: usize) -> Vec<T> {
        let mut all = items.to_vec();
        self.shuffle(&mut all);
        all.truncate(count);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn known_first_numbers() {
        // Reference values of SplitMix64 for seed 0.
        let mut r = Random::new(0);
        assert_eq!(r.bits(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(r.bits(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn stays_in_range() {
        let mut r = Random::new(7);
        for bound in 1..50 {
            assert!(r.below(bound) < bound);
            assert!((3..=3 + bound).contains(&r.range(3, 3 + bound)));
        }
        assert_eq!(r.below(0), 0);
        assert_eq!(r.pick::<u8>(&[]), None);
    }
}
