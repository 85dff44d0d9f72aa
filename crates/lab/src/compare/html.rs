//! A page with all tables and plots, in one file that needs nothing else.

use std::fmt::Write as _;

use super::comparison::Comparison;
use super::plot::{PlotError, cactus, growth_plot, scatter};
use super::table::{SCORES, lead, memory, score, time};
use hardbop_report::markup::escaped;
use hardbop_report::units::{bytes, counted};

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1f2328; --paper: #fffffe; --line: #d0d7de; --bad: #cf222e; --win: #1a7f37 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --paper: #0d1117; --line: #3d444d; --bad: #ff7b72; --win: #3fb950 }
}
body { color: var(--ink); background: var(--paper); font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 76em; padding: 0 1em }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid var(--line); padding: .15em .7em; text-align: right; white-space: nowrap }
th:first-child, td:first-child, .left { text-align: left }
.wide { overflow-x: auto }
.win { color: var(--win); font-weight: bold }
.bad { color: var(--bad); font-weight: bold }
.plots { display: flex; flex-wrap: wrap; gap: 1em }
svg { max-width: 100%; height: auto; border: 1px solid var(--line) }
code { overflow-wrap: anywhere }
";

/// The page.
///
/// # Errors
/// [`PlotError`] where a plot cannot be drawn.
pub fn html(comparison: &Comparison) -> Result<String, PlotError> {
    // Writing to a string cannot fail.
    let mut out =
        String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    let _ = write!(
        out,
        "<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>hardbop compare</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>hardbop compare</h1>\n<p>{}</p>\n",
        setting(comparison),
    );
    for disagreement in &comparison.disagreements {
        let _ = writeln!(out, "<p class=\"bad\">{}</p>", escaped(&disagreement.to_string()));
    }
    scores(comparison, &mut out);
    out.push_str("<h2>Plots</h2>\n<div class=\"plots\">\n");
    out.push_str(&cactus(comparison)?);
    for other in 1..comparison.contestants.len() {
        out.push_str(&scatter(comparison, 0, other)?);
    }
    out.push_str("</div>\n<p>A dashed line is the time limit; who did not decide is on it.</p>\n");
    if !comparison.growth.is_empty() {
        out.push_str("<h2>Families</h2>\n<div class=\"plots\">\n");
        for family in &comparison.growth {
            let _ = writeln!(
                out,
                "<div>{}<p>{}</p></div>",
                growth_plot(comparison, family)?,
                escaped(&lead(family)),
            );
        }
        out.push_str("</div>\n");
    }
    files(comparison, &mut out);
    out.push_str("<h2>Commands</h2>\n<ul>\n");
    for c in &comparison.contestants {
        let (name, command) = (escaped(&c.name), escaped(&c.command));
        let _ = writeln!(out, "<li>{name}: <code>{command}</code></li>");
    }
    out.push_str("</ul>\n</body>\n</html>\n");
    Ok(out)
}

/// How it was measured, in a sentence.
fn setting(comparison: &Comparison) -> String {
    let options = &comparison.options;
    let memory = options.memory_limit_bytes.map_or_else(String::new, |b| format!(", {}", bytes(b)));
    let runs = if options.runs > 1 { "; medians" } else { "" };
    let end = if comparison.interrupted { " Interrupted; not all was measured." } else { "" };
    format!(
        "hardbop {}, {}, limit {} s{memory} each, {}{runs}, {}.{end}",
        comparison.version,
        counted(comparison.files.len() as u64, "file"),
        options.time_limit_seconds,
        counted(options.runs as u64, "run"),
        counted(options.jobs as u64, "job"),
    )
}

fn head(titles: impl IntoIterator<Item = String>, out: &mut String) {
    let cells: String = titles.into_iter().map(|t| format!("<th>{}</th>", escaped(&t))).collect();
    let _ = write!(out, "<div class=\"wide\"><table>\n<tr>{cells}</tr>\n");
}

fn scores(comparison: &Comparison, out: &mut String) {
    out.push_str("<h2>Scores</h2>\n");
    head(SCORES.map(str::to_owned), out);
    for s in &comparison.scores {
        let cells = score(s).map(|c| format!("<td>{}</td>", escaped(&c))).concat();
        let _ = writeln!(out, "<tr>{cells}</tr>");
    }
    out.push_str(
        "</table></div>\n<p>PAR-2: mean time, an undecided file counting twice the limit. Ratio: \
         geometric mean of the time over that of the first line, on files that both decide; then \
         on those where one of them takes 0.1 s or more.</p>\n",
    );
}

fn files(comparison: &Comparison, out: &mut String) {
    out.push_str("<h2>Files</h2>\n");
    let titles = ["file", "verdict"].into_iter().map(str::to_owned);
    let names = comparison.contestants.iter().flat_map(|c| [c.name.clone(), "memory".to_owned()]);
    head(titles.chain(names), out);
    for row in &comparison.files {
        let bad = comparison.disagreements.iter().any(|d| d.file == row.file);
        let verdict =
            if bad { "<span class=\"bad\">DISAGREEMENT</span>" } else { row.verdict().word() };
        let best = (0..row.results.len()).filter_map(|c| row.seconds(c)).min_by(f64::total_cmp);
        let _ = write!(out, "<tr><td>{}</td><td class=\"left\">{verdict}</td>", escaped(&row.file));
        for (c, measured) in row.results.iter().enumerate() {
            let wins = best.is_some() && row.seconds(c) == best;
            let class = if wins { " class=\"win\"" } else { "" };
            let reason = measured.as_ref().and_then(|m| m.reason.as_ref());
            let reason = reason.map_or("", |r| r.message.as_str());
            let (time, memory) = (time(measured.as_ref()), memory(measured.as_ref()));
            let _ = write!(
                out,
                "<td{class} title=\"{}\">{time}</td><td>{memory}</td>",
                escaped(reason)
            );
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
}

#[cfg(test)]
mod tests {
    use super::super::sample::{comparison, row};
    use super::*;

    #[test]
    fn names_do_not_break_the_page() {
        let page = html(&comparison(vec![row("<&\"1.bp", [Some(1.0), None])])).expect("a page");
        assert!(page.contains("<td>&lt;&amp;&quot;1.bp</td>"), "{page}");
        assert!(page.contains("<code>a &lt;{}&gt; &amp; b</code>"), "{page}");
    }
}
