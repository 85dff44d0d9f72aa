//! Reads witnesses from YAML.

use super::content::{
    Content, Expression, Head, Invariant, Place, Segment, Task, Waypoint, Witness,
};
use crate::reader::{Reader, find, first, scalar};
use crate::yaml::{self, Node, Value};
use hardbop_base::source::{Diagnostic, Span};
use hardbop_c::instrument::{Branch, WaypointKind};
use hardbop_c::types::DataModel;

/// The version of the format that is read.
const VERSION: &str = "2.0";

impl Witness {
    /// Reads a witness. What does not affect its meaning is ignored.
    ///
    /// # Errors
    /// Mistakes, and parts of the format that are not supported, each with its place.
    pub fn parse(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let document = yaml::parse(text).map_err(|error| vec![error])?;
        let mut reader = WitnessReader { base: Reader::default(), text };
        let witness = reader.witness(&document);
        match witness {
            Some(witness) if reader.base.problems.is_empty() => Ok(witness),
            _ => Err(reader.base.problems),
        }
    }
}

struct WitnessReader<'t> {
    base: Reader,
    text: &'t str,
}

/// The entries of a mapping.
type Entries<'n> = &'n [(Node, Node)];

impl WitnessReader<'_> {
    fn witness(&mut self, document: &Node) -> Option<Witness> {
        let Value::Sequence(entries) = &document.value else {
            let hint = "a witness is a list: it begins with '- entry_type: invariant_set' or 'violation_sequence'";
            self.base.syntax(document.span, "this is not a witness", hint);
            return None;
        };
        let mut heads = Vec::new();
        let mut content: Option<Content> = None;
        for entry in entries {
            let Some((head, new)) = self.entry(entry) else { continue };
            heads.push(head);
            content = match (content.take(), new) {
                (None, new) => Some(new),
                (Some(Content::Invariants(mut all)), Content::Invariants(more)) => {
                    all.extend(more);
                    Some(Content::Invariants(all))
                }
                (Some(before), _) => {
                    let message = "this entry is one more than is supported";
                    let hint = "one 'violation_sequence', or any number of 'invariant_set'";
                    self.base.unsupported(entry.span, message, hint);
                    Some(before)
                }
            };
        }
        if entries.is_empty() {
            self.base.syntax(document.span, "the witness has no entries", "");
        }
        Some(Witness { heads, content: content?, notes: vec![] })
    }

    fn mapping<'n>(&mut self, node: &'n Node, what: &str) -> Option<Entries<'n>> {
        let Value::Mapping(entries) = &node.value else {
            self.base.syntax(node.span, &format!("{what} has keys and values"), "");
            return None;
        };
        self.base.unique(entries);
        Some(entries)
    }

    fn sequence<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n [Node]> {
        match &node.value {
            Value::Sequence(all) => Some(all),
            _ => {
                self.base.syntax(node.span, &format!("{what} is a list"), "");
                None
            }
        }
    }

    /// The value of a key that has to be there.
    fn needed<'n>(&mut self, entries: Entries<'n>, around: &Node, key: &str) -> Option<&'n Node> {
        let found = find(entries, key);
        if found.is_none() {
            let message = format!("'{key}' is missing");
            self.base.syntax(first(entries, around), &message, "");
        }
        found
    }

    /// The only value of a key, in a list of mappings such as `- segment: ...`.
    fn only<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n Node> {
        let entries = self.mapping(node, "this")?;
        if let Some((other, _)) = entries.iter().find(|(k, _)| scalar(k) != Some(key)) {
            let what = scalar(other).unwrap_or("this");
            let message = format!("'{what}' is not supported here");
            self.base.unsupported(other.span, &message, &format!("'{key}' is"));
            return None;
        }
        self.needed(entries, node, key)
    }

    fn entry(&mut self, node: &Node) -> Option<(Head, Content)> {
        let entries = self.mapping(node, "an entry")?;
        let kind = self.needed(entries, node, "entry_type");
        let head = self.needed(entries, node, "metadata").and_then(|m| self.head(m));
        let content = self.needed(entries, node, "content");
        let kind = kind?;
        let content = match scalar(kind) {
            Some("invariant_set") => Content::Invariants(self.invariants(content?)?),
            Some("violation_sequence") => Content::Violation(self.segments(content?)?),
            _ => {
                let what = scalar(kind).unwrap_or("this");
                let message = format!("entries of type '{what}' are not supported");
                let hint = "'invariant_set' and 'violation_sequence' are";
                self.base.unsupported(kind.span, &message, hint);
                return None;
            }
        };
        Some((head?, content))
    }

    fn head(&mut self, node: &Node) -> Option<Head> {
        let entries = self.mapping(node, "'metadata'")?;
        let version = self.needed(entries, node, "format_version")?;
        if scalar(version) != Some(VERSION) {
            let message = format!("this version of the format is not supported: {VERSION} is");
            self.base.unsupported(version.span, &message, "");
        }
        let producer = find(entries, "producer").and_then(|p| match &p.value {
            Value::Mapping(entries) => find(entries, "name").and_then(scalar).map(str::to_owned),
            _ => None,
        });
        let task = match find(entries, "task") {
            Some(task) => self.task(task)?,
            None => Task::default(),
        };
        Some(Head { producer, task })
    }

    fn task(&mut self, node: &Node) -> Option<Task> {
        let entries = self.mapping(node, "'task'")?;
        if let Some(language) = find(entries, "language")
            && scalar(language) != Some("C")
        {
            let hint = "witnesses of programs in C ('language: C') are";
            self.base.unsupported(language.span, "this language is not supported", hint);
        }
        let mut hashes = Vec::new();
        if let Some(all) = find(entries, "input_file_hashes") {
            for (file, hash) in self.mapping(all, "'input_file_hashes'")? {
                let file = self.base.text(file, "the name of a file");
                let hash = self.base.text(hash, "a hash");
                hashes.extend(file.zip(hash));
            }
        }
        let specification = match find(entries, "specification") {
            Some(text) => self.base.text(text, "a property"),
            None => None,
        };
        let model = match find(entries, "data_model") {
            Some(node) => match scalar(node) {
                Some("ILP32") => Some(DataModel::Ilp32),
                Some("LP64") => Some(DataModel::Lp64),
                _ => {
                    let hint = "'ILP32' and 'LP64' are";
                    self.base.unsupported(node.span, "this data model is not supported", hint);
                    None
                }
            },
            None => None,
        };
        Some(Task { hashes, specification, model })
    }

    fn invariants(&mut self, content: &Node) -> Option<Vec<Invariant>> {
        let all = self.sequence(content, "'content'")?;
        let all: Vec<Option<Invariant>> = all.iter().map(|node| self.invariant(node)).collect();
        Some(all.into_iter().flatten().collect())
    }

    fn invariant(&mut self, node: &Node) -> Option<Invariant> {
        let node = self.only(node, "invariant")?;
        let entries = self.mapping(node, "an invariant")?;
        let kind = self.needed(entries, node, "type")?;
        let of_loop = match scalar(kind) {
            Some("loop_invariant") => true,
            Some("location_invariant") => false,
            _ => {
                let what = scalar(kind).unwrap_or("this");
                let message = format!("invariants of type '{what}' are not supported");
                let hint = "'loop_invariant' and 'location_invariant' are";
                self.base.unsupported(kind.span, &message, hint);
                return None;
            }
        };
        let format = self.needed(entries, node, "format");
        let value = self.needed(entries, node, "value").and_then(|v| self.expression(v));
        let place = self.needed(entries, node, "location").and_then(|l| self.place(l));
        self.format(format?, &["c_expression"])?;
        Some(Invariant { of_loop, place: place?, value: value? })
    }

    /// Refuses other formats of expressions.
    fn format(&mut self, node: &Node, known: &[&str]) -> Option<()> {
        if scalar(node).is_some_and(|format| known.contains(&format)) {
            return Some(());
        }
        let what = scalar(node).unwrap_or("this");
        let message = format!("expressions in the format '{what}' are not supported here");
        let names: Vec<String> = known.iter().map(|name| format!("'{name}'")).collect();
        self.base.unsupported(
            node.span,
            &message,
            &format!("the format is {}", names.join(" or ")),
        );
        None
    }

    fn expression(&mut self, node: &Node) -> Option<Expression> {
        let text = self.base.text(node, "an expression of C")?;
        let raw = self.text.get(text.span.range()).unwrap_or_default();
        let within = raw.find(&text.text);
        let span = match within {
            Some(at) => {
                let start = text.span.start as usize + at;
                Span::new(start, start + text.text.len())
            }
            None => text.span,
        };
        Some(Expression { text: text.text, span, is_literal: within.is_some() })
    }

    fn place(&mut self, node: &Node) -> Option<Place> {
        let entries = self.mapping(node, "a location")?;
        let line = self.needed(entries, node, "line").and_then(|n| self.number(n, "line"));
        let column = match find(entries, "column") {
            Some(n) => Some(self.number(n, "column")?),
            None => None,
        };
        let file = match find(entries, "file_name") {
            Some(n) => Some(self.base.text(n, "the name of a file")?),
            None => None,
        };
        let function = match find(entries, "function") {
            Some(n) => Some(self.base.text(n, "the name of a function")?),
            None => None,
        };
        Some(Place { file, line: line?, column, function, callee: None, span: node.span })
    }

    fn number(&mut self, node: &Node, what: &str) -> Option<usize> {
        let number = scalar(node).and_then(|text| text.parse().ok()).filter(|n| *n > 0);
        if number.is_none() {
            let message = format!("a {what} is a number, counted from 1");
            self.base.syntax(node.span, &message, "");
        }
        number
    }

    fn segments(&mut self, content: &Node) -> Option<Vec<Segment>> {
        let all = self.sequence(content, "'content'")?;
        let mut segments = Vec::new();
        for (number, node) in all.iter().enumerate() {
            let segment = self.segment(node, number + 1 == all.len())?;
            segments.push(segment);
        }
        if segments.is_empty() {
            let hint = "the last one ends with a waypoint of type 'target'";
            self.base.syntax(content.span, "the witness has no segments", hint);
            return None;
        }
        Some(segments)
    }

    fn segment(&mut self, node: &Node, is_last: bool) -> Option<Segment> {
        let node = self.only(node, "segment")?;
        let all = self.sequence(node, "a segment")?;
        let (mut avoid, mut follow) = (Vec::new(), None);
        for waypoint in all {
            let node = self.only(waypoint, "waypoint")?;
            let entries = self.mapping(node, "a waypoint")?;
            if follow.is_some() {
                let hint = "its only waypoint with 'action: follow' is its last one";
                let message = "a waypoint behind the end of its segment";
                self.base.syntax(first(entries, node), message, hint);
                return None;
            }
            let action = self.needed(entries, node, "action")?;
            let read = self.waypoint(entries, node)?;
            match scalar(action) {
                Some("follow") => follow = Some(read),
                Some("avoid") if read.kind == WaypointKind::Target => {
                    let hint = "'follow' is the action of targets";
                    self.base.syntax(action.span, "a target cannot be avoided", hint);
                }
                Some("avoid") => avoid.push(read),
                _ => {
                    let message = "this action is not supported";
                    self.base.unsupported(action.span, message, "'follow' and 'avoid' are");
                    return None;
                }
            }
        }
        let Some(follow) = follow else {
            let hint = "its last waypoint has 'action: follow'";
            self.base.syntax(node.span, "a segment without an end", hint);
            return None;
        };
        if (follow.kind == WaypointKind::Target) != is_last {
            let (message, hint) = match is_last {
                true => {
                    ("the last segment does not end with a target", "add the place of the error")
                }
                false => {
                    ("a target before the last segment", "the target is the error, and the end")
                }
            };
            self.base.syntax(follow.place.span, message, hint);
            return None;
        }
        Some(Segment { avoid, follow })
    }

    fn waypoint(&mut self, entries: Entries, node: &Node) -> Option<Waypoint> {
        let kind = self.needed(entries, node, "type")?;
        let place = self.needed(entries, node, "location").and_then(|l| self.place(l))?;
        let constraint = find(entries, "constraint");
        let name = scalar(kind).unwrap_or("this");
        let (kind, constraint) = match name {
            "target" => (WaypointKind::Target, None),
            "function_enter" => (WaypointKind::FunctionEnter, None),
            "assumption" => {
                let constraint = self.constraint(constraint, node, &["c_expression"])?;
                (WaypointKind::Assumption, Some(constraint))
            }
            "function_return" => match constraint {
                None => (WaypointKind::FunctionReturn, None),
                some => {
                    let formats = &["acsl_expression", "c_expression"];
                    let constraint = self.constraint(some, node, formats)?;
                    (WaypointKind::FunctionReturn, Some(constraint))
                }
            },
            "branching" => {
                let Some(constraint) = constraint else {
                    let hint = "add 'constraint: {value: \"true\"}'";
                    self.base.syntax(kind.span, "a branching without a constraint", hint);
                    return None;
                };
                let entries = self.mapping(constraint, "a constraint")?;
                let value = self.needed(entries, constraint, "value")?;
                (WaypointKind::Branching(self.branch(value)?), None)
            }
            _ => {
                let message = format!("waypoints of type '{name}' are not supported");
                let hint = "'assumption', 'branching', 'function_enter', 'function_return' and 'target' are";
                self.base.unsupported(kind.span, &message, hint);
                return None;
            }
        };
        Some(Waypoint { kind, place, constraint })
    }

    fn constraint(
        &mut self,
        node: Option<&Node>,
        around: &Node,
        formats: &[&str],
    ) -> Option<Expression> {
        let Some(node) = node else {
            self.base.syntax(around.span, "'constraint' is missing", "");
            return None;
        };
        let entries = self.mapping(node, "a constraint")?;
        let value = self.needed(entries, node, "value")?;
        if let Some(format) = find(entries, "format") {
            self.format(format, formats)?;
        }
        self.expression(value)
    }

    fn branch(&mut self, node: &Node) -> Option<Branch> {
        match scalar(node) {
            Some("true") => Some(Branch::Truth(true)),
            Some("false") => Some(Branch::Truth(false)),
            Some("default") => Some(Branch::Default),
            Some(text) if text.parse::<i64>().is_ok() => text.parse().ok().map(Branch::Case),
            _ => {
                let hint = "'true', 'false', 'default' and integers are";
                self.base.unsupported(node.span, "this branch is not supported", hint);
                None
            }
        }
    }
}
