//! The names of openings, by the position that they lead to; and below it the openings by name (`names`).
//!
//! The list is `openings.tsv`; `NOTICE.md` beside it says whose it is. A position has its name whatever moves have led to
//! it, so a game has the name of the last of its positions that has one.
//!
//! Deliberately absent: how often and how well an opening is played.
//!
//! Invariant: the table is made by the first who asks, which takes tenths of a second: nobody may ask on a thread that
//! games wait for.

mod names;

use std::collections::HashMap;
use std::sync::LazyLock;

use zeitnot_protocol::Opening as Shown;
use zeitnot_rules::board::{Move, Position};
use zeitnot_rules::notation::san;

pub(crate) use names::{find, positions_of};

const LIST: &str = include_str!("openings.tsv");

/// An opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings, `A00` to `E99`.
    pub(crate) eco: &'static str,
    /// Its name in English, `Family: Variation, Subvariation`.
    pub(crate) name: &'static str,
}

impl Opening {
    /// As it is written on the wire; its position stood after `ply` plies.
    pub(crate) fn shown(self, ply: u32) -> Shown {
        Shown { eco: self.eco.to_owned(), name: self.name.to_owned(), ply }
    }
}

/// The openings by the hashes of their positions, castling rights and en passant included. A hash has 64 bits, so that of
/// another position is among these few thousand once in 10^15 positions; nothing depends on a name.
static BY_POSITION: LazyLock<HashMap<u64, Opening>> =
    LazyLock::new(|| names::LINES.iter().map(|line| (line.position.zobrist(), line.opening)).collect());

/// The lines of the list: an opening, and its moves in SAN, with spaces.
fn lines() -> impl Iterator<Item = (Opening, &'static str)> {
    LIST.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        Some((Opening { eco: fields.next()?, name: fields.next()? }, fields.next()?))
    })
}

/// The position after these moves in SAN; `None` when one of them is none.
fn position_after(moves: &str) -> Option<Position> {
    let mut position = Position::standard();
    for text in moves.split(' ') {
        position.play_unchecked(san::parse(text, &position).ok()?);
    }
    Some(position)
}

/// The opening whose position this is.
pub(crate) fn of_position(position: &Position) -> Option<Opening> {
    BY_POSITION.get(&position.zobrist()).copied()
}

/// The opening of the last named position of a line of legal moves, and after how many of them it stood.
pub(crate) fn of_line(start: &Position, moves: impl IntoIterator<Item = Move>) -> Option<(Opening, u32)> {
    let mut position = start.clone();
    let mut last = of_position(start).map(|opening| (opening, 0));
    for (mv, ply) in moves.into_iter().zip(1..) {
        position.play_unchecked(mv);
        last = of_position(&position).map(|opening| (opening, ply)).or(last);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(moves: &str) -> Option<(&'static str, &'static str, u32)> {
        let mut position = Position::standard();
        let read = |text| {
            let mv = san::parse(text, &position).unwrap();
            position.play(mv).unwrap();
            mv
        };
        let moves: Vec<_> = moves.split_whitespace().map(read).collect();
        of_line(&Position::standard(), moves).map(|(opening, ply)| (opening.eco, opening.name, ply))
    }

    #[test]
    fn every_line_of_the_list_is_a_position_of_its_own() {
        assert_eq!(BY_POSITION.len(), LIST.lines().count());
        for Opening { eco, name } in BY_POSITION.values() {
            let (volume, number) = eco.split_at(1);
            assert!("ABCDE".contains(volume) && number.len() == 2 && number.parse::<u8>().is_ok(), "{eco}");
            assert!(!name.is_empty() && !name.contains('"'), "{name}");
        }
    }

    #[test]
    fn a_game_has_the_name_of_its_last_named_position() {
        assert_eq!(named(""), None);
        assert_eq!(named("e4"), Some(("B00", "King's Pawn Game", 1)));
        assert_eq!(named("e4 e5 Nf3 Nc6 Bc4"), Some(("C50", "Italian Game", 5)));
        let later = named("e4 e5 Nf3 Nc6 Bc4 h5 h4 Rh7 Rh2");
        assert_eq!(later.map(|(eco, _, ply)| (eco, ply)), Some(("C50", 5)));
    }

    #[test]
    fn other_moves_to_the_same_position_have_the_same_name() {
        let queens_gambit_declined = named("d4 d5 c4 e6").unwrap();
        assert_eq!(named("c4 e6 d4 d5").unwrap().1, queens_gambit_declined.1);
    }
}
