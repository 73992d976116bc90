//! The files of a run: which are wanted, and when they are read and written.
//!
//! What can be wrong with them is found before the run: a long run must not end without its files.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use super::before_after::BeforeAfter;
use super::run::Run;
use super::{json_file, page};

/// Files with what was measured, for every command.
#[derive(Clone, Debug, Default, Args)]
pub struct ReportOptions {
    /// Writes a page with figures and plots: one HTML file that needs nothing else.
    #[arg(long, value_name = "FILE.html", global = true)]
    pub report: Option<PathBuf>,
    /// Writes all that was measured as JSON; loadtest/README.md has the schema.
    #[arg(long, value_name = "FILE", global = true)]
    pub json: Option<PathBuf>,
    /// Compares with an older run of the same command, from its JSON file.
    #[arg(long, value_name = "OLD.json", global = true)]
    pub compare: Option<PathBuf>,
}

/// The files that are written after a run, and the run that it is compared with.
#[derive(Debug)]
pub struct ReportFiles {
    options: ReportOptions,
    before: Option<Run>,
}

impl ReportOptions {
    /// Whether anything is to be made of what is measured.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.report.is_some() || self.json.is_some() || self.compare.is_some()
    }

    /// Reads the older run of the command `name`, and checks that the files can be written.
    ///
    /// # Errors
    /// When it is no run of this command, or a file cannot be written.
    pub fn prepare(&self, name: &str) -> Result<ReportFiles> {
        let before = self.compare.as_deref().map(json_file::load).transpose()?;
        if let (Some(before), Some(path)) = (&before, &self.compare) {
            ensure!(
                before.name == name,
                "cannot compare with {}: it is a run of `{}`, and this is one of `{name}`",
                path.display(),
                before.name
            );
        }
        for path in [&self.report, &self.json].into_iter().flatten() {
            OpenOptions::new().create(true).append(true).open(path).with_context(|| cannot_write(path))?;
        }
        Ok(ReportFiles { options: self.clone(), before })
    }
}

impl ReportFiles {
    /// Writes the files, and the table of both runs to `out`.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn write(&self, run: &Run, out: &mut dyn Write) -> Result<()> {
        if let Some(before) = &self.before {
            let compared = BeforeAfter::of(before, run);
            write!(out, "{}", compared.table())?;
            for caution in &compared.cautions {
                writeln!(out, "{caution}")?;
            }
        }
        if let Some(path) = &self.options.json {
            fs::write(path, json_file::write(run)?).with_context(|| cannot_write(path))?;
        }
        if let Some(path) = &self.options.report {
            fs::write(path, page::render(run, self.before.as_ref())).with_context(|| cannot_write(path))?;
        }
        Ok(())
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
