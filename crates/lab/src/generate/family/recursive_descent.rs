//! `recursive-descent`: a parser of expressions with as many levels of precedence as the size.
//! Tokens are arbitrary; parentheses lead from the innermost level back to the outermost, and are
//! counted modulo 8.
//!
//! *Safe*: every procedure leaves the count as it found it, by induction over the calls.  *Unsafe*:
//! at a count of 7, a missing closing parenthesis is not compensated for, which takes seven nested
//! parentheses, each with calls through all levels.

use std::fmt::Write as _;

use super::options::FamilyOptions;
use super::writer::Writer;
use hardbop_base::random::Random;

pub(super) const WRITER: Writer = Writer { sizes: 1..=10_000, write };

/// Tokens are encoded in two bits: an operand is neither of these.
const OPENING: &str = "!high & low";
const CLOSING: &str = "high & !low";
const OPERATOR: &str = "high & low";

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let missing = if options.bug {
        "if (!(count2 & count1 & count0)) then closed(); fi;"
    } else {
        "closed();"
    };
    let mut text = format!(
        "decl high, low;
         decl count2, count1, count0;
         void next() begin high, low := *, *; end
         void opened() begin
           count2, count1, count0 := count2 ^ (count1 & count0), count1 ^ count0, !count0;
         end
         void closed() begin
           count2, count1, count0 := count2 ^ (!count1 & !count0), count1 ^ !count0, !count0;
         end
         void atom() begin
           decl even;
           if ({OPENING}) then
             even := !count0;
             opened();
             next();
             level0();
             if ({CLOSING}) then next(); closed(); else {missing} fi;
             assert(even = !count0);
           else
             next();
           fi;
         end
         "
    );
    for i in 0..options.size {
        let below =
            if i + 1 < options.size { format!("level{}", i + 1) } else { "atom".to_owned() };
        // Left-associative operators make loops, right-associative ones recursion.
        let rest = match random.below(2) {
            0 => format!("while ({OPERATOR}) do next(); {below}(); od;"),
            _ => format!("if ({OPERATOR}) then next(); level{i}(); fi;"),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "void level{i}() begin {below}(); {rest} end");
    }
    text + "void main() begin
              count2, count1, count0 := F, F, F;
              next();
              level0();
              assert(!count2 & !count1 & !count0);
            end"
}
