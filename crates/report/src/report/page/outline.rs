//! The reachability tree, or the procedures with their summaries, as lists that can be folded.

use std::fmt::Write as _;

use super::source::Listing;
use crate::document::{Document, Outline, OutlineKind, OutlineNode};
use crate::markup::escaped;
use crate::units::{count, counted};

/// Lists that are nested: what is deeper follows in the same list, for browsers give up on very
/// deep ones.
const NESTED: usize = 40;
/// Characters of a formula that are shown.
const FORMULA: usize = 400;

/// The section; nothing where the answer has no tree.
pub(super) fn section(document: &Document, listing: &Listing) -> String {
    let Some(outline) = document.outline.as_ref().filter(|o| !o.nodes.is_empty()) else {
        return String::new();
    };
    let number = (outline.nodes.len() + outline.left_out) as u64;
    let (title, summary) = match outline.kind {
        OutlineKind::ReachabilityTree => (
            "Abstract reachability tree",
            format!("{} of the last search", counted(number, "node")),
        ),
        OutlineKind::Procedures => (
            "Summaries of procedures",
            format!("{}, below those that call them", counted(number, "call")),
        ),
    };
    let mut out = format!(
        "<section class=\"outline\" aria-labelledby=\"outline-title\">\n\
         <h2 id=\"outline-title\">{title}</h2>\n\
         <details open><summary>{summary}</summary>\n"
    );
    if outline.left_out > 0 {
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "<p class=\"gap\">{} more are left out</p>",
            count(outline.left_out as u64)
        );
    }
    out.push_str("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Tree\">\n");
    Writer { document, listing, outline, children: children(outline) }.write(&mut out);
    out.push_str("</div>\n</details>\n</section>\n");
    out
}

/// The children of each node.
fn children(outline: &Outline) -> Vec<Vec<usize>> {
    let mut children = vec![vec![]; outline.nodes.len()];
    for (position, node) in outline.nodes.iter().enumerate() {
        if let Some(parent) = node.parent.filter(|parent| *parent < position) {
            children[parent].push(position);
        }
    }
    children
}

struct Writer<'a> {
    document: &'a Document,
    listing: &'a Listing,
    outline: &'a Outline,
    children: Vec<Vec<usize>>,
}

enum Part {
    Node(usize, usize),
    Text(&'static str),
}

impl Writer<'_> {
    /// Nodes with one below it are followed by that in the same list; of several each has a list of
    /// its own.
    fn write(&self, out: &mut String) {
        let roots =
            (0..self.outline.nodes.len()).filter(|&n| self.outline.nodes[n].parent.is_none());
        let mut parts: Vec<Part> = roots.map(|n| Part::Node(n, 0)).collect();
        parts.reverse();
        parts.insert(0, Part::Text("</ol>\n"));
        out.push_str("<ol class=\"tree\">\n");
        while let Some(part) = parts.pop() {
            let (n, depth) = match part {
                Part::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Part::Node(n, depth) => (n, depth),
            };
            let below = &self.children[n];
            let is_branch = below.len() > 1 || self.outline.kind == OutlineKind::Procedures;
            if is_branch && !below.is_empty() && depth < NESTED {
                let _ = write!(out, "<li><details open><summary>");
                self.write_node(n, out);
                out.push_str("</summary><ol>\n");
                parts.push(Part::Text("</ol></details></li>\n"));
                parts.extend(below.iter().rev().map(|&child| Part::Node(child, depth + 1)));
            } else {
                out.push_str("<li>");
                self.write_node(n, out);
                out.push_str("</li>\n");
                parts.extend(below.iter().rev().map(|&child| Part::Node(child, depth)));
            }
        }
    }

    fn write_node(&self, n: usize, out: &mut String) {
        let OutlineNode { parent, name, file, line, known, stands_for, is_error } =
            &self.outline.nodes[n];
        let class = if *is_error { "node error" } else { "node" };
        let _ =
            write!(out, "<span class=\"{class}\" id=\"n{n}\"><span class=\"number\">{n}</span> ");
        let file = file.as_deref().or(self.document.file.as_deref());
        let anchor = line.and_then(|line| self.listing.anchor(file, line));
        let _ = match anchor {
            Some(anchor) => write!(out, "<a href=\"#{anchor}\">{}</a>", escaped(name)),
            None => write!(out, "{}", escaped(name)),
        };
        // Elsewhere the node above is the one before.
        if let Some(parent) = parent.filter(|parent| parent + 1 != n) {
            let _ = write!(out, " <span class=\"where\">after {parent}</span>");
        }
        if let Some(other) = stands_for {
            let word = match self.outline.kind {
                OutlineKind::ReachabilityTree => "covered by",
                OutlineKind::Procedures => "see",
            };
            let _ = match self.outline.nodes.len() > *other {
                true => write!(out, " <a class=\"where\" href=\"#n{other}\">{word} {other}</a>"),
                false => write!(out, " <span class=\"where\">{word} {other}</span>"),
            };
        }
        for (place, formula) in known {
            let place = match place.is_empty() {
                true => String::new(),
                false => format!("<span class=\"where\">{}:</span> ", escaped(place)),
            };
            let _ =
                write!(out, "<span class=\"known\">{place}<code>{}</code></span>", start(formula));
        }
        out.push_str("</span>");
    }
}

/// The text in HTML, or its start.
fn start(text: &str) -> String {
    match text.char_indices().nth(FORMULA) {
        Some((end, _)) => escaped(&text[..end]) + " ...",
        None => escaped(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{AnsweredBy, LimitOptions, RunOptions, Settings, Subject, Verdict};
    use crate::statistics::Table;

    /// Deep trees stay flat enough for browsers, and what is left out is said.
    #[test]
    fn chains_are_flat_and_branches_nest_up_to_a_limit() {
        let node = |parent: Option<usize>| OutlineNode { parent, ..OutlineNode::default() };
        // A chain in which each second node has a child that ends.
        let mut nodes = vec![node(None)];
        for n in 0..500 {
            nodes.push(node(Some(2 * n)));
            nodes.push(node(Some(2 * n)));
        }
        let options = RunOptions {
            engine: Default::default(),
            resolve: Default::default(),
            dialect: Default::default(),
            threads: Default::default(),
            limits: LimitOptions::default(),
        };
        let subject =
            Subject { file: None, property: vec![], options: Settings::Boolean(Box::new(options)) };
        let by = AnsweredBy::Engine(Default::default());
        let mut document = Document::new(subject, (Verdict::Safe, None), by, Table::default());
        let listing = Listing::new(&document, |_| Err(String::new()));
        document.outline =
            Some(Outline { kind: OutlineKind::ReachabilityTree, nodes, left_out: 7 });
        let page = section(&document, &listing);
        assert_eq!(page.matches("<li>").count(), 1_001);
        assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
        assert_eq!(page.matches("<details").count(), 1 + NESTED);
        assert!(page.contains("1,008 nodes of the last search") && page.contains("7 more"));
    }
}
