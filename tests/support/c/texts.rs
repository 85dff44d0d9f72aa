//! Random programs that call functions of the C library on texts.  gcc's sanitizers say for all
//! inputs whether an access leaves an object, and what each probed value is.
//!
//! What a sanitizer does not see is not made: reads of what is uninitialised, copies within one
//! object.  An overflow from a member into the next is an error neither for it nor for hardbop.

use std::fmt::Write as _;

use hardbop_base::random::Random;

/// What all programs declare.
pub const HEAD: &str = "\
typedef unsigned long size_t;
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern void *malloc(size_t); extern void *calloc(size_t, size_t);
extern void *memset(void *, int, size_t); extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern int memcmp(const void *, const void *, size_t);
extern size_t strlen(const char *); extern size_t strnlen(const char *, size_t);
extern char *strcpy(char *, const char *); extern char *strncpy(char *, const char *, size_t);
extern char *strcat(char *, const char *); extern char *strncat(char *, const char *, size_t);
extern char *stpcpy(char *, const char *); extern size_t strlcpy(char *, const char *, size_t);
extern size_t strlcat(char *, const char *, size_t); extern char *strrchr(const char *, int);
extern void *memchr(const void *, int, size_t); extern int *wmemmove(int *, const int *, size_t);
extern int strcmp(const char *, const char *);
extern int strncmp(const char *, const char *, size_t);
extern int strcasecmp(const char *, const char *);
extern int strncasecmp(const char *, const char *, size_t); extern char *strchr(const char *, int);
extern int sprintf(char *, const char *, ...);
extern int snprintf(char *, size_t, const char *, ...);
extern int printf(const char *, ...); extern int puts(const char *);
extern size_t wcslen(const int *); extern int *wcscpy(int *, const int *);
extern int *wcsncpy(int *, const int *, size_t); extern int *wcscat(int *, const int *);
extern int *wcsncat(int *, const int *, size_t); extern int *wmemset(int *, int, size_t);
extern int *wmemcpy(int *, const int *, size_t);
";

/// A program, where a line `PROBE(k, value);` stands for a look at a value.
pub struct Made {
    pub text: String,
    pub probes: usize,
    /// How many inputs it has, each from 0 to 3.
    pub inputs: usize,
}

/// A pointer into an object.
#[derive(Clone)]
struct Place {
    text: String,
    /// The number of its object.
    object: usize,
    /// How many characters there are from it to the end of its array.
    room: usize,
}

struct Maker<'r> {
    random: &'r mut Random,
    /// Behind the names of what is global, so that several programs may be one.
    number: usize,
    globals: String,
    body: String,
    places: Vec<Place>,
    wide: Vec<Place>,
    objects: usize,
    inputs: usize,
    probes: usize,
}

/// So many programs.
pub fn programs(random: &mut Random, count: usize) -> Vec<Made> {
    let made = |number| {
        let (globals, body) = (String::new(), String::new());
        let (places, wide, inputs) = (vec![], vec![], random.below(3));
        let (objects, probes) = (0, 0);
        Maker { random, number, globals, body, places, wide, objects, inputs, probes }.program()
    };
    (0..count).map(made).collect()
}

impl Maker<'_> {
    fn program(mut self) -> Made {
        for name in ["n", "m"].into_iter().take(self.inputs) {
            let _ = writeln!(self.body, "  int {name} = __VERIFIER_nondet_int();");
            let _ = writeln!(self.body, "  if ({name} < 0 || {name} > 3) return 0;");
        }
        for _ in 0..self.random.range(2, 4) {
            self.object();
        }
        self.wide_object();
        self.wide_object();
        if self.random.chance(50) {
            self.pointer();
        }
        for _ in 0..self.random.range(1, 5) {
            let statement = self.statement(1);
            let _ = writeln!(self.body, "  {statement}");
        }
        let probe = self.probe();
        let text = format!(
            "{HEAD}{}int main(void) {{\n{}  {probe}\n  return 0;\n}}\n",
            self.globals, self.body
        );
        Made { text, probes: self.probes, inputs: self.inputs }
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.random.below(all.len())]
    }

    /// Letters between quotes.
    fn literal(&mut self, most: usize) -> String {
        let letters = (0..self.random.below(most + 1)).map(|_| self.pick(&["a", "b", "A", "c"]));
        format!("\"{}\"", letters.collect::<String>())
    }

    /// A new object of characters.
    fn object(&mut self) {
        let (id, number) = (self.objects, self.number);
        self.objects += 1;
        let size = match self.random.below(4) {
            0 => self.random.range(20, 30),
            _ => self.random.range(2, 9),
        };
        let text = self.literal(size.min(6) - 1);
        // All of its characters, without a zero, where it is small.
        let init = match self.random.chance(15) && size < 9 {
            true => format!("{{ {} }}", vec!["'b'"; size].join(", ")),
            false => text.clone(),
        };
        let mut places = vec![];
        let mut add = |text: String, room| places.push(Place { text, object: id, room });
        match self.random.below(6) {
            0 => {
                let _ = writeln!(self.globals, "char g{number}_{id}[{size}] = {init};");
                add(format!("g{number}_{id}"), size);
            }
            1 => {
                let _ = writeln!(self.body, "  char *h{id} = calloc({size}, 1);");
                add(format!("h{id}"), size);
            }
            2 => {
                let end = self.random.below(size + 1);
                let _ = write!(self.body, "  char *h{id} = malloc({size}); ");
                let _ = write!(self.body, "memset(h{id}, 'a', {size});");
                let _ = match end < size {
                    true => writeln!(self.body, " h{id}[{end}] = 0;"),
                    false => writeln!(self.body),
                };
                add(format!("h{id}"), size);
            }
            3 => {
                let more = 4 * self.random.below(2) + 4;
                let _ = writeln!(
                    self.globals,
                    "struct s{number}_{id} {{ char a[4]; int x; char b[{more}]; }};"
                );
                let second = self.literal(3);
                let init = format!("{{ {}, 7, {second} }}", self.literal(3));
                let _ =
                    writeln!(self.body, "  struct s{number}_{id} s{id} = {init}, *r{id} = &s{id};");
                add(format!("s{id}.a"), 4);
                add(format!("r{id}->b"), more);
            }
            4 => {
                let _ = writeln!(self.globals, "union u{number}_{id} {{ char c[8]; int i[2]; }};");
                let _ = writeln!(self.body, "  union u{number}_{id} u{id} = {{ {text} }};");
                add(format!("u{id}.c"), 8);
                add(format!("(char *)&u{id}.i[1]"), 4);
            }
            _ => {
                let _ = writeln!(self.body, "  char l{id}[{size}] = {init};");
                add(format!("l{id}"), size);
            }
        }
        self.places.extend(places);
    }

    fn wide_object(&mut self) {
        let id = self.objects;
        self.objects += 1;
        let room = self.random.range(2, 6);
        let mut all: Vec<String> = (0..room).map(|i| (i + 1).to_string()).collect();
        if self.random.chance(85) {
            all[self.random.below(room)] = "0".to_owned();
        }
        let _ = writeln!(self.body, "  int w{id}[{room}] = {{ {} }};", all.join(", "));
        self.wide.push(Place { text: format!("w{id}"), object: id, room });
    }

    /// A variable that points into an object, and perhaps nowhere.
    fn pointer(&mut self) {
        let place = self.place();
        let name = format!("p{}", self.body.len());
        let text = match self.inputs > 0 && self.random.chance(25) {
            true => {
                let value = self.random.below(6);
                format!("n == {value} ? 0 : {}", place.text)
            }
            false => place.text,
        };
        let _ = writeln!(self.body, "  char *{name} = {text};");
        self.places.push(Place { text: name, ..place });
    }

    /// A pointer, perhaps not to the start.
    fn place(&mut self) -> Place {
        let place = self.places[self.random.below(self.places.len())].clone();
        let can_move = !place.text.starts_with('p');
        if can_move && self.random.chance(12) && self.inputs > 0 && place.room > 3 {
            return Place { text: format!("({} + n)", place.text), room: place.room - 1, ..place };
        }
        if can_move && self.random.chance(20) {
            let by = self.random.below(place.room.min(4));
            return Place {
                text: format!("({} + {by})", place.text),
                room: place.room - by,
                ..place
            };
        }
        place
    }

    /// A text to read that is not in this object.
    fn source(&mut self, object: usize, room: usize) -> String {
        for _ in 0..3 {
            let place = self.place();
            if place.object != object && self.random.chance(60) {
                return place.text;
            }
        }
        let most = if self.random.chance(85) { room.clamp(1, 6) - 1 } else { room.min(6) };
        self.literal(most)
    }

    /// A number of characters, near what there is room for.
    fn size(&mut self, room: usize) -> String {
        match self.random.below(8) {
            0 if self.inputs > 0 => "n".to_owned(),
            1 if self.inputs > 1 => "n + m".to_owned(),
            2 => "0".to_owned(),
            3 if self.inputs > 0 => format!("{room} - n"),
            4 => (room + 1).to_string(),
            5 => room.to_string(),
            _ => self.random.below(room + 1).to_string(),
        }
    }

    /// An `int`.
    fn number(&mut self) -> String {
        match self.random.below(9) {
            0..=2 if self.inputs > 0 => {
                self.pick(&["n", "n - 2", "n * 100", "(char)(n - 1)", "(short)-n"]).to_owned()
            }
            0 => "(-2147483647 - 1)".to_owned(),
            1 => "2147483647".to_owned(),
            2 => "(signed char)-3".to_owned(),
            3 => format!("-{}", self.random.below(2000)),
            4 => "0".to_owned(),
            _ => self.random.below(30).to_string(),
        }
    }

    /// A format, and its arguments behind a comma each; no text of this object.
    fn format(&mut self, object: usize, room: usize) -> String {
        let (mut format, mut arguments) = (String::new(), String::new());
        for _ in 0..self.random.range(1, 3) {
            let (directive, argument) = match self.random.below(16) {
                0..=2 => ("%s", self.source(object, room)),
                3 if self.inputs > 0 && self.random.chance(40) => {
                    ("%.*s", format!("n - 1, {}", self.source(object, 4)))
                }
                3 => ("%.2s", self.source(object, 4)),
                4 => (self.pick(&["%5s", "%-3s", "%4.1s"]), self.source(object, room)),
                5 => ("%c", self.pick(&["'x'", "'a' + 1", "0"]).to_owned()),
                6 | 7 => (self.pick(&["%d", "%i"]), self.number()),
                8 => (self.pick(&["%u", "%x", "%o", "%X"]), self.number()),
                9 => ("%u", self.pick(&["3000000000u", "5u"]).to_owned()),
                10 => (self.pick(&["%hd", "%hhx", "%hhu", "%hi"]), self.number()),
                11 => (self.pick(&["%3d", "%02x", "%-4d", "%+d", "%.2d", "%05d"]), self.number()),
                12 => {
                    let value = self.pick(&["-5L", "70000L", "(long)-1"]);
                    (self.pick(&["%ld", "%lu", "%lx"]), value.to_owned())
                }
                13 => {
                    let least = "(-9223372036854775807LL - 1)";
                    let value = self.pick(&[least, "9223372036854775807LL", "-1LL", "0LL"]);
                    (self.pick(&["%lld", "%llx", "%llu"]), value.to_owned())
                }
                14 => ("%zu", "sizeof(int)".to_owned()),
                _ => {
                    format.push_str(self.pick(&["%%", "a", "-", "bc"]));
                    continue;
                }
            };
            format.push_str(directive);
            let _ = write!(arguments, ", {argument}");
        }
        format!("\"{format}\"{arguments}")
    }

    fn condition(&mut self) -> String {
        match self.inputs {
            0 => "1".to_owned(),
            _ => {
                let compared = self.pick(&["==", "<", "!=", ">"]);
                format!("n {compared} {}", self.random.below(4))
            }
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        let Place { text: to, object, room } = self.place();
        let from = self.source(object, room);
        let size = self.size(room);
        match self.random.below(22) {
            0 | 1 => format!("strcpy({to}, {from});"),
            2 => format!("strncpy({to}, {from}, {size});"),
            3 => format!("strcat({to}, {from});"),
            4 => format!("strncat({to}, {from}, {size});"),
            5 => format!("*stpcpy({to}, {from}) = 'z';"),
            6 => self.look(&format!("strlcpy({to}, {from}, {size})")),
            7 | 8 => {
                let format = self.format(object, room);
                self.look(&format!("sprintf({to}, {format})"))
            }
            9 | 10 => {
                let format = self.format(object, room);
                self.look(&format!("snprintf({to}, {size}, {format})"))
            }
            19 => self.look(&format!("strlcat({to}, {from}, {size})")),
            20 => {
                let condition = self.condition();
                let pointer =
                    format!("char *(*f)(char *, const char *) = {condition} ? strcpy : strcat;");
                format!("{{ {pointer} f({to}, {from}); }}")
            }
            11 => match self.random.chance(50) {
                true => format!("printf({});", self.format(usize::MAX, 5)),
                false => format!("puts({to});"),
            },
            12 => format!("memset({to}, {}, {size});", self.pick(&["0", "'a'"])),
            13 => {
                let size = self.random.below(3).to_string();
                format!("memcpy({to}, {from}, {size});")
            }
            14 => {
                let other = self.place();
                // The exploration of values takes long for more characters at an unknown place
                // of the object that they come from.
                let is_known = other.object != object || !to.starts_with('p');
                let size = match is_known {
                    true => self.size(room.min(other.room)),
                    false => "1".to_owned(),
                };
                format!("memmove({to}, {}, {size});", other.text)
            }
            15 => {
                let at = self.random.below(room);
                format!("({to})[{at}] = {};", self.pick(&["0", "'a'", "'c'"]))
            }
            16 => self.wide_statement(),
            17 if depth > 0 => {
                format!("if ({}) {{ {} }}", self.condition(), self.statement(depth - 1))
            }
            18 if depth > 0 => {
                let times = if self.inputs > 0 { "n" } else { "2" };
                let statement = self.statement(depth - 1);
                format!("for (int i = 0; i < {times}; i++) {{ {statement} }}")
            }
            _ => self.probe(),
        }
    }

    fn wide_statement(&mut self) -> String {
        let (to, from) = match self.random.chance(50) {
            true => (self.wide[0].clone(), self.wide[1].clone()),
            false => (self.wide[1].clone(), self.wide[0].clone()),
        };
        let size = self.size(to.room);
        let (to, from) = (to.text, from.text);
        match self.random.below(9) {
            0 => format!("wcscpy({to}, {from});"),
            1 => format!("wcsncpy({to}, {from}, {size});"),
            2 => format!("wcscat({to}, {from});"),
            3 => format!("wcsncat({to}, {from}, {size});"),
            4 => format!("wmemset({to}, 5, {size});"),
            5 => format!("wmemcpy({to}, {from}, 2);"),
            6 => format!("wmemmove({to}, {to} + 1, {size});"),
            _ => self.look(&format!("wcslen({to})")),
        }
    }

    fn look(&mut self, value: &str) -> String {
        self.probes += 1;
        format!("PROBE({}, {value});", self.probes - 1)
    }

    /// A look at a text.
    fn probe(&mut self) -> String {
        let Place { text: a, room, .. } = self.place();
        let b = self.source(usize::MAX, 4);
        let size = self.size(room);
        let value = match self.random.below(14) {
            12 => format!("strrchr({a}, 'b') == {a} + 1"),
            13 => format!("memchr({a}, 0, {size}) != 0"),
            0..=2 => format!("strlen({a})"),
            3 => format!("strnlen({a}, {size})"),
            4 => format!("strcmp({a}, {b}) == 0"),
            5 => format!("strncmp({a}, {b}, {size}) < 0"),
            6 => format!("strcasecmp({a}, {b}) == 0"),
            7 => format!("strncasecmp({a}, {b}, {size}) > 0"),
            8 => format!("strchr({a}, {}) != 0", self.pick(&["'a'", "'z'", "0"])),
            9 => format!("memcmp({a}, {b}, 2) == 0"),
            _ => format!("({a})[{}]", self.random.below(room)),
        };
        self.look(&value)
    }
}
