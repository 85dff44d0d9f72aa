//! Onion rings: what was new at a node each time it was expanded.
//!
//! Rings are disjoint.  Every element stems from rings with smaller stamps, at this or other nodes;
//! so looking back ring by ring terminates.

use hardbop_logic::bdd::{Bdd, Manager, Stop};

/// The rings of one node, oldest first.
#[derive(Default)]
pub(super) struct Rings {
    stamps: Vec<u32>,
    /// Level 0 holds the rings; each higher level holds unions of pairs of the level below.  The
    /// higher levels are made on first use.
    levels: Vec<Vec<Bdd>>,
}

impl Rings {
    pub fn push(&mut self, stamp: u32, ring: Bdd) {
        if self.levels.is_empty() {
            self.levels.push(vec![]);
        }
        self.levels.truncate(1);
        self.stamps.push(stamp);
        self.levels[0].push(ring);
    }

    /// Number of rings with stamps below `before`.
    fn count(&self, before: u32) -> usize {
        self.stamps.partition_point(|&s| s < before)
    }

    fn complete(&mut self, m: &mut Manager) -> Result<(), Stop> {
        while let Some(top) = self.levels.last().filter(|top| top.len() > 1) {
            let mut next = Vec::with_capacity(top.len().div_ceil(2));
            for pair in top.chunks(2) {
                next.push(if let [a, b] = pair { m.or(a, b)? } else { pair[0].clone() });
            }
            self.levels.push(next);
        }
        Ok(())
    }

    /// A ring with a stamp below `before` that meets `wanted`: its stamp, and the intersection.
    /// The latest one if it meets `wanted`, else the earliest that does.
    pub fn meeting(
        &mut self,
        m: &mut Manager,
        wanted: &Bdd,
        before: u32,
    ) -> Result<Option<(u32, Bdd)>, Stop> {
        let count = self.count(before);
        if count == 0 || wanted.is_false() {
            return Ok(None);
        }
        let common = m.and(&self.levels[0][count - 1], wanted)?;
        if !common.is_false() {
            return Ok(Some((self.stamps[count - 1], common)));
        }
        self.complete(m)?;
        let mut stack = vec![(self.levels.len() - 1, 0)];
        while let Some((level, i)) = stack.pop() {
            if i << level >= count || i >= self.levels[level].len() {
                continue;
            }
            let common = m.and(&self.levels[level][i], wanted)?;
            if common.is_false() {
                continue;
            }
            if level == 0 {
                return Ok(Some((self.stamps[i], common)));
            }
            stack.push((level - 1, 2 * i + 1));
            stack.push((level - 1, 2 * i));
        }
        Ok(None)
    }

    /// The union of the rings with stamps below `before`.
    pub fn union(&mut self, m: &mut Manager, before: u32) -> Result<Bdd, Stop> {
        let mut rest = self.count(before);
        let mut union = m.constant(false);
        if rest == 0 {
            return Ok(union);
        }
        self.complete(m)?;
        // The prefix as a sum of powers of two.
        let mut start = 0;
        for level in (0..self.levels.len()).rev() {
            if rest >= 1 << level || (rest + start == self.stamps.len() && start == 0) {
                union = m.or(&union, &self.levels[level][start >> level])?;
                let taken = rest.min(1 << level);
                start += taken;
                rest -= taken;
            }
            if rest == 0 {
                break;
            }
        }
        Ok(union)
    }
}
