//! What proves a game's result, in words for people: the comment after the last move of a PGN. For a draw that was
//! claimed with an intended move it names that move, because it is not played.
//!
//! The line that shows that the winner could still checkmate is written in SAN with move numbers. It is read from the
//! record: nothing is searched here. Deliberately absent: a game without a move has no place for a comment.

use std::fmt::Write as _;

use zeitnot_rules::board::{Color, Move, Position};
use zeitnot_rules::game::Game;
use zeitnot_rules::notation::san;
use zeitnot_rules::verdict::{Outcome, Proof, Reason, Score};

/// The proof of a game's outcome, where it rests on one, or the move with which a draw was claimed.
pub(super) fn of(game: &Game) -> Option<String> {
    let outcome = game.outcome()?;
    if let Some(mv) = game.claimed_move() {
        return Some(format!(
            "The draw was claimed with{}, which is not played",
            in_san(game.position(), &[mv])
        ));
    }
    let proof = outcome.proof.as_ref()?;
    Some(match proof {
        Proof::Helpmate { line } => can(outcome, game.position(), line),
        proof => format!("{}: {}", who_cannot(game, outcome), why_not(proof)),
    })
}

fn can(outcome: &Outcome, position: &Position, line: &[Move]) -> String {
    let winner = if outcome.score == Score::WhiteWins { "White" } else { "Black" };
    if line.is_empty() {
        return format!("{winner} can still checkmate: the line is too long to be shown");
    }
    format!("{winner} can still checkmate:{}", in_san(position, line))
}

/// Whom the proof is about: both sides in a dead position, otherwise the side that would have won.
fn who_cannot(game: &Game, outcome: &Outcome) -> &'static str {
    match (outcome.reason, game.turn()) {
        // Only the clock of the side to move runs.
        (Reason::FlagFall, Color::White) => "Black cannot checkmate",
        (Reason::FlagFall, Color::Black) => "White cannot checkmate",
        (Reason::Resignation, _) => "The opponent cannot checkmate after the resignation",
        (Reason::Abandonment, _) => "The player who claimed the win cannot checkmate",
        _ => "Neither side can checkmate",
    }
}

fn why_not(proof: &Proof) -> String {
    match proof {
        Proof::Material => "too little material".to_owned(),
        Proof::Exhaustive { positions: 1 } => "exhaustive search of 1 position".to_owned(),
        Proof::Exhaustive { positions } => {
            format!("exhaustive search of {} positions", with_commas(*positions))
        }
        Proof::Static | Proof::Helpmate { .. } => "no king can ever stand where it is checkmated".to_owned(),
    }
}

/// ` 34. Kd2 Kf7 35. Ke3`.
fn in_san(position: &Position, line: &[Move]) -> String {
    let mut position = position.clone();
    let mut text = String::with_capacity(8 * line.len());
    let mut number = u32::from(position.fullmove_number());
    for (ply, &mv) in line.iter().enumerate() {
        let before = position.clone();
        position.play_unchecked(mv);
        let written = match before.side_to_move() {
            Color::White => write!(text, " {number}."),
            Color::Black if ply == 0 => write!(text, " {number}..."),
            Color::Black => Ok(()),
        };
        written.expect("a String takes all");
        text.push(' ');
        text.push_str(san::write_after(mv, &before, &position).as_str());
        number += u32::from(before.side_to_move() == Color::Black);
    }
    text
}

/// `12,345`.
fn with_commas(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use zeitnot_rules::notation::{fen, uci};

    use super::*;

    #[test]
    fn a_line_has_its_numbers() {
        let mut position = fen::parse("7k/8/8/8/8/8/5q2/7K b - - 0 40").unwrap();
        let start = position.clone();
        let read = |text: &str, position: &mut Position| {
            let mv = uci::parse(text, position, zeitnot_rules::game::Variant::Standard).unwrap();
            position.play_unchecked(mv);
            mv
        };
        let line: Vec<_> =
            ["f2g2", "h1g2", "h8g8"].into_iter().map(|text| read(text, &mut position)).collect();
        assert_eq!(in_san(&start, &line), " 40... Qg2+ 41. Kxg2 Kg8");
    }

    #[test]
    fn numbers_are_readable() {
        for (number, text) in
            [(7, "7"), (999, "999"), (1_000, "1,000"), (12_345, "12,345"), (2_500_000, "2,500,000")]
        {
            assert_eq!(with_commas(number), text);
        }
    }
}
