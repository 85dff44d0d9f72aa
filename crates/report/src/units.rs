//! Numbers for people.

/// `1234567` as `1,234,567`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A number of things: `1 step`, `2 steps`.
pub fn counted(n: u64, thing: &str) -> String {
    format!("{} {thing}{}", count(n), if n == 1 { "" } else { "s" })
}

/// Milliseconds as `0.4 ms`, `12 ms`, `3.21 s`, `4 min 5 s`.
pub fn milliseconds(ms: f64) -> String {
    if ms < 9.95 {
        format!("{ms:.1} ms")
    } else if ms < 999.5 {
        format!("{ms:.0} ms")
    } else if ms < 59_995.0 {
        format!("{:.2} s", ms / 1e3)
    } else {
        let seconds = (ms / 1e3).round();
        format!("{:.0} min {:.0} s", (seconds / 60.0).floor(), seconds % 60.0)
    }
}

/// Bytes as `512 B`, `1.5 MiB`.
pub fn bytes(n: u64) -> String {
    let mut value = n as f64;
    let mut unit = 0;
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{n} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
        for (n, text) in cases {
            assert_eq!(count(n), text);
        }
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(0, "step"), "0 steps");
        let cases = [
            (0.0, "0.0 ms"),
            (12.3, "12 ms"),
            (999.4, "999 ms"),
            (1234.0, "1.23 s"),
            (59_999.0, "1 min 0 s"),
            (245_000.0, "4 min 5 s"),
        ];
        for (n, text) in cases {
            assert_eq!(milliseconds(n), text);
        }
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(3 << 29), "1.5 GiB");
    }
}
