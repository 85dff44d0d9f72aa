//! Random C programs that compute with all arithmetic types, bit-fields, arrays and pointers, and
//! return a checksum.  No undefined behaviour but overflow and traps.

use std::fmt::Write as _;

use hardbop_base::random::Random;

const TYPES: &[&str] = &[
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "float",
    "double",
];
const FLOATS: usize = 11;
const FIELDS: &[(&str, &str)] = &[
    ("int", ": 5"),
    ("unsigned", ": 7"),
    ("signed char", ""),
    ("unsigned short", ": 11"),
    ("_Bool", ": 1"),
    ("long long", ": 20"),
    ("short", ""),
    ("unsigned", ": 32"),
    ("int", ": 1"),
    ("unsigned char", ": 3"),
];

pub struct Maker<'r> {
    random: &'r mut Random,
}

impl<'r> Maker<'r> {
    pub fn new(random: &'r mut Random) -> Self {
        Self { random }
    }

    /// A program.
    pub fn program(mut self) -> String {
        let mut out = String::from("extern int __VERIFIER_nondet_int(void);\n");
        // Writing to a String cannot fail.
        for (i, ty) in TYPES.iter().enumerate() {
            let value = self.constant(i >= FLOATS);
            let _ = writeln!(out, "{ty} v{i} = {value};");
        }
        out.push_str("struct s {");
        for (i, (ty, width)) in FIELDS.iter().enumerate() {
            let _ = write!(out, " {ty} f{i} {width};");
        }
        out.push_str(" } r = { 1, 2, 3 };\nint a[4] = { 5, 6 };\nunsigned short b[3];\n");
        out.push_str(
            "unsigned f(unsigned char x, short y, long long z) { return x * 3 + y * 5 + z; }\n",
        );
        out.push_str("struct s g(struct s x) { x.f0++; x.f7 -= x.f1; return x; }\n");
        out.push_str(
            "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  unsigned long long h = 0;\n",
        );
        out.push_str("  struct s t = r, *p = &t; int *q = a;\n");
        for _ in 0..self.random.range(4, 14) {
            self.statement(&mut out, 2);
        }
        for i in 0..TYPES.len() {
            let value = if i >= FLOATS {
                format!("(v{i} > -1e6 && v{i} < 1e6 ? (int)(v{i} * 16) : 7)")
            } else {
                format!("v{i}")
            };
            let _ = writeln!(out, "  h = h * 31 + {value};");
        }
        for i in 0..FIELDS.len() {
            let _ = writeln!(out, "  h = h * 31 + t.f{i} * 3 + r.f{i};");
        }
        out.push_str(
            "  h = h * 31 + a[0] + a[1] * 3 + a[2] * 5 + a[3] * 7 + b[0] + b[1] + b[2] + n + *q;\n",
        );
        out.push_str("  return (int)(h ^ h >> 32);\n}\n");
        out
    }

    fn constant(&mut self, float: bool) -> String {
        let small = self.random.below(300) as i64 - 150;
        match self.random.below(if float { 2 } else { 6 }) {
            0 if float => format!("{small}.25"),
            0..=2 => format!("{small}"),
            3 => format!("{}", self.random.bits() as i32),
            4 => format!("{}u", self.random.bits() as u32),
            _ => format!("{}LL", self.random.bits() as i64 / 3),
        }
    }

    /// Something that can be assigned to.
    fn place(&mut self) -> String {
        match self.random.below(10) {
            0..=4 => format!("v{}", self.random.below(TYPES.len())),
            5 => format!("t.f{}", self.random.below(FIELDS.len())),
            6 => format!("p->f{}", self.random.below(FIELDS.len())),
            7 => format!("a[{} & 3]", self.whole(1)),
            8 => format!("b[(unsigned){} % 3]", self.whole(1)),
            _ => format!("q[a + {} - q]", self.random.below(4)),
        }
    }

    /// An expression of an integer type.
    fn whole(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(15) {
            return match self.random.below(4) {
                0 => self.constant(false),
                1 => "n".to_owned(),
                2 => format!("t.f{}", self.random.below(FIELDS.len())),
                _ => format!("v{}", self.random.below(FLOATS)),
            };
        }
        let depth = depth - 1;
        let a = self.whole(depth);
        match self.random.below(16) {
            0 => format!("({a} + {})", self.whole(depth)),
            1 => format!("({a} - {})", self.whole(depth)),
            2 => format!("({a} * {})", self.whole(depth)),
            3 => format!("({a} / ({} | 1))", self.whole(depth)),
            4 => format!("({a} % ({} | 1))", self.whole(depth)),
            5 => format!("({a} << ({} & 7))", self.whole(depth)),
            6 => format!("({a} >> ({} & 15))", self.whole(depth)),
            7 => {
                let op = self.random.pick(&["&", "|", "^"]).unwrap_or("&");
                format!("({a} {op} {})", self.whole(depth))
            }
            8 => {
                let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]).unwrap_or("<");
                format!("({a} {op} {})", self.whole(depth))
            }
            9 => format!("({a} && {})", self.value(depth)),
            10 => format!("({a} || {})", self.value(depth)),
            11 => format!("({a} ? {} : {})", self.whole(depth), self.whole(depth)),
            12 => {
                let op = self.random.pick(&["-", "~", "!", "+"]).unwrap_or("-");
                format!("({op} {a})")
            }
            13 => format!("(({}){a})", TYPES[self.random.below(FLOATS)]),
            14 => format!("f({a}, {}, {})", self.whole(depth), self.whole(depth)),
            _ => format!("({} {} {})", self.value(depth), "<", self.value(depth)),
        }
    }

    /// An expression of any arithmetic type; floats stay in the range of `int` where they are
    /// converted.
    fn value(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(50) {
            return self.whole(depth);
        }
        let depth = depth - 1;
        match self.random.below(5) {
            0 => format!("v{}", FLOATS + self.random.below(2)),
            1 => format!("({} * 0.5f)", self.value(depth)),
            2 => format!("({} + v12)", self.value(depth)),
            3 => format!("(v11 - {})", self.value(depth)),
            _ => format!("((float){})", self.whole(depth)),
        }
    }

    fn statement(&mut self, out: &mut String, indent: usize) {
        let pad = " ".repeat(indent);
        let _ = match self.random.below(12) {
            0..=3 => writeln!(out, "{pad}{} = {};", self.place(), self.whole(3)),
            4 => {
                let op = self.random.pick(&["+=", "-=", "*="]).unwrap_or("+=");
                writeln!(out, "{pad}v{} {op} {};", self.random.below(FLOATS), self.whole(2))
            }
            5 => {
                let op = self.random.pick(&["&=", "|=", "^="]).unwrap_or("&=");
                writeln!(out, "{pad}t.f{} {op} {};", self.random.below(FIELDS.len()), self.whole(2))
            }
            6 => {
                let (before, behind) = self
                    .random
                    .pick(&[("++", ""), ("--", ""), ("", "++"), ("", "--")])
                    .unwrap_or(("", "++"));
                let target = format!("t.f{}", self.random.below(FIELDS.len()));
                let target = if self.random.chance(50) {
                    format!("v{}", self.random.below(10))
                } else {
                    target
                };
                writeln!(out, "{pad}v{} = {before}{target}{behind};", self.random.below(FLOATS))
            }
            7 => writeln!(out, "{pad}v{} = {};", FLOATS + self.random.below(2), self.value(3)),
            8 => {
                writeln!(out, "{pad}t = g({});", self.random.pick(&["t", "r", "*p"]).unwrap_or("t"))
            }
            9 => writeln!(out, "{pad}v{} <<= {} & 3;", self.random.below(10), self.whole(1)),
            10 if indent < 8 => {
                let condition = self.whole(2);
                let _ = writeln!(out, "{pad}if ({condition}) {{");
                self.statement(out, indent + 2);
                let _ = writeln!(out, "{pad}}} else {{");
                self.statement(out, indent + 2);
                writeln!(out, "{pad}}}")
            }
            11 if indent < 8 => {
                let condition = self.whole(1);
                let _ = writeln!(out, "{pad}switch ({condition}) {{ case 0: n++;");
                let _ = writeln!(out, "{pad}case 1: case -3:");
                self.statement(out, indent + 2);
                let _ = writeln!(out, "{pad}break; default:");
                self.statement(out, indent + 2);
                writeln!(out, "{pad}}}")
            }
            _ => writeln!(out, "{pad}{{ int k = {}; n = n * 3 + k; }}", self.whole(2)),
        };
    }
}
