//! Time and memory limits of a run, and the units in which they are given.

use std::time::Duration;

use clap::Args;

use hardbop_base::budget::Budget;
use hardbop_report::document::LimitOptions;

/// What a run may take.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// Give up after this time: seconds, or a number with ms, s, m or h
    #[arg(long = "time-limit", value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,

    /// Give up beyond this resident memory: bytes, or a number with K, M or G
    #[arg(long = "memory-limit", value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
}

impl Limits {
    /// A budget with these limits, from now on.
    pub fn budget(self) -> Budget {
        let mut budget = Budget::unlimited();
        if let Some(limit) = self.time {
            budget = budget.with_time_limit(limit);
        }
        if let Some(limit) = self.memory {
            budget = budget.with_memory_limit(limit);
        }
        budget
    }

    /// These limits as a document states them.
    pub fn options(self) -> LimitOptions {
        LimitOptions {
            time_limit_seconds: self.time.map(|t| t.as_secs_f64()),
            memory_limit_bytes: self.memory,
        }
    }
}

/// Splits `10.5ms` into `10.5` and `ms`.
fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

/// A time such as `10`, `1.5s`, `500ms`, `5m`, `2h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let scale = match unit {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("use seconds, or a number with ms, s, m or h".to_owned()),
    };
    let value: f64 = number.parse().map_err(|_| "not a time; use 10, 10s or 5m".to_owned())?;
    Duration::try_from_secs_f64(value * scale).map_err(|_| "too long".to_owned())
}

/// A size such as `500M`, `2G`, `2GiB`; a bare number counts bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let unit = unit.to_ascii_lowercase();
    let shift = match unit.trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err("use a number with K, M, G or T".to_owned()),
    };
    let value: f64 = number.parse().map_err(|_| "not a size; use 500M or 2G".to_owned())?;
    let bytes = value * (1u64 << shift) as f64;
    if bytes < 1024.0 {
        let unit = if unit.is_empty() { " (a bare number counts bytes)" } else { "" };
        return Err(format!("must be at least 1K{unit}, such as 500M or 2G"));
    }
    // The cast saturates: more than the machine has is no limit.
    Ok(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::{bytes, duration};
    use std::time::Duration;

    #[test]
    fn times() {
        for (text, milliseconds) in
            [("10", 10_000), ("10s", 10_000), ("0.25", 250), ("500ms", 500), ("5m", 300_000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "-1", "1x", "1e400", "1..2", "inf", "NaN"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for (text, expected) in [
            ("4096", 4096),
            ("1K", 1024),
            ("500M", 500 << 20),
            ("2G", 2 << 30),
            ("1.5GiB", 3 << 29),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for text in ["", "M", "-1M", "2X", "0"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
