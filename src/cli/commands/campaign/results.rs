//! The results of a campaign: the table, files, the exit code.

use std::fs;
use std::path::Path;

use super::kept::{stored, unpacked};
use crate::cli::arguments::campaign::CampaignArguments;
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use hardbop_lab::campaign::store::Store;
use hardbop_lab::results::{
    Campaign, benchexec, changes, changes_text, counts_line, csv, page, table,
};

/// Finds out whether what was asked for can be written, before anything is run.
pub(super) fn writable(arguments: &CampaignArguments) -> Result<(), CliError> {
    for path in [&arguments.csv, &arguments.html].into_iter().flatten() {
        if !output::is_stream(path) {
            output::Atomic::new(path)?;
        }
    }
    if let Some(path) = arguments.html.as_ref().filter(|path| output::is_stream(path)) {
        let name = output::name(path);
        return Err(CliError::Usage(format!("'--html' needs a file, not {name}")));
    }
    if let Some(folder) = &arguments.benchexec {
        fs::create_dir_all(folder).map_err(|e| CliError::write(folder, &e))?;
    }
    if let Some(old) = &arguments.diff {
        Store::read(old).map_err(|e| unreadable(old, &e.to_string()))?;
    }
    Ok(())
}

fn unreadable(path: &Path, why: &str) -> CliError {
    CliError::Read { name: output::name(path), reason: why.to_owned() }
}

/// Shows and writes what was asked for.
pub(super) fn write(
    arguments: &CampaignArguments,
    mut campaign: Campaign,
    store: &Store,
    path: &Path,
) -> Result<Exit, CliError> {
    let old = match &arguments.diff {
        Some(old) => {
            let read =
                |e: hardbop_lab::campaign::store::StoreError| unreadable(old, &e.to_string());
            Some(Store::read(old).map_err(read)?.rows().map_err(read)?)
        }
        None => None,
    };
    if let Some(file) = &arguments.html {
        pages(file, &mut campaign, store, path)?;
    }
    let changes = old.as_ref().map(|old| changes(old, &campaign.rows));
    if let Some(path) = &arguments.csv {
        let text = csv(&campaign).map_err(|e| unwritten("the tasks as CSV", &e))?;
        output::write(path, text.as_bytes())?;
    }
    if let Some(file) = &arguments.html {
        let page = page(&campaign, &folder_name(file), changes.as_deref());
        let page = page.map_err(|e| unwritten("the page", &e))?;
        output::write(file, page.as_bytes())?;
    }
    if let Some(folder) = &arguments.benchexec {
        for (part, text) in benchexec(&campaign) {
            let name = format!("{}.{part}.xml", campaign.name.replace(['/', ' '], "-"));
            output::write(&folder.join(name), text.as_bytes())?;
        }
    }
    if !arguments.csv.as_ref().is_some_and(|path| output::is_stream(path)) {
        if !arguments.quiet {
            output::print(&table(&campaign))?;
        }
        if let Some(changes) = &changes {
            output::print(&changes_text(changes))?;
        }
        output::print(&format!("{}\n", counts_line(&campaign)))?;
    }
    Ok(exit(&campaign))
}

/// The folder for the pages of tasks, beside that of the campaign.
fn folder_name(file: &Path) -> String {
    format!("{}-tasks", file.file_stem().unwrap_or_default().to_string_lossy())
}

/// Writes the pages of tasks that were kept.
fn pages(file: &Path, campaign: &mut Campaign, store: &Store, path: &Path) -> Result<(), CliError> {
    let folder = file.with_file_name(folder_name(file));
    for row in &mut campaign.rows {
        let Some(packed) = store.page(&row.hash).map_err(|e| stored(path, &e))? else { continue };
        let page = unpacked(&packed).map_err(|e| unwritten("the page of a task", &e))?;
        fs::create_dir_all(&folder).map_err(|e| CliError::write(&folder, &e))?;
        let to = folder.join(format!("{}.html", row.hash));
        fs::write(&to, page).map_err(|e| CliError::write(&to, &e))?;
        row.has_page = true;
    }
    Ok(())
}

fn unwritten(what: &str, error: &dyn std::error::Error) -> CliError {
    CliError::Write { what: what.to_owned(), reason: error.to_string() }
}

/// The exit code of the worst task.
fn exit(campaign: &Campaign) -> Exit {
    let has = |word: &str| campaign.rows.iter().any(|row| row.word() == word);
    let is_defect = |row: &hardbop_lab::results::Row| {
        let result = row.result.as_ref();
        result.and_then(|r| r.reason.as_ref()).is_some_and(|r| r.code == "internal")
    };
    if campaign.rows.iter().any(|row| row.is_wrong() || is_defect(row)) {
        output::complain(
            "a verdict is wrong, or a task ended by an internal error; see WRONG and ERROR",
        );
        Exit::Internal
    } else if campaign.interrupted {
        output::complain("interrupted; started again, the campaign goes on");
        Exit::Interrupted
    } else if has("UNSAFE") {
        Exit::Unsafe
    } else if has("UNKNOWN") || has("ERROR") || has("") {
        Exit::Unknown
    } else {
        Exit::Safe
    }
}
