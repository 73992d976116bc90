//! Reads games out of a PGN text, one at a time.
//!
//! The first error in a game is the error of the game. The rest of it is still split into tokens,
//! without playing its moves, so that the next game begins where it should.

use super::error::{PgnError, PgnProblem, excerpt};
use super::result::PgnResult;
use super::token::{Token, Tokens};
use crate::board::{Move, Position};
use crate::game::{Micros, Variant};
use crate::notation::san::SanError;
use crate::notation::{fen, san};

/// A game as it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportedGame {
    /// The line of the text on which the game begins, counted from 1.
    pub line: u32,
    /// Names and values of the tags, in their order.
    pub tags: Vec<(String, String)>,
    /// Chess960 when the Variant tag says so.
    pub variant: Variant,
    /// The first position: that of the FEN tag (unless SetUp is 0), else the standard one.
    pub start: Position,
    /// The moves, all legal.
    pub moves: Vec<Move>,
    /// For each move the clock that a comment after it states, `[%clk 1:40:29.9]`.
    pub clocks: Vec<Option<Micros>>,
    /// The token after the moves, or else the Result tag.
    pub result: PgnResult,
}

impl ImportedGame {
    /// The value of the first tag of that name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

/// The games of a PGN text, in their order.
#[must_use]
pub const fn games(text: &str) -> Games<'_> {
    Games { tokens: Tokens::new(text) }
}

/// The games of a PGN text, read one at a time. See [`games`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    tokens: Tokens<'a>,
}

impl Iterator for Games<'_> {
    type Item = Result<ImportedGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.tokens.peek()?;
        let mut reading = Reading { line: self.tokens.line(), ..Reading::default() };
        reading.read_tags(&mut self.tokens);
        let (variant, start) = (reading.variant(), reading.start());
        reading.read_moves(&mut self.tokens, start.clone());
        Some(reading.finish(variant, start))
    }
}

/// A tag and the line it stands on.
struct Tag {
    line: u32,
    name: String,
    value: String,
}

/// A game while it is read.
#[derive(Default)]
struct Reading {
    line: u32,
    tags: Vec<Tag>,
    moves: Vec<Move>,
    clocks: Vec<Option<Micros>>,
    result: Option<PgnResult>,
    error: Option<PgnError>,
}

impl Reading {
    /// Records an error, if it is the first of the game.
    fn fail(&mut self, line: u32, problem: PgnProblem) {
        self.error.get_or_insert(PgnError { line, problem });
    }

    fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    fn read_tags(&mut self, tokens: &mut Tokens<'_>) {
        while let Some(Token::Tag { .. }) = tokens.peek() {
            let line = tokens.line();
            let before = tokens.clone();
            match tokens.take_tag() {
                // A game without moves and without a result, and then the next.
                Some(("Event", _)) if self.tag("Event").is_some() => {
                    *tokens = before;
                    return;
                }
                Some((name, value)) => self.tags.push(Tag { line, name: name.to_owned(), value }),
                None => self.fail(line, PgnProblem::Tag),
            }
        }
    }

    /// The variant that the tags ask for.
    fn variant(&mut self) -> Variant {
        let Some(tag) = self.tag("Variant") else { return Variant::Standard };
        match variant(&tag.value) {
            Ok(variant) => variant,
            Err(problem) => {
                self.fail(tag.line, problem);
                Variant::Standard
            }
        }
    }

    /// The first position that the tags ask for.
    fn start(&mut self) -> Position {
        let ignored = self.tag("SetUp").is_some_and(|tag| tag.value == "0");
        let Some(tag) = self.tag("FEN").filter(|_| !ignored) else { return Position::standard() };
        match fen::parse(&tag.value) {
            Ok(position) => position,
            Err(error) => {
                self.fail(tag.line, error.into());
                Position::standard()
            }
        }
    }

    /// Reads to the end of the game: its result, the next game's tags, or the end of the text.
    fn read_moves(&mut self, tokens: &mut Tokens<'_>, mut position: Position) {
        while let Some(token) = tokens.peek() {
            let line = tokens.line();
            self.note_clock(tokens.take_clock());
            match token {
                Token::Tag { first_on_line: true } => break,
                Token::Open => self.skip_variation(tokens),
                Token::Unclosed => {
                    self.fail(line, PgnProblem::UnclosedComment);
                    tokens.skip_to_tag_line();
                }
                Token::Glyph => tokens.take(token),
                Token::Word(word) => {
                    tokens.take(token);
                    if let Some(result) = PgnResult::from_token(word) {
                        self.result = Some(result);
                        break;
                    }
                    self.read_move(word, line, &mut position);
                }
                Token::Tag { .. } => self.reject(tokens, token, '['),
                Token::Close => self.reject(tokens, token, ')'),
                Token::Stray(letter) => self.reject(tokens, token, letter),
            }
        }
        self.note_clock(tokens.take_clock());
    }

    /// Notes the clock after the last move, if it is the first one there.
    fn note_clock(&mut self, clock: Option<Micros>) {
        if let Some(last) = self.clocks.last_mut() {
            *last = last.or(clock);
        }
    }

    fn reject<'a>(&mut self, tokens: &mut Tokens<'a>, token: Token<'a>, letter: char) {
        self.fail(tokens.line(), PgnProblem::Unexpected(letter));
        tokens.take(token);
    }

    /// Plays the move of a word. A word that is only a move number or a mark is not a move.
    fn read_move(&mut self, word: &str, line: u32, position: &mut Position) {
        let text = without_move_number(word);
        let is_mark = text.bytes().all(|byte| b"!?+#".contains(&byte)) || matches!(text, "e.p." | "ep");
        if is_mark || self.error.is_some() {
            return;
        }
        match san::parse(text, position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                self.moves.push(mv);
                self.clocks.push(None);
            }
            Err(reason) => self.fail_move(text, line, reason),
        }
    }

    fn fail_move(&mut self, text: &str, line: u32, reason: SanError) {
        let ply = u32::try_from(self.moves.len()).unwrap_or(u32::MAX).saturating_add(1);
        self.fail(line, PgnProblem::Move { ply, text: excerpt(text), reason });
    }

    /// Skips a variation and those within it. The depth is a counter, so no text is too deep.
    fn skip_variation(&mut self, tokens: &mut Tokens<'_>) {
        let line = tokens.line();
        let mut depth = 0_usize;
        while let Some(token) = tokens.peek() {
            match token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::Tag { first_on_line: true } | Token::Unclosed => break,
                Token::Tag { .. } | Token::Glyph | Token::Word(_) | Token::Stray(_) => {}
            }
            tokens.take(token);
            // The clocks of a variation are nobody's.
            let _ = tokens.take_clock();
            if depth == 0 {
                return;
            }
        }
        let is_unclosed = tokens.peek() == Some(Token::Unclosed);
        let _ = tokens.take_clock();
        if !is_unclosed {
            self.fail(line, PgnProblem::UnclosedVariation);
        }
    }

    fn finish(self, variant: Variant, start: Position) -> Result<ImportedGame, PgnError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let result =
            self.result.or_else(|| PgnResult::from_token(&self.tag("Result")?.value)).unwrap_or_default();
        let tags = self.tags.into_iter().map(|tag| (tag.name, tag.value)).collect();
        let (moves, clocks) = (self.moves, self.clocks);
        Ok(ImportedGame { line: self.line, tags, variant, start, moves, clocks, result })
    }
}

/// The variant of a tag, in the spellings of different programs.
fn variant(value: &str) -> Result<Variant, PgnProblem> {
    let letters = value.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase());
    match letters.collect::<String>().as_str() {
        "" | "standard" | "chess" | "normal" | "fromposition" => Ok(Variant::Standard),
        "chess960" | "fischerandom" | "fischerrandom" | "fischerandomchess" | "fischerrandomchess"
        | "freestyle" => Ok(Variant::Chess960),
        _ => Err(PgnProblem::Variant(excerpt(value))),
    }
}

/// The word without a move number and dots before the move: `12.`, `12...Nf3`, `12`, `…`. Castling
/// with zeros and the null move `0000` are no numbers.
fn without_move_number(word: &str) -> &str {
    let is_dot = |letter| matches!(letter, '.' | '…');
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.starts_with(is_dot) || rest.is_empty() && word != "0000" {
        rest.trim_start_matches(is_dot)
    } else {
        word
    }
}
