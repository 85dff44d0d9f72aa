//! A format of `printf` or `scanf`, letter by letter.

/// What is left of a format.
pub(in crate::checks) struct Letters<'t>(pub &'t [u8]);

impl Letters<'_> {
    /// The next byte.
    pub fn any(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    /// The next byte, if it is one of these.
    pub fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        self.0.first().filter(|byte| bytes.contains(byte))?;
        self.any()
    }
}
