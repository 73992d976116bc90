//! `zeitnot import`: games that were played elsewhere become finished games of the archive.
//!
//! | file | what it is |
//! |---|---|
//! | `texts` | a file of any length, one game at a time |
//! | `days` | the games of a part of the file, by the day on which they were played |
//! | `game` | a game that was read, as the archive keeps it |
//! | `writer` | many games into the archive in one transaction |
//!
//! No server may serve from the folder meanwhile: the lock keeps it out. Many games are written in one transaction. An
//! import that was killed is completed by another one, which finds what is there already.
//!
//! Deliberately absent: accounts. Who played elsewhere has none here, whatever the name.

mod days;
mod game;
#[cfg(test)]
mod tests;
mod texts;
mod writer;

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use zeitnot_rules::notation::pgn;

/// For the fuzz target of PGN.
#[cfg(any(test, fuzzing))]
pub(crate) use self::game::whole;

use self::days::Parts;
use self::game::BadGame;
use self::texts::{Text, Texts};
use self::writer::ArchiveWriter;
use crate::storage::sqlite::OpenError;

/// Games of one transaction: each takes about a millisecond, and a commit several.
const GAMES_PER_COMMIT: usize = 500;

/// Rejected games that are named; the others are counted.
const NAMED_MAX: usize = 50;

/// Why games are not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The data folder cannot be used; a server may serve from it.
    #[error(transparent)]
    Folder(#[from] OpenError),
    /// The file cannot be read.
    #[error("{} cannot be read: {error}", .file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The games cannot be written.
    #[error("the games cannot be written: {0}. Import the file again to add those that are missing")]
    Sqlite(#[from] rusqlite::Error),
}

/// What became of the games of a file.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// Games that are in the archive now and were not before.
    pub added: u64,
    /// Games that were there already.
    pub known: u64,
    /// Games that cannot be imported.
    pub rejected: u64,
    /// Why, of the first of them, by line.
    named: Vec<(u64, String)>,
}

impl Imported {
    /// Whether all games of the file are in the archive.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.rejected == 0
    }

    fn reject(&mut self, line: u64, why: &BadGame) {
        self.rejected += 1;
        if self.named.len() < NAMED_MAX {
            self.named.push((line, why.to_string()));
        }
    }
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { added, known, rejected, named } = self;
        let read = added + known + rejected;
        writeln!(f, "Games read: {read}. Imported: {added}. Already there: {known}. Rejected: {rejected}.")?;
        named.iter().try_for_each(|(line, why)| writeln!(f, "  line {line}: {why}"))?;
        match rejected.saturating_sub(named.len() as u64) {
            0 => Ok(()),
            more => writeln!(f, "  and {more} more"),
        }
    }
}

/// Imports the games of a PGN file into the data folder `data`.
///
/// # Errors
/// See [`ImportError`].
pub fn import(data: &Path, file: &Path) -> Result<Imported, ImportError> {
    let failed = |error| ImportError::File { file: file.to_owned(), error };
    let from = File::open(file).map_err(failed)?;
    let mut writer = ArchiveWriter::open(data, GAMES_PER_COMMIT)?;
    let imported = add_all(BufReader::new(from), &mut writer, file)?;
    writer.finish()?;
    Ok(imported)
}

/// Gives the writer all games of a file, those of each part of it by the day on which they were played.
fn add_all(from: impl BufRead, writer: &mut ArchiveWriter, file: &Path) -> Result<Imported, ImportError> {
    let (mut parts, mut imported) = (Parts::new(Texts::new(from)), Imported::default());
    while let Some(part) = parts.next() {
        for text in part {
            add_games(&text, writer, &mut imported)?;
        }
    }
    imported.named.sort_unstable();
    match parts.into_error() {
        Some(error) => Err(ImportError::File { file: file.to_owned(), error }),
        None => Ok(imported),
    }
}

/// Gives the writer the games of a text.
fn add_games(part: &Text, writer: &mut ArchiveWriter, imported: &mut Imported) -> rusqlite::Result<()> {
    let Some(text) = &part.text else {
        imported.reject(part.line, &BadGame::Bytes);
        return Ok(());
    };
    let in_file = |line: u32| part.line + u64::from(line) - 1;
    for read in pgn::games(text) {
        let whole = match read {
            Ok(read) => {
                let line = read.line;
                game::whole(read).map_err(|why| (line, why))
            }
            Err(error) => Err((error.line, error.problem.into())),
        };
        match whole {
            Ok(whole) => *if writer.add(whole)? { &mut imported.added } else { &mut imported.known } += 1,
            Err((line, why)) => imported.reject(in_file(line), &why),
        }
    }
    Ok(())
}
