//! Splits a PGN text into tags, brackets and words, and counts its lines.
//!
//! It knows nothing about chess. It drops comments but for the clocks in them, `;` and `%` lines, and
//! white space. The time is linear in the length of any text, and there is no recursion.

use super::clock;
use crate::game::Micros;

/// A place in a PGN text.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    /// The byte that is read next.
    at: usize,
    /// The line of that byte, counted from 1.
    line: u32,
    /// No comment that begins before this byte is closed: a search for `}` has come as far as here.
    unclosed_before: usize,
    /// The first clock in the comments since it was last taken.
    clock: Option<Micros>,
}

/// A line that begins so begins a game, also where a comment should have been closed.
const FIRST_TAG: &str = "[Event \"";

/// What stands at a place of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[`, the first on its line or not.
    Tag { first_on_line: bool },
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// A numeric annotation glyph, `$` and a number.
    Glyph,
    /// Anything else up to white space or a character of its own meaning.
    Word(&'a str),
    /// A closing bracket or a quote that was not opened.
    Stray(char),
    /// `{` of a comment that is not closed before the next game.
    Unclosed,
}

impl<'a> Tokens<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1, unclosed_before: 0, clock: None }
    }

    /// The line that is read next.
    pub(super) const fn line(&self) -> u32 {
        self.line
    }

    /// The first clock in the comments that were dropped since this was last called.
    pub(super) const fn take_clock(&mut self) -> Option<Micros> {
        self.clock.take()
    }

    /// The next token, without taking it. Anything without meaning before it is dropped.
    pub(super) fn peek(&mut self) -> Option<Token<'a>> {
        self.skip_meaningless();
        let rest = self.rest();
        let first = rest.chars().next()?;
        Some(match first {
            '[' => Token::Tag { first_on_line: self.is_first_on_line() },
            '(' => Token::Open,
            ')' => Token::Close,
            '$' => Token::Glyph,
            '{' => Token::Unclosed,
            ']' | '}' | '"' => Token::Stray(first),
            _ => Token::Word(&rest[..rest.find(ends_word).unwrap_or(rest.len())]),
        })
    }

    /// Takes a token that was peeked at. A tag is taken by [`Tokens::take_tag`].
    pub(super) fn take(&mut self, token: Token<'a>) {
        match token {
            Token::Word(word) => self.advance(word.len()),
            Token::Glyph => {
                let rest = &self.rest()[1..];
                let digits =
                    rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
                self.advance(1 + digits);
            }
            Token::Tag { .. } | Token::Open | Token::Close | Token::Stray(_) | Token::Unclosed => {
                self.advance(1);
            }
        }
    }

    /// Takes a tag, starting at its `[`. If it is not a tag, the result is `None` and the rest of
    /// its line is dropped.
    pub(super) fn take_tag(&mut self) -> Option<(&'a str, String)> {
        let rest = self.rest();
        match read_tag(rest) {
            Some((name, value, after)) => {
                self.advance(rest.len() - after.len());
                Some((name, value))
            }
            None => {
                self.advance(self.rest_of_line().len());
                None
            }
        }
    }

    /// Continues at the next line that looks like a tag. For a comment that is not closed: nothing
    /// else shows where it should have ended.
    pub(super) fn skip_to_tag_line(&mut self) {
        loop {
            let rest = self.rest();
            let Some(end) = rest.find(is_line_end) else {
                self.advance(rest.len());
                return;
            };
            self.advance(end + 1);
            if read_tag(self.rest()).is_some() {
                return;
            }
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn rest_of_line(&self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.find(is_line_end).unwrap_or(rest.len())]
    }

    fn skip_meaningless(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches(is_blank).len();
            if blank > 0 {
                self.advance(blank);
                continue;
            }
            let length = match rest.as_bytes().first() {
                Some(b';') => self.rest_of_line().len(),
                Some(b'%') if self.is_at_line_start() => self.rest_of_line().len(),
                Some(b'{') => match self.comment_length() {
                    Some(length) => {
                        self.clock = self.clock.or_else(|| clock::in_comment(&rest[..length]));
                        length
                    }
                    None => return,
                },
                _ => return,
            };
            self.advance(length);
        }
    }

    /// The bytes of the comment that begins here, braces included; `None` when it is not closed
    /// before the next game.
    fn comment_length(&mut self) -> Option<usize> {
        if self.at < self.unclosed_before {
            return None;
        }
        let rest = self.rest();
        let mut searched = 0;
        while let Some(found) = rest[searched..].find(['}', '\n', '\r']) {
            searched += found + 1;
            if rest.as_bytes()[searched - 1] == b'}' {
                return Some(searched);
            }
            if rest[searched..].starts_with(FIRST_TAG) {
                self.unclosed_before = self.at + searched;
                return None;
            }
        }
        self.unclosed_before = self.text.len();
        None
    }

    fn is_at_line_start(&self) -> bool {
        self.text[..self.at].trim_end_matches('\u{feff}').chars().next_back().is_none_or(is_line_end)
    }

    fn is_first_on_line(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches(|letter| is_blank(letter) && !is_line_end(letter));
        before.chars().next_back().is_none_or(is_line_end)
    }

    /// Moves on, and counts the lines that end on the way: at LF, and at CR where no LF follows.
    fn advance(&mut self, length: usize) {
        let bytes = self.text.as_bytes();
        for at in self.at..self.at + length {
            if bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                self.line += 1;
            }
        }
        self.at += length;
    }
}

/// A tag at the beginning of `text`, within its first line: its name, its value without escapes,
/// and what follows it. Looks no farther than the tag or the line, whichever ends first.
fn read_tag(text: &str) -> Option<(&str, String, &str)> {
    let rest = without_gap(text.strip_prefix('[')?);
    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
    let (name, rest) = rest.split_at(end);
    let quoted = without_gap(rest).strip_prefix('"').filter(|_| !name.is_empty())?;
    let mut value = String::new();
    let mut letters = quoted.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((name, value, without_gap(&quoted[at + 1..]).strip_prefix(']')?)),
            '\\' => {
                let escaped = letters.next_if(|&(_, next)| next == '"' || next == '\\');
                value.push(escaped.map_or(letter, |(_, next)| next));
            }
            _ if is_line_end(letter) => return None,
            _ => value.push(letter),
        }
    }
    None
}

/// The text after leading spaces and tabs.
fn without_gap(text: &str) -> &str {
    text.trim_start_matches([' ', '\t'])
}

const fn is_line_end(letter: char) -> bool {
    matches!(letter, '\n' | '\r')
}

/// White space. A byte order mark counts too, because files are concatenated.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{feff}'
}

fn ends_word(letter: char) -> bool {
    is_blank(letter) || matches!(letter, '[' | ']' | '(' | ')' | '{' | '}' | '"' | ';' | '$')
}
