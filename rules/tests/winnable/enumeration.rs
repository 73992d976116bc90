//! Plain enumeration: every position that can arise, by the rules alone, without any part of the
//! solver.

use std::collections::HashSet;

use zeitnot_rules::board::{CastlingRights, Color, Position, Role, Square};
use zeitnot_rules::notation::fen;
use zeitnot_rules::verdict::{Limits, Winnable, winnable};

/// The most positions that are enumerated.
const REACHABLE_MAX: usize = 200_000;

/// What article 9.2.3 compares, without a hash that could be equal by chance.
#[derive(PartialEq, Eq, Hash)]
struct Identity([u64; 7], CastlingRights, Option<Square>, Color);

fn identity(position: &Position) -> Identity {
    let mut sets = [position.by_color(Color::White).0; 7];
    for role in Role::ALL {
        sets[role.index()] = position.by_role(role).0;
    }
    Identity(sets, position.castling_rights(), position.en_passant(), position.side_to_move())
}

pub(crate) fn is_checkmate_by(position: &Position, winner: Color) -> bool {
    position.side_to_move() != winner && position.in_check() && !position.has_legal_move()
}

/// Whether some position that can arise is a checkmate by `winner`; `None` when there are too many
/// positions.
pub(crate) fn can_mate(start: &Position, winner: Color) -> Option<bool> {
    let mut seen = HashSet::from([identity(start)]);
    let mut open = vec![start.clone()];
    while let Some(position) = open.pop() {
        if is_checkmate_by(&position, winner) {
            return Some(true);
        }
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            if seen.insert(identity(&next)) {
                open.push(next);
            }
        }
        if seen.len() > REACHABLE_MAX {
            return None;
        }
    }
    Some(false)
}

/// Replays the line of a "can", and checks a "cannot" by enumeration. Returns whether it was
/// decided.
#[track_caller]
pub(crate) fn check(position: &Position, winner: Color, nodes: u32) -> bool {
    let text = fen::write(position);
    match winnable(position, winner, &Limits::nodes(nodes)) {
        Winnable::CanMate { line } => {
            let mut end = position.clone();
            for mv in line {
                end.play(mv).unwrap_or_else(|error| panic!("{text}: {mv:?}: {error}"));
            }
            assert!(is_checkmate_by(&end, winner), "{text}: the line of {winner} ends with checkmate");
            true
        }
        Winnable::CannotMate { proof } => {
            assert_ne!(
                can_mate(position, winner),
                Some(true),
                "{text}: {winner} can checkmate, against {proof:?}"
            );
            true
        }
        Winnable::Unknown { .. } => false,
    }
}
