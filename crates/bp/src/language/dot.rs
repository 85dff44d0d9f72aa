//! Control-flow graphs in the DOT language of Graphviz.

use std::fmt::Write;

use super::program::{Edge, EdgeRole, NodeId, Procedure, Program};

/// Length of a statement up to which it is shown in full.
const SNIPPET: usize = 60;

/// Draws all control-flow graphs of a program: one cluster per procedure, one box per location with
/// its line and labels, one arrow per edge with its statement.
pub fn dot(program: &Program) -> String {
    let mut out = String::from("digraph program {\n");
    out.push_str("  node [shape=box, style=rounded, fontname=\"monospace\"];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n");
    for id in program.procedure_ids() {
        let procedure = program.procedure(id);
        let role = if id == program.entry { " (entry)" } else { "" };
        put(&mut out, format_args!("  subgraph cluster_{} {{\n", id.0));
        put(&mut out, format_args!("    label=\"{}{role}\";\n", escaped(&procedure.name)));
        for number in 0..procedure.nodes.len() {
            let node = NodeId(number as u32);
            let label = node_label(program, procedure, node);
            let style = match node {
                n if n == procedure.error => ", shape=octagon, style=filled, fillcolor=tomato",
                n if n == procedure.entry || n == procedure.exit => ", style=bold",
                _ => "",
            };
            put(&mut out, format_args!("    p{}n{number} [label=\"{label}\"{style}];\n", id.0));
        }
        for edge in &procedure.edges {
            let (p, source, target) = (id.0, edge.source.0, edge.target.0);
            let label = edge_label(program, edge);
            put(
                &mut out,
                format_args!("    p{p}n{source} -> p{p}n{target} [label=\"{label}\"];\n"),
            );
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}

fn node_label(program: &Program, procedure: &Procedure, id: NodeId) -> String {
    if id == procedure.error {
        return "error".to_owned();
    }
    let node = &procedure.nodes[id.index()];
    let mut label: String = node.labels.iter().map(|l| format!("{}:\\n", escaped(l))).collect();
    if id == procedure.exit {
        label.push_str("exit");
    } else {
        let (line, _) = program.source.line_column(node.span.start);
        put(&mut label, format_args!("line {line}"));
    }
    label
}

fn edge_label(program: &Program, edge: &Edge) -> String {
    let text = escaped(&program.source.snippet(edge.span, SNIPPET));
    match edge.role {
        EdgeRole::Statement => text,
        EdgeRole::Branch(true) => format!("{text}: yes"),
        EdgeRole::Branch(false) => format!("{text}: no"),
        EdgeRole::Enforce => format!("[{text}]"),
        EdgeRole::AssertHolds => format!("{text}: holds"),
        EdgeRole::AssertFails => format!("{text}: fails"),
        EdgeRole::Abort => format!("{text}: aborts"),
        EdgeRole::ErrorLabel => "error label".to_owned(),
        EdgeRole::FallOff => "falls off the end".to_owned(),
        EdgeRole::Glue => String::new(),
    }
}

/// Escapes a text for double quotes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
