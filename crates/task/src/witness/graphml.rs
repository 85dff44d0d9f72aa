//! Reads witnesses of version 1.0 of the format: automata in GraphML.
//!
//! A violation witness is a path: each state but sinks has one transition.  What calls return
//! there, and the place of the error, become the waypoints of a witness of version 2.0.  A
//! correctness witness gives [invariants](super::states).
//!
//! Source: README-GraphML.md of <https://github.com/sosy-lab/sv-witnesses>.

use std::collections::{BTreeSet, HashSet};

use super::content::{Content, Expression, Head, Place, Segment, Task, Waypoint, Witness};
use super::files::like;
use super::xml::{self, Element};
use crate::reader::{Located, Reader};
use hardbop_base::source::Diagnostic;
use hardbop_c::instrument::WaypointKind;
use hardbop_c::types::DataModel;

/// Transitions with these keys say more than is used.
const UNUSED: [&str; 3] = ["control", "enterFunction", "returnFromFunction"];

impl Witness {
    /// Reads a witness of version 1.0 about a program of these files: their names and texts, in
    /// which offsets are.
    ///
    /// # Errors
    /// Mistakes, and parts of the format that are not supported, each with its place.
    pub fn parse_graphml(text: &str, files: &[(String, String)]) -> Result<Self, Vec<Diagnostic>> {
        let root = xml::parse(text).map_err(|error| vec![error])?;
        let mut reader = GraphReader { base: Reader::default(), files };
        match reader.witness(&root) {
            Some(witness) if reader.base.problems.is_empty() => Ok(witness),
            _ => Err(reader.base.problems),
        }
    }
}

/// Whether a text is XML rather than YAML.
pub fn is_xml(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('<')
}

pub(super) struct GraphReader<'t> {
    pub base: Reader,
    files: &'t [(String, String)],
}

/// The value of a key of the graph, a state or a transition, if there is one that says something.
pub(super) fn data<'e>(element: &'e Element, key: &str) -> Option<&'e Located> {
    let of_key =
        |e: &&Element| e.name == "data" && e.attribute("key").is_some_and(|k| k.text == key);
    let found = element.children.iter().find(of_key).map(|e| &e.text);
    found.filter(|value| !value.text.is_empty())
}

pub(super) fn is_true(element: &Element, key: &str) -> bool {
    data(element, key).is_some_and(|value| value.text == "true")
}

impl GraphReader<'_> {
    fn witness(&mut self, root: &Element) -> Option<Witness> {
        let graph = root.children.iter().find(|e| e.name == "graph");
        let Some(graph) = graph.filter(|_| root.name == "graphml") else {
            let hint = "a witness of version 1.0 is a 'graphml' with a 'graph' in it";
            self.base.syntax(root.span, "this is not a witness", hint);
            return None;
        };
        let kind = self.needed(graph, "witness-type")?;
        let is_of_correctness = match kind.text.as_str() {
            "violation_witness" => false,
            "correctness_witness" => true,
            _ => {
                self.base.unsupported(kind.span, "this type of witness is not supported", "");
                return None;
            }
        };
        let heads = vec![self.head(graph)];
        let (content, notes) = match is_of_correctness {
            true => self.invariants(graph)?,
            false => self.violation(graph)?,
        };
        Some(Witness { heads, content, notes })
    }

    /// A violation witness, and what of it is not used.
    fn violation(&mut self, graph: &Element) -> Option<(Content, Vec<String>)> {
        let path = self.path(graph)?;
        let mut segments = Vec::new();
        for (number, edge) in path.iter().enumerate() {
            let is_last = number + 1 == path.len();
            segments.extend(self.segment(edge, is_last)?);
        }
        let mut notes = Vec::new();
        let keys = |e: &&Element| e.name == "data";
        let keys = path.iter().flat_map(|edge| edge.children.iter().filter(keys));
        let keys: BTreeSet<&str> =
            keys.filter_map(|e| e.attribute("key")).map(|key| key.text.as_str()).collect();
        let unused: Vec<String> =
            UNUSED.iter().filter(|k| keys.contains(*k)).map(|k| format!("'{k}'")).collect();
        if !unused.is_empty() {
            let unused = unused.join(", ");
            notes.push(format!(
                "of the witness, what calls return and the place of the error are used, but not {unused}"
            ));
        }
        Some((Content::Violation(segments), notes))
    }

    fn needed<'e>(&mut self, element: &'e Element, key: &str) -> Option<&'e Located> {
        let found = data(element, key);
        if found.is_none() {
            let message = format!("this {} has no data of the key '{key}'", element.name);
            self.base.syntax(element.span, &message, "");
        }
        found
    }

    fn head(&mut self, graph: &Element) -> Head {
        if let Some(language) = data(graph, "sourcecodelang").filter(|l| l.text != "C") {
            let hint = "witnesses of programs in C are";
            self.base.unsupported(language.span, "this language is not supported", hint);
        }
        let hash = data(graph, "programfile").zip(data(graph, "programhash"));
        let model = match data(graph, "architecture").map(|a| a.text.as_str()) {
            Some("32bit") => Some(DataModel::Ilp32),
            Some("64bit") => Some(DataModel::Lp64),
            // Other names mean what their users agree on.
            _ => None,
        };
        let task = Task {
            hashes: hash.map(|(file, hash)| (file.clone(), hash.clone())).into_iter().collect(),
            specification: data(graph, "specification").cloned(),
            model,
        };
        Head { producer: data(graph, "producer").map(|p| p.text.clone()), task }
    }

    /// The transitions from the entry into the violation.
    fn path<'e>(&mut self, graph: &'e Element) -> Option<Vec<&'e Element>> {
        let id = |e: &'e Element| e.attribute("id").map(|id| id.text.as_str());
        let nodes = || graph.children.iter().filter(|e| e.name == "node");
        let sinks: HashSet<&str> = nodes().filter(|n| is_true(n, "sink")).filter_map(id).collect();
        let errors: HashSet<&str> =
            nodes().filter(|n| is_true(n, "violation")).filter_map(id).collect();
        let Some(entry) = nodes().find(|n| is_true(n, "entry")).and_then(id) else {
            self.base.syntax(graph.span, "the witness has no entry", "a node has 'entry': 'true'");
            return None;
        };
        let mut edges: std::collections::HashMap<&str, Vec<&Element>> = Default::default();
        for edge in graph.children.iter().filter(|e| e.name == "edge") {
            let ends = edge.attribute("source").zip(edge.attribute("target"));
            let Some((source, target)) = ends else {
                self.base.syntax(edge.span, "an edge has a 'source' and a 'target'", "");
                return None;
            };
            // Who stays in a state has done nothing; who is in a sink does not get into the error.
            if source.text != target.text && !sinks.contains(target.text.as_str()) {
                edges.entry(&source.text).or_default().push(edge);
            }
        }
        let (mut here, mut path, mut seen) = (entry, vec![], HashSet::from([entry]));
        while !errors.contains(here) {
            let edge = match edges.get(here).map(Vec::as_slice) {
                Some([edge]) => *edge,
                Some([_, second, ..]) => {
                    let message = "a state with several transitions, of which none is into a sink, is not supported";
                    self.base.unsupported(second.span, message, "a path into the error is");
                    return None;
                }
                _ => {
                    let message = format!("no transition leaves the state '{here}'");
                    let hint = "a path from the entry ends in a node with 'violation': 'true'";
                    self.base.syntax(graph.span, &message, hint);
                    return None;
                }
            };
            let target = edge.attribute("target")?;
            if !seen.insert(target.text.as_str()) {
                let hint = "a path into the error is";
                self.base.unsupported(edge.span, "a loop of transitions is not supported", hint);
                return None;
            }
            path.push(edge);
            here = &target.text;
        }
        Some(path)
    }

    /// A transition as a segment of version 2.0; nothing, where it says of no value and is not into
    /// the error.
    fn segment(&mut self, edge: &Element, is_last: bool) -> Option<Option<Segment>> {
        let assumption = data(edge, "assumption").map(|assumption| self.returned(edge, assumption));
        let (kind, callee, constraint) = match (assumption, is_last) {
            (Some(None), _) => return None,
            // The error may be anywhere behind it.
            (Some(Some((callee, value))), _) => {
                (WaypointKind::FunctionReturn, Some(callee), Some(value))
            }
            (None, true) => (WaypointKind::Target, None, None),
            (None, false) => return Some(None),
        };
        let place = Place { callee, ..self.place(edge)? };
        let follow = Waypoint { kind, place, constraint };
        Some(Some(Segment { avoid: vec![], follow }))
    }

    /// The function that returns, and the expression over its result.
    fn returned(&mut self, edge: &Element, assumption: &Located) -> Option<(Located, Expression)> {
        let text = assumption.text.trim_end_matches(|c: char| c == ';' || c.is_whitespace());
        let Some(callee) = data(edge, "assumption.resultfunction").filter(|_| {
            // With other variables it would hold behind the transition, for which there is no
            // waypoint.
            let names = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\\')));
            let is_name =
                |w: &&str| w.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '\\');
            text.contains("\\result") && names.filter(is_name).all(|name| name == "\\result")
        }) else {
            let message = "assumptions about variables are not supported in GraphML";
            let hint = "assumptions about '\\result' with 'assumption.resultfunction' are";
            self.base.unsupported(assumption.span, message, hint);
            return None;
        };
        let parts: Vec<String> = text.split(';').map(|part| format!("({})", part.trim())).collect();
        let (text, is_literal) = match parts.as_slice() {
            [_] => (text.to_owned(), true),
            _ => (parts.join(" && "), false),
        };
        Some((callee.clone(), Expression { text, span: assumption.span, is_literal }))
    }

    /// The place where a transition begins.
    pub(super) fn place(&mut self, edge: &Element) -> Option<Place> {
        let line = self.needed(edge, "startline")?;
        let Some(number) = line.text.parse().ok().filter(|n| *n > 0) else {
            self.base.syntax(line.span, "a line is a number, counted from 1", "");
            return None;
        };
        let file = data(edge, "originfile").cloned();
        let column = match data(edge, "startoffset") {
            Some(offset) => self.column(offset, number, file.as_ref())?,
            None => None,
        };
        Some(Place { file, line: number, column, function: None, callee: None, span: edge.span })
    }

    /// The text of a file, or of the first one.
    fn file(&self, name: Option<&Located>) -> Option<&str> {
        let Some(name) = name else { return self.files.first().map(|(_, text)| text.as_str()) };
        let meant = like(&name.text, self.files.iter().map(|(file, _)| file.as_str()));
        let found = self.files.iter().find(|(file, _)| meant == [file.as_str()]);
        found.map(|(_, text)| text.as_str())
    }

    /// The text of a line.
    pub(super) fn line(&self, place: &Place) -> Option<&str> {
        self.file(place.file.as_ref())?.lines().nth(place.line - 1)
    }

    /// The column of an offset, which is to be on this line.
    fn column(
        &mut self,
        offset: &Located,
        line: usize,
        file: Option<&Located>,
    ) -> Option<Option<usize>> {
        let Ok(number) = offset.text.parse::<usize>() else {
            self.base.syntax(offset.span, "an offset is a number of characters", "");
            return None;
        };
        let Some(text) = self.file(file) else { return Some(None) };
        let mut start = 0;
        for (index, text) in (1..).zip(text.split_inclusive('\n')) {
            let length = text.chars().count();
            if index == line {
                let is_there = (start..start + length).contains(&number);
                return Some(is_there.then(|| number - start + 1));
            }
            start += length;
        }
        Some(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WITNESS: &str = r#"<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">
<data key="witness-type">violation_witness</data>
<node id="a"><data key="entry">true</data></node><node id="b"/>
<node id="s"><data key="sink">true</data></node>
<node id="e"><data key="violation">true</data></node>
<edge source="a" target="s"><data key="startline">1</data></edge>
<edge source="a" target="b"><data key="startline">2</data><data key="startoffset">8</data>
 <data key="assumption">\result &lt; 3; \result > 1;</data>
 <data key="assumption.resultfunction">f</data></edge>
<edge source="b" target="e"><data key="startline">3</data></edge>
</graph></graphml>"#;

    fn program() -> [(String, String); 1] {
        [("a.c".to_owned(), "int f();\nx = f();\n".to_owned())]
    }

    #[test]
    fn a_path_becomes_waypoints() {
        let witness = Witness::parse_graphml(WITNESS, &program()).expect("a witness");
        let Content::Violation(segments) = witness.content else { panic!("a violation") };
        let [value, target] = segments.as_slice() else { panic!("{segments:?}") };
        assert_eq!(value.follow.kind, WaypointKind::FunctionReturn);
        let expression = value.follow.constraint.as_ref().expect("an expression");
        assert_eq!(expression.text, "(\\result < 3) && (\\result > 1)");
        // The offset is on another line: it says nothing.
        assert_eq!((value.follow.place.line, value.follow.place.column), (2, None));
        assert_eq!((target.follow.kind, target.follow.place.line), (WaypointKind::Target, 3));
    }

    #[test]
    fn what_is_not_read_is_named() {
        for (from, to, message) in [
            ("violation_witness", "other_witness", "this type of witness"),
            ("<data key=\"assumption.resultfunction\">f</data>", "", "assumptions about variables"),
            ("> 1;", "> x;", "assumptions about variables"),
            ("<data key=\"sink\">true</data>", "", "several transitions"),
            ("target=\"e\"", "target=\"a\"", "a loop of transitions"),
            ("<data key=\"entry\">true</data>", "", "no entry"),
            ("<edge source=\"b\"", "<edge source=\"s\"", "no transition leaves"),
            ("</graph>", "</grap>", "not XML"),
            ("&lt;", "&other;", "entities"),
            ("<graphml", "<!DOCTYPE graphml [<!ENTITY a \"b\">]><graphml", "document type"),
        ] {
            let text = WITNESS.replacen(from, to, 1);
            let found = Witness::parse_graphml(&text, &program()).expect_err(message);
            assert!(found.iter().any(|d| d.message.contains(message)), "{message}: {found:?}");
        }
    }
}
