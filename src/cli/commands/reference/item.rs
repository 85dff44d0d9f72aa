//! The definition of an argument, without a form.

use clap::builder::StyledStr;
use clap::{Arg, Command};

/// An argument or option.
pub(super) struct Item {
    /// `-q`, `--quiet`; none for an argument that stands by its place.
    pub names: Vec<String>,
    /// `FILE`, or the values where there are few; for a flag nothing.
    pub value: Option<String>,
    pub help: String,
    /// The default value, unless [`Value::is_default`] marks it.
    pub default: Option<String>,
    /// The values that are explained.
    pub values: Vec<Value>,
}

/// A value of an argument that has few.
pub(super) struct Value {
    pub name: String,
    pub help: String,
    pub is_default: bool,
}

/// The arguments of a command in order, under their headings; hidden ones are left out.
pub(super) fn sections(command: &Command) -> Vec<(String, Vec<Item>)> {
    let mut sections: Vec<(String, Vec<Item>)> = vec![];
    for argument in command.get_arguments().filter(|a| !a.is_hide_set()) {
        let heading = match argument.get_help_heading() {
            Some(heading) => heading,
            None if argument.is_positional() => "Arguments",
            None => "Options",
        };
        let item = Item::of(argument);
        match sections.iter_mut().find(|(name, _)| name == heading) {
            Some((_, items)) => items.push(item),
            None => sections.push((heading.to_owned(), vec![item])),
        }
    }
    sections
}

impl Item {
    fn of(argument: &Arg) -> Self {
        let short = argument.get_short().map(|c| format!("-{c}"));
        let long = argument.get_long().map(|name| format!("--{name}"));
        let text = |help: Option<&StyledStr>| help.map_or_else(String::new, ToString::to_string);
        let is_valued = argument.is_positional() || argument.get_action().takes_values();
        let defaults: Vec<String> = argument
            .get_default_values()
            .iter()
            .filter(|v| is_valued && !v.is_empty())
            .map(|v| v.to_string_lossy().into_owned())
            .collect();
        let mut values = vec![];
        if is_valued {
            let shown = argument.get_possible_values();
            for value in shown.iter().filter(|v| !v.is_hide_set()) {
                let (name, help) = (value.get_name().to_owned(), text(value.get_help()));
                let is_default = defaults.contains(&name);
                values.push(Value { name, help, is_default });
            }
        }
        let names: Vec<&str> = values.iter().map(|v| v.name.as_str()).collect();
        let value = match (names.is_empty(), argument.get_value_names()) {
            (false, _) => Some(names.join("|")),
            (true, Some(given)) if is_valued => Some(given.join(" ")),
            _ => None,
        };
        let is_explained = values.iter().any(|v| !v.help.is_empty());
        let default = defaults.join(",");
        Self {
            names: short.into_iter().chain(long).collect(),
            value,
            help: text(argument.get_help()),
            default: (!is_explained && !default.is_empty()).then_some(default),
            values: if is_explained { values } else { vec![] },
        }
    }
}
