//! `slam-regression`: as many small units as the size, one for each kind of statement in turn.
//!
//! *Safe*: in each unit an assertion follows from the semantics of the statement.  *Unsafe*: in one
//! of them it does not.  Before each unit the globals get arbitrary values, so every unit can be
//! reached and left, and fails for some of the values if its assertion is wrong.

use super::options::FamilyOptions;
use super::writer::Writer;
use hardbop_base::random::Random;

pub(super) const WRITER: Writer = Writer { sizes: 1..=10_000, write };

const GLOBALS: [&str; 4] = ["g0", "g1", "g2", "g3"];

/// The units: `#` is the number of the unit, `$a` to `$c` are different globals, and
/// `«right»wrong»` is where safe and unsafe programs differ.
const UNITS: [&str; 20] = [
    // Labels and `skip`.
    "void unit#() begin $a := T; First: Second: skip; assert(«$a»!$a»); end",
    // Assignments are parallel.
    "void unit#() begin
       decl x, y;
       x, y := $a, $b;
       $a, $b := $b, $a;
       assert(($a = y) & ($b = «x»y»));
     end",
    // `constrain` sees the values before and after.
    "void unit#() begin
       $a, $b := *, * constrain («'$a != '$b»'$a | '$b»);
       assert($a != $b);
     end",
    "void unit#() begin
       decl x;
       x := $a;
       $a := * constrain ('$a = «!$a»$b»);
       assert(x != $a);
     end",
    // Values are returned in order, and `_` drops one.
    "bool<2> both#(p, q) begin return p & q, p | q; end
     void unit#() begin
       decl x, y;
       x, _ := both#($a, $b);
       _, y := both#($a, $b);
       assert(«x => y»y => x»);
     end",
    "void unit#() begin $a, $b := *, *; assume(«$a & $b»$a | $b»); assert($a = $b); end",
    "void unit#() begin if (!$a) then abortif («$a»$b»); fi; end",
    "void unit#() begin
       decl x;
       enforce («x => $a»x | $a»);
       x := *;
       assert(x => $a);
     end",
    "void unit#() begin
       decl x;
       if ($a) then x := T; elsif ($b) then x := «T»F»; else x := F; fi;
       assert(x = ($a | $b));
     end",
    "void unit#() begin
       decl found;
       found := F;
       while («!found»!found & *») do found := $a | *; od;
       assert(found);
     end",
    "void unit#() begin
       goto Left, Right;
       Left: $a := T; goto Done;
       Right: $a := «!F»F»;
       Done: assert($a);
     end",
    // A jump into a block.
    "void unit#() begin
       $a := F;
       goto Inside;
       while (*) do Inside: $a := T; od;
       assert(«$a»!$a»);
     end",
    "bool early#(p) begin if (p) then return T; fi; return «F»*»; end
     void unit#() begin $b := early#($a); assert($a = $b); end",
    // Falling off the end returns arbitrary values.
    "bool open#(p) begin if (p) then return T; fi; end
     void unit#() begin $b := open#(«T»$a»); assert($b); end",
    // `dead`, and `decl` in a body.
    "void unit#() begin
       decl x;
       x := T;
       while (*) do decl y; y := x; dead y; od;
       «skip»dead x»;
       assert(x);
     end",
    "void unit#() begin
       print($a, $b);
       $c := schoose[$a, «!$a»$b»];
       assert($c = $a);
     end",
    // Quoted names, and `dfs`.
    "dfs void unit#() begin
       decl {x#==0}, {x#>=0};
       {x#==0}, {x#>=0} := *, * constrain ('{x#==0} => '{x#>=0});
       assert(«{x#==0} => {x#>=0}»{x#>=0} => {x#==0}»);
     end",
    // Recursion.
    "void even#() begin if (*) then $a := !$a; odd#(); fi; end
     void odd#() begin $a := !$a; even#(); end
     void unit#() begin decl x; x := $a; «even#»odd#»(); assert(x = $a); end",
    // Each activation has its own locals, and parameters are passed by value.
    "void nested#(p) begin
       decl x;
       x := p;
       if (*) then nested#(!p); fi;
       p := !p;
       assert(x = «!p»p»);
     end
     void unit#() begin nested#($a); end",
    "void unit#() begin $a := «F»*»; if ($a) then ERROR: skip; fi; end",
];

fn write(options: &FamilyOptions, random: &mut Random) -> String {
    let first = random.below(UNITS.len());
    let wrong = options.bug.then(|| random.below(options.size));
    let mut text = format!("decl {};\n", GLOBALS.join(", "));
    let mut main = String::new();
    for i in 0..options.size {
        let mut unit = UNITS[(first + i) % UNITS.len()].replace('#', &i.to_string());
        let globals = random.sample(&GLOBALS, 3);
        for (variable, global) in ["$a", "$b", "$c"].into_iter().zip(globals) {
            unit = unit.replace(variable, global);
        }
        text.push_str(&chosen(&unit, wrong == Some(i)));
        text.push('\n');
        main.push_str(&format!("{} := *, *, *, *;\nunit{i}();\n", GLOBALS.join(", ")));
    }
    format!("{text}void main() begin {main} end")
}

/// The unit with its right or its wrong alternative.
fn chosen(unit: &str, wrong: bool) -> String {
    let mut parts = unit.split(['«', '»']);
    let mut next = || parts.next().unwrap_or("");
    let (before, right, other, after) = (next(), next(), next(), next());
    format!("{before}{}{after}", if wrong { other } else { right })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_has_one_place_that_differs() {
        for unit in UNITS {
            assert_eq!(unit.split(['«', '»']).count(), 4, "{unit}");
            assert_ne!(chosen(unit, false), chosen(unit, true), "{unit}");
        }
    }
}
