//! The options of a command as tables in Markdown.

use clap::Command;

use super::item::{Item, sections};

/// A table for each heading.
pub(super) fn options(command: &Command) -> String {
    let mut text = String::new();
    for (heading, items) in sections(command) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("| {heading} | |\n|---|---|\n"));
        items.iter().for_each(|item| text.push_str(&row(item)));
    }
    text
}

fn row(item: &Item) -> String {
    let value = item.value.clone().unwrap_or_default();
    let mut names = item.names.clone();
    match names.last_mut() {
        Some(last) if !value.is_empty() => *last = format!("{last} {value}"),
        Some(_) => {}
        None => names.push(value),
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let mut help = item.help.clone();
    if let Some(default) = &item.default {
        help.push_str(&format!(" [default: `{default}`]"));
    }
    for value in &item.values {
        let default = if value.is_default { " (default)" } else { "" };
        let colon = if value.help.is_empty() { "" } else { ": " };
        help.push_str(&format!("<br>`{}`{default}{colon}{}", value.name, value.help));
    }
    format!("| {} | {} |\n", cell(&names.join(", ")), cell(&help))
}

/// A text inside a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
