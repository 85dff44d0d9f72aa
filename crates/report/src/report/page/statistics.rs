//! Statistics: the time by phase, and counts.

use std::fmt::Write as _;

use crate::document::Document;
use crate::markup::escaped;
use crate::statistics::{Number, Row, Table};

/// The section; nothing where there are no statistics.
pub(super) fn section(document: &Document) -> String {
    let Some(table) = &document.statistics else { return String::new() };
    let wall = document.wall_seconds;
    let mut out = String::from(
        "<section class=\"statistics\" aria-labelledby=\"statistics-title\">\n\
         <h2 id=\"statistics-title\">Statistics</h2>\n<div class=\"tables\">\n",
    );
    let is_time = |row: &&Row| matches!(row.number, Number::Seconds(_));
    let times: Vec<&Row> = table.rows.iter().filter(is_time).collect();
    if !times.is_empty() || wall.is_some() {
        out.push_str("<table>\n<caption>Time by phase</caption>\n");
        if let Some(wall) = wall {
            let time = Number::Seconds(wall).to_string();
            write_row(("wall time", &time), Some(String::new()), &mut out);
        }
        for row in times {
            let share = match (row.number, wall) {
                (Number::Seconds(seconds), Some(wall)) if wall > 0.0 => {
                    Some(format!("{:.0} %", 100.0 * seconds / wall))
                }
                _ => None,
            };
            write_row((&row.name, &row.number.to_string()), share, &mut out);
        }
        out.push_str("</table>\n");
    }
    let others: Vec<&Row> = table.rows.iter().filter(|row| !is_time(row)).collect();
    if !others.is_empty() {
        write_table("Counts", &others, &mut out);
    }
    out.push_str("</div>\n");
    if !table.parts.is_empty() {
        out.push_str("<details><summary>More</summary>\n<div class=\"tables\">\n");
        table.parts.iter().for_each(|(name, part)| write_part(name, part, &mut out));
        out.push_str("</div>\n</details>\n");
    }
    out.push_str("</section>\n");
    out
}

/// A part, then its parts.
fn write_part(name: &str, table: &Table, out: &mut String) {
    if !table.rows.is_empty() {
        write_table(&name.replace('-', " "), &table.rows.iter().collect::<Vec<_>>(), out);
    }
    table.parts.iter().for_each(|(inner, part)| write_part(&format!("{name}: {inner}"), part, out));
}

fn write_table(title: &str, rows: &[&Row], out: &mut String) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "<table>\n<caption>{}</caption>", escaped(title));
    for row in rows.iter().filter(|row| !row.is_rare || !row.number.is_zero()) {
        write_row((&row.name, &row.number.to_string()), None, out);
    }
    out.push_str("</table>\n");
}

/// A row; names of parts are indented by spaces.
fn write_row((name, number): (&str, &str), share: Option<String>, out: &mut String) {
    let level = (name.len() - name.trim_start().len()) / 2;
    let (name, number) = (escaped(name.trim_start()), escaped(number));
    let share = share.map_or(String::new(), |share| format!("<td>{share}</td>"));
    let _ = writeln!(
        out,
        "<tr><th scope=\"row\" class=\"level-{level}\">{name}</th><td>{number}</td>{share}</tr>"
    );
}
