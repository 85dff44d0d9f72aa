//! The manual page, in the macros `man` of roff.

use clap::Command;

use super::item::{Item, sections};

/// The manual page for all commands.
pub(super) fn page(root: &Command) -> String {
    let mut page = Page(String::new());
    let name = root.get_name();
    page.line(&format!(".TH {} 1", name.to_uppercase()));
    page.heading("NAME");
    let about = root.get_about().map_or_else(String::new, ToString::to_string);
    page.text(&format!("{name} - {}", about.trim_end_matches('.')));
    page.heading("SYNOPSIS");
    page.line(&format!(".B {name}"));
    page.line(".I COMMAND");
    page.text("[OPTIONS] [ARGUMENTS]");
    page.heading("COMMANDS");
    for command in root.get_subcommands().filter(|c| !c.is_hide_set()) {
        page.command(&format!("{name} {}", command.get_name()), command);
    }
    if let Some(examples) = root.get_after_help() {
        page.heading("EXAMPLES");
        let examples = examples.to_string();
        page.verbatim(examples.strip_prefix("Examples:\n").unwrap_or(&examples));
    }
    page.0
}

struct Page(String);

impl Page {
    fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    fn heading(&mut self, name: &str) {
        self.line(&format!(".SH {name}"));
    }

    /// Text that is filled.
    fn text(&mut self, text: &str) {
        text.lines().for_each(|line| self.line(&escaped(line)));
    }

    /// Text that stays as it is.
    fn verbatim(&mut self, text: &str) {
        self.line(".nf");
        self.text(text);
        self.line(".fi");
    }

    fn command(&mut self, name: &str, command: &Command) {
        self.line(&format!(".SS {}", escaped(name)));
        if let Some(about) = command.get_about() {
            self.text(&format!("{}.", about.to_string().trim_end_matches('.')));
        }
        for (heading, items) in sections(command) {
            self.line(".PP");
            self.line(&format!(".I {}:", escaped(&heading)));
            items.iter().for_each(|item| self.item(item));
        }
        if let Some(more) = command.get_after_help() {
            self.line(".PP");
            self.verbatim(&more.to_string());
        }
        for inner in command.get_subcommands().filter(|c| !c.is_hide_set()) {
            self.command(&format!("{name} {}", inner.get_name()), inner);
        }
    }

    fn item(&mut self, item: &Item) {
        self.line(".TP");
        let names: Vec<String> =
            item.names.iter().map(|name| format!("\\fB{}\\fR", escaped(name))).collect();
        let value = item.value.iter().map(|value| format!("\\fI{}\\fR", escaped(value)));
        let both: Vec<String> =
            Some(names.join(", ")).filter(|n| !n.is_empty()).into_iter().chain(value).collect();
        self.line(&both.join(" "));
        let default = item.default.as_ref().map(|value| format!(" [default: {value}]"));
        self.text(&format!("{}{}", item.help, default.unwrap_or_default()));
        for value in &item.values {
            let default = if value.is_default { " (default)" } else { "" };
            let colon = if value.help.is_empty() { "" } else { ": " };
            self.line(".br");
            self.text(&format!("{}{default}{colon}{}", value.name, value.help));
        }
    }
}

/// Text in which roff finds nothing to do, but what stands between backquotes is bold.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    let mut pieces = text.split('`');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for (i, piece) in pieces.enumerate() {
        out += if i % 2 == 0 { "\\fB" } else { "\\fR" };
        out += piece;
    }
    let out: String = out.chars().map(plain).collect();
    if out.starts_with(['.', '\'']) { format!("\\&{out}") } else { out }
}

/// A character in ASCII, as roff writes it.
fn plain(c: char) -> String {
    if c.is_ascii() { c.to_string() } else { format!("\\[u{:04X}]", u32::from(c)) }
}
