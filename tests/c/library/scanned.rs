//! `sscanf` on texts that are known: what gcc's library reads.

use std::fmt::Write;

use hardbop_base::random::Random;

use crate::support::c::computed::return_what_gcc_computes;

const START: &str = "int sscanf(const char *, const char *, ...); void *memcpy(void *, const void *, unsigned long);
    static unsigned long long bits(double d) { unsigned long long x; memcpy(&x, &d, 8); return x; }
";
/// Conversions, with the variable that each stores to.
const CONVERSIONS: [(&str, &str); 12] = [
    ("%d", "&n"),
    ("%3d", "&n"),
    ("%i", "&n"),
    ("%u", "&n"),
    ("%o", "&n"),
    ("%ld", "&l"),
    ("%lf", "&d"),
    ("%c", "&t[1]"),
    ("%5s", "t"),
    ("%4[a-c1]", "t"),
    ("%4[^ ,]", "t"),
    ("%*c", ""),
];
const PIECES: [&str; 16] =
    ["12", "-7", " ", "abc", ",", "0", "3.5", "+4", "077", "x", "  9", "1e2", "-", "b1c", "%", "."];

#[test]
fn what_the_library_reads() {
    let mut random = Random::new(11);
    let mut text = String::new();
    let count = 150;
    for i in 0..count {
        let mut read = String::new();
        for _ in 0..random.range(0, 5) {
            read.push_str(PIECES[random.below(PIECES.len())]);
        }
        let (mut format, mut to) = (String::new(), String::new());
        for _ in 0..random.range(1, 4) {
            let (conversion, target) = CONVERSIONS[random.below(CONVERSIONS.len())];
            format.push_str(conversion);
            format.push_str(["", " ", ",", "%%", "x"][random.weighted(&[4, 2, 2, 1, 1])]);
            if !target.is_empty() {
                let _ = write!(to, ", {target}");
            }
        }
        let _ = writeln!(
            text,
            "unsigned long long f{i}(void) {{ int n = -5; long l = 6; double d = 0.5; char t[8] = \"zzzzzz\";
             int r = sscanf(\"{read}\", \"{format}\"{to}); unsigned long long h = r * 31 + n;
             h = h * 31 + l; h = h * 31 + bits(d); for (int i = 0; i < 8; i++) h = h * 31 + t[i]; return h; }}"
        );
    }
    return_what_gcc_computes(START, &text, count, &["-fno-builtin"]);
}
