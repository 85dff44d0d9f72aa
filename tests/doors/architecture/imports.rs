//! Reads what a source file imports: the paths that it names, and the files that they lead to.

use std::collections::{BTreeMap, BTreeSet};

/// The text without comments.
pub fn without_comments(text: &str) -> String {
    text.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The paths of two or more names in a text without comments; groups (`a::{b, c}`) are taken apart.
pub fn paths(code: &str) -> Vec<Vec<String>> {
    let mut reader = Reader { rest: code, found: vec![] };
    while let Some(c) = reader.rest.chars().next() {
        if is_name(c) {
            reader.tree(&[]);
        } else {
            // What comes behind `::` belongs to something else, `$crate` to another crate.
            let is_inside = reader.rest.starts_with("::") || c == '$';
            reader.rest = &reader.rest[if c == ':' && is_inside { 2 } else { c.len_utf8() }..];
            if is_inside {
                reader.rest = reader.rest.trim_start_matches(is_name);
            }
        }
    }
    reader.found
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

struct Reader<'a> {
    rest: &'a str,
    found: Vec<Vec<String>>,
}

impl Reader<'_> {
    /// A name, and the path or the group that goes on from it.
    fn tree(&mut self, prefix: &[String]) {
        let mut path = prefix.to_vec();
        loop {
            let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
            path.push(self.rest[..end].to_owned());
            self.rest = &self.rest[end..];
            match self.rest.strip_prefix("::") {
                Some(rest) if rest.starts_with('{') => {
                    self.rest = &rest[1..];
                    return self.group(&path);
                }
                Some(rest) if rest.starts_with(is_name) => self.rest = rest,
                _ => break,
            }
        }
        if path.len() > 1 {
            self.found.push(path);
        }
    }

    /// The members of a group, up to its end.
    fn group(&mut self, prefix: &[String]) {
        while let Some(c) = self.rest.chars().next() {
            if is_name(c) {
                self.tree(prefix);
                // A member's other name.
                if let Some(rest) = self.rest.strip_prefix(" as ") {
                    self.rest = rest.trim_start_matches(is_name);
                }
            } else {
                self.rest = &self.rest[c.len_utf8()..];
                if c == '}' {
                    return;
                }
            }
        }
    }
}

/// The files of a crate by what they import.
pub struct Imports {
    /// Files, without their unit tests, by the files that they import.
    pub of: BTreeMap<String, BTreeSet<String>>,
}

impl Imports {
    /// `files` are those of a crate: names below the crate's folder, and texts.
    pub fn new(files: &[(String, String)]) -> Self {
        let modules: BTreeMap<Vec<String>, &String> =
            files.iter().map(|(name, _)| (module(name), name)).collect();
        let mut of = BTreeMap::new();
        for (name, text) in files {
            let code = without_comments(text);
            let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
            let here = module(name);
            let found = paths(code).into_iter().filter_map(|p| resolve(p, &here, &modules));
            of.insert(name.clone(), found.filter(|f| f != name).collect());
        }
        Self { of }
    }

    /// The circles of more than one file among some files.
    pub fn circles(&self, among: &[String]) -> Vec<Vec<String>> {
        let mut reached: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
        for start in among {
            let (mut seen, mut work) = (BTreeSet::new(), vec![start]);
            while let Some(file) = work.pop() {
                let next = self.of.get(file).into_iter().flatten();
                work.extend(next.filter(|f| among.contains(f) && seen.insert(*f)));
            }
            reached.insert(start, seen);
        }
        let mut circles = BTreeSet::new();
        for start in among {
            let back =
                among.iter().filter(|f| reached[start].contains(f) && reached[f].contains(start));
            let circle: Vec<String> = back.cloned().collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }
}

/// The module that a file is.
fn module(name: &str) -> Vec<String> {
    let parts = name.trim_end_matches(".rs").split('/').map(str::to_owned);
    let mut parts: Vec<String> = parts.collect();
    if parts.last().is_some_and(|l| l == "mod") || parts == ["lib"] || parts == ["main"] {
        parts.pop();
    }
    parts
}

/// The file of the crate that a path in the module `here` leads into.
fn resolve(
    mut path: Vec<String>,
    here: &[String],
    modules: &BTreeMap<Vec<String>, &String>,
) -> Option<String> {
    let mut base = match path[0].as_str() {
        "crate" => vec![],
        "self" | "super" => here.to_vec(),
        // A child of this module, or another crate.
        first => {
            let child = [here, &[first.to_owned()]].concat();
            modules.get(&child)?;
            path.insert(0, "self".to_owned());
            here.to_vec()
        }
    };
    for name in path {
        match name.as_str() {
            "crate" | "self" => {}
            "super" => drop(base.pop()),
            _ => base.push(name),
        }
    }
    while !modules.contains_key(&base) {
        base.pop()?;
    }
    Some(modules[&base].clone())
}

#[test]
fn the_reader_of_imports_reads() {
    let names = |text: &str| {
        paths(&without_comments(text)).iter().map(|p| p.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(
        names("use crate::a::{b::{c, d as e}, f};"),
        ["crate::a::b::c", "crate::a::b::d", "crate::a::f"]
    );
    assert_eq!(names("// crate::cli\nlet x = super::f::g::<T>(y);"), ["super::f::g"]);
    assert_eq!(names("$crate::x::y(); ::std::z; Some(1)"), [""; 0]);
}

#[test]
fn circles_are_found() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let files = [
        file("lib.rs", "mod a;"),
        file("a/mod.rs", "mod b; pub use b::B; use crate::c::C;"),
        file("a/b.rs", "use super::A;\n#[cfg(test)]\nmod tests { use crate::c::C; }"),
        file("c.rs", "use self::nothing; fn f() { crate::a::b::g() }"),
    ];
    let imports = Imports::new(&files);
    let of = |name: &str| imports.of[name].iter().cloned().collect::<Vec<_>>();
    assert_eq!(of("a/mod.rs"), ["a/b.rs", "c.rs"]);
    assert_eq!(of("a/b.rs"), ["a/mod.rs"]);
    assert_eq!(of("c.rs"), ["a/b.rs"]);
    let names = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect::<Vec<_>>();
    assert_eq!(imports.circles(&names(&["a/b.rs", "a/mod.rs"])), [names(&["a/b.rs", "a/mod.rs"])]);
    assert_eq!(imports.circles(&names(&["a/b.rs", "lib.rs"])), [names(&[]); 0]);
}
