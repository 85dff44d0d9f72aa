//! Results as BenchExec writes them, for its table-generator and what reads its files.

use std::fmt::Write as _;

use super::rows::{Campaign, Finished, Row};
use hardbop_report::document::Verdict;
use hardbop_report::markup::escaped;

/// The XML of each property with options: a part of its file's name, and the text.
#[must_use]
pub fn benchexec(campaign: &Campaign) -> Vec<(String, String)> {
    let columns = campaign.columns();
    let of = |(name, pair): &(String, (&str, &str))| {
        let part = name.replace(|c: char| !c.is_alphanumeric() && !"._+-".contains(c), "-");
        (part.replace("--", "-"), xml(campaign, name, *pair))
    };
    columns.iter().map(of).collect()
}

fn xml(campaign: &Campaign, name: &str, (property, options): (&str, &str)) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE result PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN\" \
         \"https://www.sosy-lab.org/benchexec/result-3.0.dtd\">\n\
         <result benchmarkname=\"{}\" name=\"{}\" displayName=\"{}\" options=\"{}\" tool=\"hardbop\" \
         toolmodule=\"hardbop\" version=\"{}\" timelimit=\"{}s\" memlimit=\"{}B\">\n  <columns/>\n",
        escaped(&campaign.name),
        escaped(name),
        escaped(name),
        escaped(options),
        escaped(campaign.version),
        campaign.time_limit_seconds,
        campaign.memory_limit_bytes,
    );
    for row in campaign.rows.iter().filter(|r| r.property == property && r.options == options) {
        let Some(result) = &row.result else { continue };
        let program = escaped(&row.program);
        let expected = row.expected.map_or_else(String::new, |verdict| {
            format!(" expectedVerdict=\"{}\"", verdict == Verdict::Safe)
        });
        let _ = writeln!(
            out,
            "  <run name=\"{program}\" files=\"[{program}]\" properties=\"{}\"{expected}>",
            escaped(property)
        );
        let mut column = |title: &str, value: &str| {
            let _ = writeln!(out, "    <column title=\"{title}\" value=\"{}\"/>", escaped(value));
        };
        column("status", &status(row));
        column("category", category(row));
        column("walltime", &format!("{:.6}s", result.seconds));
        if let Some(seconds) = result.cpu_seconds {
            column("cputime", &format!("{seconds:.6}s"));
        }
        if let Some(bytes) = result.memory_bytes {
            column("memory", &format!("{bytes}B"));
        }
        if let Some(node) = &result.node {
            column("host", node);
        }
        out.push_str("  </run>\n");
    }
    out + "</result>\n"
}

/// The status of a result, as BenchExec calls it.
fn status(row: &Row) -> String {
    let Some(result) = &row.result else { return String::new() };
    let code = result.reason.as_ref().map_or("", |r| &*r.code);
    match (result.verdict, code) {
        (Verdict::Safe, _) => "true".to_owned(),
        (Verdict::Unsafe, _) => "false".to_owned(),
        (_, "time") => "TIMEOUT".to_owned(),
        (_, "memory") => "OUT OF MEMORY".to_owned(),
        _ if result.is_failure() => format!("ERROR ({code})"),
        _ => format!("unknown ({code})"),
    }
}

fn category(row: &Row) -> &'static str {
    let is_decided = row.result.as_ref().is_some_and(Finished::is_decided);
    match (is_decided, row.expected) {
        (true, None) => "missing",
        (true, Some(_)) if row.is_wrong() => "wrong",
        (true, Some(_)) => "correct",
        (false, _) if matches!(&*status(row), "TIMEOUT" | "OUT OF MEMORY") => "error",
        (false, _) if row.word() == "ERROR" => "error",
        (false, _) => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{campaign, row};
    use super::*;
    use hardbop_report::document::Verdict::{Safe, Unknown, Unsafe};

    #[test]
    fn categories() {
        let mut rows = vec![
            row("a<b.c", ("lock", "x"), Safe, 1.0),
            row("b.c", ("lock", "x"), Unknown, 10.0),
            row("a<b.c", ("lock", "y"), Unsafe, 1.0),
        ];
        rows[0].expected = Some(Unsafe);
        let files = benchexec(&campaign(rows));
        let names: Vec<&str> = files.iter().map(|f| f.0.as_str()).collect();
        assert_eq!(names, ["x", "y"]);
        let text = &files[0].1;
        assert!(text.contains("<run name=\"a&lt;b.c\""), "{text}");
        assert!(text.contains("expectedVerdict=\"false\""));
        assert!(text.contains("value=\"wrong\"") && text.contains("value=\"TIMEOUT\""));
        assert!(files[1].1.contains("value=\"missing\""));
    }
}
