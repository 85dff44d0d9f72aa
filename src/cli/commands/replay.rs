//! `hardbop replay`: does a session have the same answers today?

use std::sync::Arc;

use crate::cli::arguments::serve::ReplayArguments;
use crate::cli::input::host::Files;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::interrupt;
use crate::cli::{input, output};
use crate::serve::Host;
use crate::serve::record::{Difference, Log};

/// Replays, and prints the differences.
pub(crate) fn run(arguments: &ReplayArguments) -> Result<Exit, CliError> {
    interrupt::at_once();
    let name = output::name(&arguments.file);
    let fail = |reason: String| CliError::Read { name: name.clone(), reason };
    let bytes = input::read_bytes(&arguments.file)?;
    let text = String::from_utf8(bytes).map_err(|_| fail("it is no UTF-8".into()))?;
    let log = Log::parse(&text).map_err(|e| fail(format!("it is no log of a session: {e}")))?;
    let host: Arc<dyn Host> = Arc::new(Files);
    let found = log.replay(&host).map_err(|e| CliError::Internal(e.to_string()))?;
    let mut text = String::new();
    for difference in &found.differences {
        text.push_str(&line(difference));
    }
    text.push_str(&format!(
        "{} answers compared, {} left out: {}\n",
        found.compared,
        found.skipped,
        match found.differences.len() {
            0 => "no difference".to_owned(),
            1 => "1 difference".to_owned(),
            n => format!("{n} differences"),
        }
    ));
    output::print(&text)?;
    Ok(if found.differences.is_empty() { Exit::Safe } else { Exit::Refused })
}

/// `request 3, /result/verdict: "SAFE", now "UNSAFE"`
fn line(difference: &Difference) -> String {
    const LONGEST: usize = 200;
    let shown = |value: &Option<serde_json::Value>| match value {
        None => "nothing".to_owned(),
        Some(value) => {
            let text = value.to_string();
            match text.char_indices().nth(LONGEST) {
                Some((end, _)) => format!("{}...", &text[..end]),
                None => text,
            }
        }
    };
    let Difference { order, place, before, now } = difference;
    format!("request {order}, {place}: {}, now {}\n", shown(before), shown(now))
}
