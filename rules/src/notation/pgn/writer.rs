//! Writes one game in export format.
//!
//! Invariants of what is written: no line of the moves has 80 columns or more (a tag cannot be
//! broken and may be longer); no line of them begins with `%` or `[`; nothing in a name or a
//! comment can end it early.

use super::result::PgnResult;
use crate::board::{Color, Move, Position};
use crate::game::{Micros, Variant};
use crate::notation::{fen, san};

/// A game to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// Names and values of tags. The seven tags that every game has come first whatever their order
    /// here, and are unknown (`?`) where they are missing. Result, Variant, SetUp and FEN are made
    /// from the fields below; given ones are left out.
    pub tags: Vec<(String, String)>,
    /// Standard or Chess960.
    pub variant: Variant,
    /// The first position.
    pub start: Position,
    /// The moves.
    pub moves: Vec<PgnMove>,
    /// The result.
    pub result: PgnResult,
}

/// A move to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnMove {
    /// The move.
    pub mv: Move,
    /// The mover's clock after the move; written in tenths of a second, rounded down.
    pub clock: Option<Micros>,
    /// Any text, chat too. Braces become parentheses and line breaks become spaces.
    pub comment: Option<String>,
}

impl PgnMove {
    /// A move without clock and comment.
    #[must_use]
    pub const fn new(mv: Move) -> Self {
        Self { mv, clock: None, comment: None }
    }
}

/// The tags that every game has, in their order, with the values that mean "unknown".
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Writes a game; the text ends with a line end.
///
/// # Panics
/// When a move is not legal where it stands.
#[must_use]
pub fn write(game: &PgnGame) -> String {
    let mut text = String::with_capacity(512 + 16 * game.moves.len());
    write_tags(game, &mut text);
    text.push('\n');
    let mut lines = Lines { text, columns: 0 };
    write_moves(game, &mut lines);
    lines.word(game.result.token());
    lines.text.push('\n');
    lines.text
}

fn write_tags(game: &PgnGame, text: &mut String) {
    for (name, unknown) in ROSTER {
        let given =
            game.tags.iter().find(|(tag, _)| tag == name).map_or(unknown, |(_, value)| value.as_str());
        write_tag(name, if name == "Result" { game.result.token() } else { given }, text);
    }
    let is_own = |name: &str| {
        ROSTER.iter().any(|(tag, _)| *tag == name) || ["Variant", "SetUp", "FEN"].contains(&name)
    };
    for (name, value) in game.tags.iter().filter(|(name, _)| !is_own(name)) {
        write_tag(name, value, text);
    }
    if game.variant == Variant::Chess960 {
        write_tag("Variant", "Chess960", text);
    }
    if game.variant == Variant::Chess960 || game.start != Position::standard() {
        write_tag("SetUp", "1", text);
        write_tag("FEN", &fen::write(&game.start), text);
    }
}

/// Writes a tag; of the name only the characters that a tag's name may have.
fn write_tag(name: &str, value: &str, text: &mut String) {
    text.push('[');
    text.extend(name.chars().filter(|&letter| letter.is_ascii_alphanumeric() || letter == '_'));
    text.push_str(" \"");
    for letter in value.chars().map(harmless) {
        if matches!(letter, '"' | '\\') {
            text.push('\\');
        }
        text.push(letter);
    }
    text.push_str("\"]\n");
}

/// The character, or its replacement if it could end a comment or a line.
fn harmless(letter: char) -> char {
    match letter {
        '{' => '(',
        '}' => ')',
        '\u{2028}' | '\u{2029}' => ' ',
        _ if letter.is_control() => ' ',
        _ => letter,
    }
}

fn write_moves(game: &PgnGame, lines: &mut Lines) {
    let mut position = game.start.clone();
    let mut number = u32::from(position.fullmove_number());
    // Whether Black's move needs its number too: at the start, and after a comment.
    let mut numbered = true;
    for played in &game.moves {
        let before = position.clone();
        position.play(played.mv).expect("the moves of a game are legal");
        let san = san::write_after(played.mv, &before, &position);
        match before.side_to_move() {
            Color::White => lines.word(&format!("{number}. {san}")),
            Color::Black if numbered => lines.word(&format!("{number}... {san}")),
            Color::Black => lines.word(san.as_str()),
        }
        if before.side_to_move() == Color::Black {
            number += 1;
        }
        numbered = write_comment(played, lines);
    }
}

/// Writes clock and comment in one pair of braces. Returns whether there was anything to write.
fn write_comment(played: &PgnMove, lines: &mut Lines) -> bool {
    let clock = played.clock.map(clock_command);
    // Text of a comment must not look like a command.
    let comment: String = played.comment.as_deref().unwrap_or("").chars().map(harmless).collect();
    let comment = comment.replace("[%", "[ %");
    let mut words = clock.as_deref().into_iter().chain(comment.split_whitespace()).peekable();
    let mut opening = "{";
    while let Some(word) = words.next() {
        let closing = if words.peek().is_none() { "}" } else { "" };
        lines.word(&format!("{opening}{word}{closing}"));
        opening = "";
    }
    opening.is_empty()
}

/// `[%clk h:mm:ss.t]`.
fn clock_command(clock: Micros) -> String {
    let tenths = clock.0 / 100_000;
    let seconds = tenths / 10;
    format!("[%clk {}:{:02}:{:02}.{}]", seconds / 3600, seconds / 60 % 60, seconds % 60, tenths % 10)
}

/// Words in lines of less than 80 columns. Columns are counted in bytes, of which there are never
/// fewer.
struct Lines {
    text: String,
    columns: usize,
}

impl Lines {
    const COLUMNS_MAX: usize = 79;

    /// Writes a word after a space or on a new line. A word longer than a line is broken.
    fn word(&mut self, word: &str) {
        if self.columns > 0 {
            let fits = self.columns + 1 + word.len() <= Self::COLUMNS_MAX;
            self.put(if fits { ' ' } else { '\n' });
        }
        for letter in word.chars() {
            if self.columns + letter.len_utf8() > Self::COLUMNS_MAX {
                self.put('\n');
            }
            // Readers skip a line that begins with a percent sign, and some take a bracket for the
            // next game's tags.
            if self.columns == 0 && matches!(letter, '%' | '[') {
                self.put(' ');
            }
            self.put(letter);
        }
    }

    fn put(&mut self, letter: char) {
        self.text.push(letter);
        self.columns = if letter == '\n' { 0 } else { self.columns + letter.len_utf8() };
    }
}
