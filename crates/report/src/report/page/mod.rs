//! The page of a run, for browsers: one file of HTML that needs nothing else and loads nothing.
//!
//! All that it says is in the HTML, so that it can be read without the script, which only steps
//! through the error path.

mod findings;
mod frame;
mod notes;
mod outline;
mod path;
mod source;
mod states;
mod statistics;

use crate::document::Document;
use source::Listing;

impl Document {
    /// The page of one run: the verdict, the error path beside the program's text, invariants at
    /// their lines, statistics.
    ///
    /// `read` gives the text of a file that the answer names, or says in words why there is none.
    ///
    /// ```
    /// use hardbop_base::{budget::Budget, source::Source};
    /// use hardbop_report::document::RunOptions;
    /// use hardbop_session::check::check_bp;
    ///
    /// let source = Source::new("lock.bp", "decl held;\nvoid main() begin assert(!held); end");
    /// let answer = check_bp(&source, &RunOptions::default(), &Budget::unlimited(), &mut ())?;
    /// let page = answer.html(|_| Ok(source.text.clone()));
    /// assert!(page.contains("<title>UNSAFE: lock.bp - hardbop</title>"));
    /// # Ok::<(), hardbop_session::check::CheckError>(())
    /// ```
    #[must_use]
    pub fn html(&self, read: impl FnMut(&str) -> Result<String, String>) -> String {
        let listing = Listing::new(self, read);
        let path = path::section(self, &listing);
        let columns = if path.is_empty() { "columns" } else { "columns two" };
        let body = [
            frame::banner(self),
            format!("<main>\n<div class=\"{columns}\">\n"),
            path,
            listing.section(Some(self)),
            "</div>\n".to_owned(),
            outline::section(self, &listing),
            notes::sections(self, &listing),
            statistics::section(self),
            "</main>\n".to_owned(),
        ];
        let title = format!("{}: {}", self.verdict.word(), frame::name(self));
        frame::page(self.version, &title, &body.concat(), &states::data(self, &listing))
    }
}
