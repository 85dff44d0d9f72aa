//! The head of a witness, in any format: what it says of itself.

use hardbop_c::types::DataModel;

/// The kind of a witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An execution that reaches the error.
    Violation,
    /// There is no such execution.
    Correctness,
}

/// The head of a witness: what it says of itself.
pub(super) struct Head<'a> {
    pub kind: Kind,
    /// The time of its creation, in seconds since 1970.
    pub time: u64,
    pub version: &'a str,
    /// The files of the program, with the SHA-256 of each.
    pub files: &'a [(&'a str, String)],
    pub specification: &'a str,
    pub data_model: DataModel,
}

/// `2024-02-29T12:00:00Z` for seconds since 1970, by the calendar's period of 400 years.
pub(super) fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days since 1 March of the year 0: leap days are at the ends of years.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        // As `date -u -d @SECONDS` has them.
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(date(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(date(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
