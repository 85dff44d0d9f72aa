//! The picture in docs/architecture.md is drawn from the tables of this test.  With `UPDATE=1` the
//! page gets the one of today.

use std::collections::BTreeMap;
use std::fs;

use super::{FLOORS, ROOMS};

const PAGE: &str = "docs/architecture.md";
const BEGIN: &str =
    "<!-- The floors, by UPDATE=1 cargo test --test doors architecture -->\n```text\n";
const END: &str = "```\n";

/// How high a floor is: one more than the highest that it uses.
fn height(floor: &str) -> usize {
    let (_, uses) = FLOORS.iter().find(|(name, _)| *name == floor).expect("a floor of the table");
    uses.iter().map(|f| height(f) + 1).max().unwrap_or(0)
}

/// A floor with its rooms, each of which uses those to its left.
fn floor_with_rooms(floor: &str) -> String {
    let rooms = ROOMS.iter().find(|(name, _)| *name == floor).map_or(&[][..], |r| r.1);
    format!("{floor:<9}{}", rooms.join(" ◄ ")).trim_end().to_owned()
}

/// The line between two rows whose floors begin in these columns.
fn connection(above: &[usize], below: &[usize]) -> String {
    let last = above.iter().chain(below).max().copied().unwrap_or(0);
    let sign = |column: usize| match (above.contains(&column), below.contains(&column)) {
        _ if last == 0 => '▼',
        (true, true) => '├',
        (true, false) if column == last => '┘',
        (true, false) => '┴',
        (false, true) if column == last => '┐',
        (false, true) => '┬',
        (false, false) => '─',
    };
    format!(" {}", (0..=last).map(sign).collect::<String>())
}

/// The floors from the top to the ground; those that do not use each other side by side.
fn picture() -> String {
    let mut rows: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (floor, _) in FLOORS {
        rows.entry(height(floor)).or_default().push(floor);
    }
    let (mut lines, mut above) = (vec![], None::<Vec<usize>>);
    for floors in rows.values().rev() {
        let (mut line, mut columns) = (String::new(), vec![]);
        for floor in floors {
            if !line.is_empty() {
                line += "      ";
            }
            columns.push(line.chars().count());
            line += &floor_with_rooms(floor);
        }
        if let Some(above) = above.replace(columns.clone()) {
            lines.push(connection(&above, &columns));
        }
        lines.push(line);
    }
    lines.push(String::new());
    lines.extend(exceptions());
    lines.join("\n") + "\n"
}

/// What the picture does not show: floors that do not use all that is below.
fn exceptions() -> Vec<String> {
    let mut exceptions = vec![];
    for (floor, uses) in FLOORS {
        let below = FLOORS.iter().filter(|(name, _)| height(name) < height(floor));
        let unused: Vec<&str> = below.map(|f| f.0).filter(|f| !uses.contains(f)).collect();
        if !unused.is_empty() {
            exceptions.push(format!("{floor} does not use {}", unused.join(", ")));
        }
    }
    if exceptions.is_empty() {
        exceptions.push("Every floor uses all that are below it.".to_owned());
    }
    exceptions
}

#[test]
fn the_page_shows_the_floors() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = fs::read_to_string(&path).expect("the page is there");
    let (before, rest) = page.split_once(BEGIN).expect("the page has a place for the picture");
    let (shown, after) = rest.split_once(END).expect("the picture has an end");
    let picture = picture();
    if std::env::var_os("UPDATE").is_some() {
        let page = [before, BEGIN, &picture, END, after].concat();
        fs::write(&path, page).expect("the page can be written");
    } else {
        for (floor, rooms) in ROOMS {
            for room in rooms {
                let row = format!("\n| `{floor}::{room}` |");
                assert!(page.contains(&row), "{PAGE} does not say what is in {floor}::{room}");
            }
        }
        assert_eq!(
            shown, picture,
            "{PAGE} does not show the tables of tests/doors/architecture.rs; \
             'UPDATE=1 cargo test --test doors architecture' mends it\n{picture}"
        );
    }
}
