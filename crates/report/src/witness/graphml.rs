//! Version 1.0 of the format: automata in GraphML.
//!
//! Source: README-GraphML.md of <https://github.com/sosy-lab/sv-witnesses>.

use std::collections::BTreeSet;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::head::{Head, Kind, date};
use hardbop_c::types::DataModel;

/// Data of the graph, a state, or a transition: keys with their values.
pub(super) type Data = Vec<(&'static str, String)>;

/// A state.
pub(super) struct Node {
    pub id: String,
    pub data: Data,
}

/// A transition.
pub(super) struct Edge {
    pub source: String,
    pub target: String,
    pub data: Data,
}

/// An automaton.
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// Keys with the names that the format has for them, their types, and what they are for.
const KEYS: [(&str, &str, &str, &str); 22] = [
    ("witness-type", "witness-type", "string", "graph"),
    ("sourcecodelang", "sourcecodelang", "string", "graph"),
    ("producer", "producer", "string", "graph"),
    ("specification", "specification", "string", "graph"),
    ("programfile", "programfile", "string", "graph"),
    ("programhash", "programhash", "string", "graph"),
    ("architecture", "architecture", "string", "graph"),
    ("creationtime", "creationtime", "string", "graph"),
    ("entry", "entry", "boolean", "node"),
    ("violation", "violation", "boolean", "node"),
    ("invariant", "invariant", "string", "node"),
    ("invariant.scope", "invariant.scope", "string", "node"),
    ("startline", "startline", "int", "edge"),
    ("startoffset", "startoffset", "int", "edge"),
    ("originfile", "originFileName", "string", "edge"),
    ("control", "control", "string", "edge"),
    ("enterLoopHead", "enterLoopHead", "boolean", "edge"),
    ("enterFunction", "enterFunction", "string", "edge"),
    ("returnFromFunction", "returnFromFunction", "string", "edge"),
    ("assumption", "assumption", "string", "edge"),
    ("assumption.scope", "assumption.scope", "string", "edge"),
    ("assumption.resultfunction", "assumption.resultfunction", "string", "edge"),
];

/// The text of a witness.
pub(super) fn written(head: &Head, graph: &Graph) -> String {
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let _ = write(&mut Writer::new_with_indent(&mut bytes, b' ', 2), head, graph);
    bytes.push(b'\n');
    String::from_utf8_lossy(&bytes).into_owned()
}

fn write(out: &mut Writer<&mut Vec<u8>>, head: &Head, graph: &Graph) -> io::Result<()> {
    let about = about(head);
    let nodes = graph.nodes.iter().flat_map(|n| &n.data);
    let all = about.iter().chain(nodes).chain(graph.edges.iter().flat_map(|e| &e.data));
    let used: BTreeSet<&str> = all.map(|(key, _)| *key).collect();
    out.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let root = out.create_element("graphml").with_attributes([
        ("xmlns", "http://graphml.graphdrawing.org/xmlns"),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    ]);
    root.write_inner_content(|out| {
        for (id, name, ty, of) in KEYS.into_iter().filter(|(id, ..)| used.contains(id)) {
            let attributes = [("id", id), ("attr.name", name), ("attr.type", ty), ("for", of)];
            let key = out.create_element("key").with_attributes(attributes);
            match ty {
                "boolean" => key.write_inner_content(|out| {
                    out.create_element("default").write_text_content(BytesText::new("false"))?;
                    Ok(())
                })?,
                _ => key.write_empty()?,
            };
        }
        out.create_element("graph")
            .with_attribute(("edgedefault", "directed"))
            .write_inner_content(|out| {
                write_data(out, &about)?;
                for node in &graph.nodes {
                    let element = out.create_element("node");
                    write_element(element.with_attribute(("id", node.id.as_str())), &node.data)?;
                }
                for Edge { source, target, data } in &graph.edges {
                    let ends = [("source", source.as_str()), ("target", target.as_str())];
                    write_element(out.create_element("edge").with_attributes(ends), data)?;
                }
                Ok(())
            })?;
        Ok(())
    })?;
    Ok(())
}

fn write_element(
    element: quick_xml::writer::ElementWriter<&mut Vec<u8>>,
    data: &Data,
) -> io::Result<()> {
    match data.is_empty() {
        true => element.write_empty()?,
        false => element.write_inner_content(|out| write_data(out, data))?,
    };
    Ok(())
}

fn write_data(out: &mut Writer<&mut Vec<u8>>, data: &Data) -> io::Result<()> {
    for (key, value) in data {
        let element = out.create_element("data").with_attribute(("key", *key));
        element.write_text_content(BytesText::new(&shown(value)))?;
    }
    Ok(())
}

/// XML has no control characters but tabs and line ends, not even escaped.
fn shown(text: &str) -> String {
    let is_text = |c: char| matches!(c, '\n' | '\t') || !c.is_control();
    let is_character = |c: char| is_text(c) && !matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if is_character(c) { c } else { '\u{fffd}' }).collect()
}

/// The data of a witness about itself.
fn about(head: &Head) -> Data {
    let kind = match head.kind {
        Kind::Violation => "violation_witness",
        Kind::Correctness => "correctness_witness",
    };
    let architecture = match head.data_model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    let mut data = vec![
        ("witness-type", kind.to_owned()),
        ("sourcecodelang", "C".to_owned()),
        ("producer", format!("hardbop {}", head.version)),
    ];
    data.extend(head.specification.lines().map(|line| ("specification", line.to_owned())));
    // The format knows one file: transitions name the others.
    if let Some((name, hash)) = head.files.first() {
        data.extend([("programfile", (*name).to_owned()), ("programhash", hash.clone())]);
    }
    data.push(("architecture", architecture.to_owned()));
    data.push(("creationtime", date(head.time)));
    data
}
