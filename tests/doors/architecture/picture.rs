//! The picture in docs/architecture.md is drawn from the manifests of the crates.  With `UPDATE=1`
//! the page gets the one of today.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::{CRATES, ROOMS, uses};

const PAGE: &str = "docs/architecture.md";
const BEGIN: &str =
    "<!-- The crates, by UPDATE=1 cargo test --test doors architecture -->\n```text\n";
const END: &str = "```\n";

/// How high a crate is: one more than the highest that it uses.
fn height(name: &str) -> usize {
    uses(name).iter().map(|f| height(f) + 1).max().unwrap_or(0)
}

/// All that a crate uses, directly or not.
fn below(name: &str) -> BTreeSet<String> {
    let direct = uses(name);
    let further = direct.iter().flat_map(|f| below(f)).collect::<Vec<_>>();
    direct.into_iter().chain(further).collect()
}

/// What a crate uses directly and not by way of another one.
fn next(name: &str) -> Vec<String> {
    let direct = uses(name);
    let is_further = |f: &String| direct.iter().any(|other| below(other).contains(f));
    direct.iter().filter(|f| !is_further(f)).cloned().collect()
}

/// The crates from the top to the ground, each with the next ones that it uses; and the order of
/// rooms.
fn picture() -> String {
    let mut rows: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (name, _) in CRATES {
        rows.entry(height(name)).or_default().push(name);
    }
    let rooms = ROOMS.map(|room| room.trim_start_matches("cli::")).join(" ◄ ");
    let mut lines = vec![format!("(root)   ▼ all below; rooms: {rooms}"), String::new()];
    for name in rows.values().rev().flatten() {
        let next = next(name).join(", ");
        let (_, rooms) = CRATES.iter().find(|(n, _)| n == name).expect("a crate of the table");
        let rooms = match rooms {
            [] => String::new(),
            rooms => format!("; rooms: {}", rooms.join(" ◄ ")),
        };
        let uses = if next.is_empty() { "nothing".to_owned() } else { next };
        lines.push(format!("{name:<8} ▼ {uses}{rooms}"));
    }
    lines.join("\n") + "\n"
}

#[test]
fn the_page_shows_the_crates() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = fs::read_to_string(&path).expect("the page is there");
    let (before, rest) = page.split_once(BEGIN).expect("the page has a place for the picture");
    let (shown, after) = rest.split_once(END).expect("the picture has an end");
    let picture = picture();
    if std::env::var_os("UPDATE").is_some() {
        let page = [before, BEGIN, &picture, END, after].concat();
        fs::write(&path, page).expect("the page can be written");
    } else {
        for (name, rooms) in CRATES {
            let all = rooms.iter().map(|room| format!("{name}::{room}"));
            for place in all.chain([name.to_owned()]) {
                let row = format!("\n| `{place}` |");
                assert!(page.contains(&row), "{PAGE} does not say what is in {place}");
            }
        }
        assert_eq!(
            shown, picture,
            "{PAGE} does not show the crates of today; \
             'UPDATE=1 cargo test --test doors architecture' mends it\n{picture}"
        );
    }
}
