//! Pieces of an object that share no bit, with names that differ.

use rustc_hash::FxHashSet;

use super::layout::{Item, Kind};

/// Makes items disjoint by dividing them where others begin or end. Of equal items, the first stays.
pub(super) fn refine(items: &mut Vec<Item>) {
    items.sort_by_key(|i| (i.start, i.width));
    if items.windows(2).all(|w| w[0].end() <= w[1].start) {
        return;
    }
    let mut bounds: Vec<u64> = items.iter().flat_map(|i| [i.start, i.end()]).collect();
    bounds.sort_unstable();
    bounds.dedup();
    let mut pieces: Vec<Item> = Vec::new();
    for item in items.iter() {
        let first = bounds.partition_point(|&b| b < item.start);
        for cut in bounds[first..].windows(2).take_while(|w| w[1] <= item.end()) {
            let whole = cut[0] == item.start && cut[1] == item.end();
            let name = if whole {
                item.name.clone()
            } else {
                format!("{}@{}", item.name, cut[0] - item.start)
            };
            pieces.push(Item {
                start: cut[0],
                width: (cut[1] - cut[0]) as u32,
                kind: if whole { item.kind } else { Kind::Integer },
                folded: item.folded,
                element: item.element,
                name,
            });
        }
    }
    // Among pieces at the same place, prefer the name of a whole scalar.
    pieces.sort_by_key(|p| (p.start, p.name.contains('@')));
    pieces.dedup_by(|later, kept| {
        let same = later.start == kept.start;
        if same {
            if later.kind != Kind::Boolean && kept.kind == Kind::Boolean {
                kept.kind = Kind::Integer;
            }
            kept.folded |= later.folded;
            kept.element |= later.element;
        }
        same
    });
    *items = pieces;
}

/// Makes names different: parts of several types may have one, at different places.
pub(super) fn distinguish(items: &mut [Item]) {
    let mut names = FxHashSet::default();
    for item in items {
        if !names.insert(item.name.clone()) {
            item.name = format!("{}@@{}", item.name, item.start);
            names.insert(item.name.clone());
        }
    }
}
