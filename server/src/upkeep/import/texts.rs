//! The texts of a PGN file, one at a time: each has one game, or the few of which nothing shows where one ends.
//!
//! A text ends before a line that begins with `[Event "` once it has moves or such a line itself, and before any other tag
//! after moves and an empty line. What is not UTF-8 is read as ISO 8859-1, which the standard asks for.
//!
//! Deliberately absent: what the games are (`rules::notation::pgn`).
//!
//! Invariant: a text is at most [`TEXT_BYTES_MAX`] long as it stands in the file, and no more than that is in memory,
//! twice.

use std::io::{self, BufRead, Read as _};

/// The longest text of a game, in bytes: a hundred times what a game with clocks and evaluations takes.
pub(super) const TEXT_BYTES_MAX: usize = 1 << 20;

/// How every game begins that says where it was played.
const EVENT: &[u8] = b"[Event \"";

/// A part of the file.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Text {
    /// Its first line in the file, counted from 1.
    pub(super) line: u64,
    /// `None` when it is too long.
    pub(super) text: Option<String>,
}

/// The texts of a file.
pub(super) struct Texts<R> {
    from: R,
    /// The line that begins the next text.
    line: Vec<u8>,
    /// Its number.
    number: u64,
    is_line_too_long: bool,
}

/// What a line is, as far as it says where a text ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Empty,
    Event,
    Tag,
    Moves,
}

impl Kind {
    fn of(line: &[u8]) -> Self {
        let line_without_gap = line.trim_ascii();
        match line_without_gap {
            _ if line.starts_with(EVENT) => Self::Event,
            [] => Self::Empty,
            [b'[', letter, ..] if letter.is_ascii_alphabetic() => Self::Tag,
            _ => Self::Moves,
        }
    }
}

impl<R: BufRead> Texts<R> {
    pub(super) fn new(from: R) -> Self {
        Self { from, line: Vec::new(), number: 0, is_line_too_long: false }
    }

    /// The next text; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Text>> {
        if self.number == 0 {
            self.read_line()?;
        }
        if self.line.is_empty() {
            return Ok(None);
        }
        let (line, mut text, mut is_too_long) = (self.number, Vec::new(), false);
        let (mut has_event, mut has_moves, mut is_after_empty) = (false, false, false);
        while !self.line.is_empty() {
            let kind = Kind::of(&self.line);
            let begins_next = match kind {
                Kind::Event => has_event || has_moves,
                Kind::Tag => has_moves && is_after_empty,
                Kind::Empty | Kind::Moves => false,
            };
            if begins_next {
                break;
            }
            has_event |= kind == Kind::Event;
            has_moves |= kind == Kind::Moves;
            is_after_empty = kind == Kind::Empty;
            is_too_long |= self.is_line_too_long || text.len() + self.line.len() > TEXT_BYTES_MAX;
            if !is_too_long {
                text.append(&mut self.line);
            }
            self.read_line()?;
        }
        Ok(Some(Text { line, text: (!is_too_long).then(|| decoded(text)) }))
    }

    /// Reads the next line with its end; none at the end of the file. Of one that is too long only the beginning is kept.
    fn read_line(&mut self) -> io::Result<()> {
        self.line.clear();
        self.number += 1;
        let most = TEXT_BYTES_MAX as u64 + 1;
        self.from.by_ref().take(most).read_until(b'\n', &mut self.line)?;
        self.is_line_too_long = self.line.len() > TEXT_BYTES_MAX;
        let mut is_whole = !self.is_line_too_long || self.line.ends_with(b"\n");
        let mut rest = Vec::new();
        while !is_whole {
            rest.clear();
            let count = self.from.by_ref().take(most).read_until(b'\n', &mut rest)?;
            is_whole = count == 0 || rest.ends_with(b"\n");
        }
        Ok(())
    }
}

fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(file: &[u8]) -> Vec<(u64, Option<String>)> {
        let mut texts = Texts::new(file);
        std::iter::from_fn(|| texts.next().unwrap()).map(|text| (text.line, text.text)).collect()
    }

    #[track_caller]
    fn check(file: &str, expected: &[(u64, &str)]) {
        let expected: Vec<_> =
            expected.iter().map(|(line, text)| (*line, Some((*text).to_owned()))).collect();
        assert_eq!(texts(file.as_bytes()), expected);
    }

    #[test]
    fn a_text_is_a_game() {
        check("", &[]);
        check(
            "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n*",
            &[(1, "[Event \"a\"]\n\n1. e4 *\n\n"), (5, "[Event \"b\"]\n*")],
        );
        check("[Event \"a\"]\r\n[Event \"b\"]\r\n", &[(1, "[Event \"a\"]\r\n"), (2, "[Event \"b\"]\r\n")]);
        check(
            "[Site \"a\"]\n[Event \"b\"]\n*\n[Event \"c\"]\n",
            &[(1, "[Site \"a\"]\n[Event \"b\"]\n*\n"), (4, "[Event \"c\"]\n")],
        );
        check(
            "[White \"a\"]\n\n1-0\n \n[White \"b\"]\n0-1",
            &[(1, "[White \"a\"]\n\n1-0\n \n"), (5, "[White \"b\"]\n0-1")],
        );
    }

    #[test]
    fn what_does_not_show_where_it_ends_stays_together() {
        for file in
            ["1. e4 1-0 1. d4 0-1\n\n1. c4 *", "[White \"a\"]\n*\n[White \"b\"]\n*", "{\n\n[%clk 0:01]} 1-0"]
        {
            check(file, &[(1, file)]);
        }
    }

    #[test]
    fn what_is_not_utf_8_is_iso_8859_1() {
        assert_eq!(texts(b"[White \"K\xf6nig\"]"), [(1, Some("[White \"K\u{f6}nig\"]".to_owned()))]);
        check("[White \"K\u{f6}nig\"]", &[(1, "[White \"K\u{f6}nig\"]")]);
    }

    #[test]
    fn a_text_that_is_too_long_is_passed_over() {
        let (line, short) = (format!("{}\n", "x".repeat(TEXT_BYTES_MAX / 2)), "[Event \"b\"]\n1-0\n");
        let lines = format!("{line}{line}{line}{short}");
        assert_eq!(texts(lines.as_bytes()), [(1, None), (4, Some(short.to_owned()))]);
        let one = format!("{}\n{short}{}", "x".repeat(4 * TEXT_BYTES_MAX), "y".repeat(3));
        assert_eq!(texts(one.as_bytes()), [(1, None), (2, Some(format!("{short}yyy")))]);
        let longest = "x".repeat(TEXT_BYTES_MAX);
        assert_eq!(texts(longest.as_bytes()), [(1, Some(longest.clone()))]);
        assert_eq!(texts(format!("{longest}y").as_bytes()), [(1, None)]);
    }
}
