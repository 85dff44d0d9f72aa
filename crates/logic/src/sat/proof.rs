//! Reads a proof in varisat's native format while it is written, to count learned clauses.
//!
//! A proof is a sequence of numbers.  A step begins with its code; a fixed number of numbers or lists follows, each
//! list with its length first.  A number takes one byte for each 7 bits (the last of ten: 8); the zeros at the low end
//! of the first bytes tell how many bytes follow.

/// The state of the reader; bytes may come in any portions.
#[derive(Default)]
pub(super) struct ProofReader {
    learned: u64,
    /// Bytes of a number that is not complete.
    bytes: Vec<u8>,
    /// Numbers to skip.
    skip: u64,
    /// Lists of the step that are still to come, and the count of numbers in one entry of a list.
    lists: u8,
    width: u64,
}

impl ProofReader {
    /// The number of learned clauses so far, which is the number of conflicts.
    pub fn learned(&self) -> u64 {
        self.learned
    }

    /// Reads the next bytes.
    pub fn read(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.bytes.push(byte);
            let length = match self.bytes[..] {
                // Not even the length is known yet.
                [0] => continue,
                [0, second, ..] => 9 + second.trailing_zeros().min(1),
                [first, ..] => 1 + first.trailing_zeros(),
                [] => continue,
            } as usize;
            if self.bytes.len() == length {
                let bits = self.bytes.iter().rev().fold(0_u128, |n, &b| n << 8 | u128::from(b));
                self.bytes.clear();
                self.number((bits >> length) as u64);
            }
        }
    }

    fn number(&mut self, number: u64) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        if self.lists > 0 {
            self.lists -= 1;
            self.skip = number.saturating_mul(self.width);
            return;
        }
        self.width = 1;
        match number {
            // Names of variables.
            0 | 2 => self.skip = 2,
            // Their removal and modes, and the length of hashes.
            1 | 3..=6 | 13 => self.skip = 1,
            // A learned clause: its literals, and the clauses from which it follows.
            7 | 8 => {
                self.learned += 1;
                self.lists = 2;
            }
            // Units, in pairs.
            9 => {
                self.lists = 1;
                self.width = 2;
            }
            // Failed assumptions: literals, and the clauses from which they follow.
            17 => self.lists = 2,
            // Deleted and added clauses, models, assumptions.
            10..=12 | 14..=16 => self.lists = 1,
            // The end.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ProofReader;

    /// Encodes numbers as varisat does.
    fn encode(numbers: &[u64]) -> Vec<u8> {
        let mut out = Vec::new();
        for &n in numbers {
            let length = ((64 - n.leading_zeros()) * 9 / 64 + 1) as usize;
            let bits = (u128::from(n) << 1 | 1) << (length - 1);
            out.extend(&bits.to_le_bytes()[..length]);
        }
        out
    }

    #[test]
    fn learned_clauses_are_counted_whatever_stands_between() {
        let steps: [&[u64]; 9] = [
            &[0, 7, 7],
            &[8, 2, 7, 8, 3, u64::MAX, 1 << 62, 1 << 20],
            &[9, 2, 7, 7, 8, 8],
            &[13, 7],
            &[7, 0, 0],
            &[10, 3, 7, 7, 7],
            &[17, 1, 7, 2, 7, 1 << 55],
            &[8, 1, 300, 1, 1 << 56],
            &[0x9ac3_391f_4294_c211],
        ];
        let bytes = encode(&steps.concat());
        for portion in [1, 3, bytes.len()] {
            let mut reader = ProofReader::default();
            bytes.chunks(portion).for_each(|b| reader.read(b));
            assert_eq!(reader.learned(), 3);
        }
    }
}
