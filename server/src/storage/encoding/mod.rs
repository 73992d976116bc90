//! The binary encoding of rows, version 6: those of the segments, of the archive, and of games at rest.
//!
//! A row is `version, kind, body, CRC-32C of all before`. Numbers are LEB128 varints in their
//! shortest form; every enum has explicit tags that are never given a second meaning. One table
//! says how a type is written and how it is read. A row that decodes encodes to the same bytes
//! again, so that golden files pin the format.
//!
//! Reading is total: what is torn, flipped, unknown or too long is a [`DecodeError`], never a
//! panic, and no number read decides an allocation before the bytes for it are seen.
//!
//! Version 2 says of a game's start also the names of its players, and whether its position was
//! drawn by lot. Version 1 did not, and is read as without both.
//!
//! | file | what it is |
//! |---|---|
//! | `field` | what has one form in rows; the versions, and why bytes are not a row |
//! | `event`, `setup` | events and what they hold, as tables; charges, alone and in a list |
//! | `list` | all records of a game in less room than single rows take |
//! | `row` | whole rows, with their checksums |
//!
//! Version 3 has games at rest, the end of a game that both players have left, and lists in half the
//! room. What a list leaves out follows from the records before by arithmetic alone. Rows of older
//! versions stay as they are.
//!
//! Version 4 says of a game's start also whether it is rated, the players' ratings, which of them are programs, and
//! whether it was imported. What earlier versions wrote is a casual game of people without ratings, played here.
//!
//! Version 5 says of the start of a game that was imported also its tags. One that an earlier version wrote has none.
//!
//! Version 6 has the row with which a node claims a game. Only databases have any.
//!
//! Deliberately absent: SQLite, and any meaning of the events. A field is never added to version 6:
//! that is version 7, and all are read for ever (`golden` keeps one file of each row ever shipped).
//! A new version comes with a step of the database's schema, so that an older server rejects the
//! folder instead of setting aside what it cannot read.

mod event;
mod field;
mod list;
mod row;
mod setup;
#[cfg(test)]
mod tests;

pub(crate) use event::result_tags;
pub use field::{DecodeError, FORMAT};
pub use list::WholeGame;
pub(crate) use row::instant;
pub use row::{Row, decode, encode};
