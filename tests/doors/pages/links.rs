//! Links of pages lead somewhere.

use std::path::Path;

use super::page::{Page, root};

/// Links of a page that lead nowhere; `pages` has the anchors.
fn broken(page: &Page, pages: &[Page]) -> Vec<String> {
    let folder = Path::new(&page.name).parent().expect("a page is in a folder");
    let mut broken = vec![];
    for (line, link) in page.links() {
        if link.contains("://") || link.starts_with("mailto:") {
            continue;
        }
        let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let target = match file {
            "" => page.name.clone(),
            _ => without_parents(&folder.join(file)),
        };
        let other = match file {
            "" => Some(page),
            _ => pages.iter().find(|p| p.name == target),
        };
        let exists = other.is_some() || root().join(&target).exists();
        let has_anchor = |p: &Page| p.anchors().iter().any(|a| a == anchor);
        if !exists || !anchor.is_empty() && !other.is_some_and(has_anchor) {
            broken.push(format!("{}:{line}: '{link}' leads nowhere", page.name));
        }
    }
    broken
}

fn without_parents(path: &Path) -> String {
    let mut parts: Vec<_> = vec![];
    for part in path.to_string_lossy().split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part.to_owned()),
        }
    }
    parts.join("/")
}

#[test]
fn links_lead_somewhere() {
    let pages = Page::all();
    let broken: Vec<_> = pages.iter().flat_map(|p| broken(p, &pages)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let text = "# A heading: `x`\n[a](#a-heading-x) [b](#other) [c](../README.md)\n\n    [d](code)\n\n\
                [e](nowhere.md) `[f](quoted)` [g](https://example.org)";
    let page = Page::new("docs/page.md", text);
    let others = [Page::new("README.md", "")];
    let expected =
        ["docs/page.md:2: '#other' leads nowhere", "docs/page.md:6: 'nowhere.md' leads nowhere"];
    assert_eq!(broken(&page, &others), expected);
}
