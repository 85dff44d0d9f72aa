//! The sizes of a program's forms: by how much it shrank before it was explored.

use super::table::Number::Count;
use super::table::Table;
use crate::units::count;
use hardbop_verify::{Reduction, Size};

/// The quantities that are counted in each form of a program.
const COLUMNS: [&str; 5] = ["functions", "locations", "edges", "operations", "variables"];
/// The forms: names in JSON and for people.
const FORMS: [(&str, &str); 4] = [
    ("parsed", "as parsed"),
    ("expanded", "calls expanded"),
    ("sliced", "sliced"),
    ("blocks", "blocks"),
];

/// A part for each form.
pub(super) fn sizes(reduction: &Reduction) -> Table {
    let Reduction { parsed, expanded, sliced, blocks } = *reduction;
    let mut table = Table::default();
    for ((key, _), size) in FORMS.into_iter().zip([parsed, expanded, sliced, blocks]) {
        let Size { functions, locations, edges, operations, variables } = size;
        let numbers = [functions, locations, edges, operations, variables];
        let rows: Vec<_> = COLUMNS.iter().zip(numbers).map(|(&c, n)| (c, c, Count(n))).collect();
        table.add(key, Table::new(&rows));
    }
    table
}

impl Table {
    /// The part `sizes`: a line per form of the program; nothing where it was not looked at.
    #[must_use]
    pub fn size_text(&self) -> String {
        let number = |key: &str, column: &str| match self.get(&format!("sizes/{key}/{column}")) {
            Some(Count(n)) => n,
            _ => 0,
        };
        let mut lines = vec![line("Size", COLUMNS.map(str::to_owned))];
        for (key, name) in FORMS.iter().filter(|(key, _)| number(key, "edges") > 0) {
            lines.push(line(&format!("  {name}"), COLUMNS.map(|c| count(number(key, c)))));
        }
        if lines.len() > 1 { lines.concat() } else { String::new() }
    }
}

fn line(name: &str, columns: [String; 5]) -> String {
    let [functions, locations, edges, operations, variables] = columns;
    format!(
        "{name:<17}  {functions:>9}  {locations:>9}  {edges:>9}  {operations:>10}  {variables:>9}\n"
    )
}
