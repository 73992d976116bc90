//! The texts of a PGN file in the order in which their games were played, as the archive lists games in the order in which
//! they came into it.
//!
//! A file may be of any length, so each part of [`PART_BYTES`] is put in order by itself. Games of one day stay in the order
//! of the file unless their tags say at what hour they began.
//!
//! Deliberately absent: what the games are. A text counts by the tags of its first game.

use std::io::{self, BufRead};

use super::texts::{Text, Texts};

/// How much of a file is in memory at once: some 50,000 games.
const PART_BYTES: usize = 64 << 20;

/// The parts of a file.
pub(super) struct Parts<R> {
    texts: Texts<R>,
    most: usize,
    error: Option<io::Error>,
}

impl<R: BufRead> Parts<R> {
    pub(super) fn new(texts: Texts<R>) -> Self {
        Self { texts, most: PART_BYTES, error: None }
    }

    /// The next texts, the one that was played first at the beginning; `None` at the end of the file, and after an error.
    pub(super) fn next(&mut self) -> Option<Vec<Text>> {
        let (mut part, mut bytes) = (Vec::new(), 0);
        while bytes < self.most && self.error.is_none() {
            match self.texts.next() {
                Ok(Some(text)) => {
                    bytes += text.text.as_ref().map_or(0, String::len);
                    part.push(text);
                }
                Ok(None) => break,
                Err(error) => self.error = Some(error),
            }
        }
        part.sort_by_cached_key(|text| text.text.as_deref().map(began));
        (!part.is_empty()).then_some(part)
    }

    /// Why the file could not be read to its end.
    pub(super) fn into_error(self) -> Option<io::Error> {
        self.error
    }
}

/// When the first game of a text began, as far as its tags say it: the day, `1972.07.11`, and the hour, `17:05:00`. What is
/// not known comes before what is.
fn began(text: &str) -> (String, String) {
    let tag = |name: &str| {
        let value = |line: &str| {
            Some(
                line.strip_prefix('[')?
                    .strip_prefix(name)?
                    .strip_prefix(" \"")?
                    .split('"')
                    .next()?
                    .to_owned(),
            )
        };
        text.lines().take_while(|line| line.starts_with('[')).find_map(value)
    };
    let first = |names: [&str; 2]| names.into_iter().find_map(tag).unwrap_or_default().replace('?', "");
    (first(["UTCDate", "Date"]), first(["UTCTime", "Time"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str, tags: &str) -> String {
        format!("[Event \"{name}\"]\n{tags}\n1. e4 1-0\n\n")
    }

    /// The names of the events in the order in which the games are added.
    fn order(file: &str, most: usize) -> String {
        let mut parts = Parts { most, ..Parts::new(Texts::new(file.as_bytes())) };
        let mut names = String::new();
        while let Some(part) = parts.next() {
            names.extend(part.iter().map(|text| text.text.as_ref().unwrap().split('"').nth(1).unwrap()));
        }
        assert!(parts.into_error().is_none());
        names
    }

    #[test]
    fn games_come_in_the_order_in_which_they_were_played_and_of_one_day_in_that_of_the_file() {
        let file = [
            game("d", "[Date \"2012.06.21\"]\n"),
            game("b", "[Date \"2012.06.18\"]\n"),
            game("e", "[Date \"2012.06.21\"]\n"),
            game("c", "[Date \"1999.01.01\"]\n[UTCDate \"2012.06.19\"]\n"),
            game("a", "[Date \"2012.??.??\"]\n"),
            game("0", "[Date \"????.??.??\"]\n"),
            game("g", "[UTCDate \"2012.06.22\"]\n[UTCTime \"09:30:00\"]\n"),
            game("f", "[UTCDate \"2012.06.22\"]\n[UTCTime \"08:00:00\"]\n"),
        ];
        assert_eq!(order(&file.concat(), PART_BYTES), "0abcdefg");
    }

    #[test]
    fn a_long_file_is_put_in_order_part_by_part() {
        let file: String =
            ["4", "3", "2", "1"].map(|day| game(day, &format!("[Date \"2012.06.0{day}\"]\n"))).concat();
        assert_eq!(order(&file, file.len() / 2), "3412");
    }
}
