//! The static test: the squares on which a king could ever be checkmated, an over-approximation.
//!
//! There is no search. The test is sound because [`Reach`] is never too small. In every checkmate
//! - some piece gives check from a square where it can stand,
//! - the winner's king stands somewhere, and
//! - every flight square is attacked by the checking piece, by the winner's king from where it
//!   stands, or by another piece that can ever attack it; or it is blocked by one of the loser's
//!   own pieces that can ever stand there, a different piece for each such square.
//!
//! A square of the king for which no choice of these is left cannot be the square of a checkmate.
//! The test does not ask whether all the rest can be had at the same time.

use super::reach::{Case, Reach, Unit};
use super::setwise_attacks;
use crate::board::{
    Bitboard, Color, Position, Role, Square, bishop_attacks, king_attacks, knight_attacks, pawn_attacks,
    queen_attacks, rook_attacks,
};

/// Where `winner` could ever checkmate, and how the other king comes there.
pub(super) struct MateZone {
    /// The squares on which the loser's king could be checkmated.
    pub(super) squares: Bitboard,
    /// Where the loser's king can ever stand.
    pub(super) defending_king: Bitboard,
    /// Where the winner's king can ever stand.
    pub(super) attacking_king: Bitboard,
    /// The squares that are never free.
    pub(super) immovable: Bitboard,
}

/// The zone of `winner`, or `None` when it is certain that it can never checkmate.
pub(super) fn mate_zone(position: &Position, winner: Color) -> Option<MateZone> {
    zone_within(Reach::of(position), position, winner)
}

/// Whether a case analysis of at most `trials` cases proves that `winner` can never checkmate.
///
/// Take a piece that could be captured before it could move. In every series of moves one of two
/// things holds: it is captured where it stands, so that it never moves and is gone at the
/// checkmate; or it is not captured before it has moved. Each case leaves other squares out of
/// reach. A series that ends with a checkmate also never contains the capture of the winner's last
/// piece, nor a checkmate by the loser.
pub(super) fn is_hopeless_by_cases(position: &Position, winner: Color, trials: u32) -> bool {
    let none = Bitboard::EMPTY;
    let last = position.by_color(winner).without(position.king(winner));
    let spared = if last.more_than_one() { none } else { last };
    position.en_passant().is_none()
        && is_hopeless_in(position, Case { winner, spared, taken: none }, &mut { trials })
}

fn is_hopeless_in(position: &Position, case: Case, trials: &mut u32) -> bool {
    let Some(left) = trials.checked_sub(1) else { return false };
    *trials = left;
    let mut reach = Reach::within(position, Some(case));
    reach.units.retain(|unit| (unit.home() & case.taken).is_empty());
    let split = reach.first_taken & !(case.spared | case.taken);
    if zone_within(reach, position, case.winner).is_none() {
        return true;
    }
    split.into_iter().any(|square| {
        let piece = Bitboard::from_square(square);
        is_hopeless_in(position, Case { spared: case.spared | piece, ..case }, trials)
            && is_hopeless_in(position, Case { taken: case.taken | piece, ..case }, trials)
    })
}

fn zone_within(reach: Reach, position: &Position, winner: Color) -> Option<MateZone> {
    // A check continues through the king that it is given to, even if that king can never move.
    let immovable = reach.immovable.without(position.king(!winner));
    let test = StaticTest::of(reach.units, immovable, winner);
    let squares: Bitboard = (test.defending_king & test.attacked)
        .into_iter()
        .filter(|&king| test.allows_mate_on(king, |_| true))
        .collect();
    squares.any().then_some(MateZone {
        squares,
        defending_king: test.defending_king,
        attacking_king: test.attacking_king,
        immovable,
    })
}

/// The test on pieces for each of which it is known where it can be.
pub(super) struct StaticTest {
    units: Vec<Unit>,
    winner: Color,
    /// The squares that are never free, without that of the loser's king.
    immovable: Bitboard,
    /// Where the loser's king can ever stand.
    defending_king: Bitboard,
    /// Where the loser's other pieces can ever stand.
    blockable: Bitboard,
    /// Where the winner's king can ever stand.
    attacking_king: Bitboard,
    /// What at least one of the winner's pieces without the king can ever attack.
    attacked: Bitboard,
    /// What at least two of them can.
    attacked_twice: Bitboard,
}

impl StaticTest {
    /// The test on `units`. `immovable` are the squares that are never free, without that of the
    /// loser's king.
    pub(super) fn of(units: Vec<Unit>, immovable: Bitboard, winner: Color) -> Self {
        let none = Bitboard::EMPTY;
        let mut test = Self {
            units,
            winner,
            immovable,
            defending_king: none,
            blockable: none,
            attacking_king: none,
            attacked: none,
            attacked_twice: none,
        };
        for unit in &test.units {
            match (unit.color == winner, unit.role) {
                (true, Role::King) => test.attacking_king = unit.stands,
                (true, _) => {
                    let attacks = unit.attacks(!immovable);
                    test.attacked_twice |= test.attacked & attacks;
                    test.attacked |= attacks;
                }
                (false, Role::King) => test.defending_king = unit.stands,
                (false, _) => test.blockable |= unit.squares(),
            }
        }
        test
    }

    /// Whether the king could be checkmated on `king` with a check by a piece for which `can_check`
    /// holds.
    pub(super) fn allows_mate_on(&self, king: Square, can_check: impl Fn(&Unit) -> bool) -> bool {
        let flights = king_attacks(king);
        let ring = ring(king) & self.attacking_king;
        let guarded = ring.into_iter().fold(Bitboard::EMPTY, |all, from| all | king_attacks(from));
        if (flights & !(self.attacked | self.blockable | guarded)).any() {
            return false;
        }
        let pieces = self.units.iter().filter(|unit| can_check(unit));
        pieces
            .filter(|unit| unit.color == self.winner && unit.role != Role::King)
            .any(|unit| self.can_give_mate(unit, king, ring))
    }

    /// Whether `unit` could be the piece that gives check when the king on `king` is checkmated.
    fn can_give_mate(&self, unit: &Unit, king: Square, ring: Bitboard) -> bool {
        let occupied = self.immovable.without(king);
        let others = self.attacked_twice | self.attacked & !unit.attacks(!occupied);
        for (squares, role) in
            [(unit.stands, unit.role), (unit.promoted, Role::Queen), (unit.promoted, Role::Knight)]
        {
            for from in squares & attacks(role, !unit.color, king, occupied) {
                let attacked = attacks(role, unit.color, from, occupied) | others;
                let open = king_attacks(king) & !attacked;
                if self.can_be_blocked(open, from)
                    || ring.into_iter().any(|attacking_king| {
                        attacking_king != from
                            && self.can_be_blocked(open & !king_attacks(attacking_king), from)
                    })
                {
                    return true;
                }
            }
        }
        false
    }

    /// Whether each square of `open` can be blocked by another of the loser's pieces, while the
    /// checking piece stands on `checker`.
    fn can_be_blocked(&self, open: Bitboard, checker: Square) -> bool {
        if open.is_empty() {
            return true;
        }
        if open.contains(checker) || (open & !self.blockable).any() {
            return false;
        }
        let mut blocked = [None; 64];
        open.into_iter().all(|square| self.assign_blocker(square, &mut blocked, &mut 0))
    }

    /// Finds a piece that blocks `square`, and reassigns others where needed: one step of bipartite
    /// matching. `blocked` says which square each piece blocks, `tried` which pieces were asked.
    fn assign_blocker(&self, square: Square, blocked: &mut [Option<Square>; 64], tried: &mut u64) -> bool {
        for (nth, unit) in self.units.iter().enumerate() {
            let can = unit.color != self.winner && unit.role != Role::King && unit.squares().contains(square);
            if !can || *tried >> nth & 1 == 1 {
                continue;
            }
            *tried |= 1 << nth;
            let is_free = match blocked[nth] {
                None => true,
                Some(other) => self.assign_blocker(other, blocked, tried),
            };
            if is_free {
                blocked[nth] = Some(square);
                return true;
            }
        }
        false
    }
}

/// What a piece attacks from a square; with the colour reversed, the squares it is attacked from.
fn attacks(role: Role, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn_attacks(color, from),
        Role::Knight => knight_attacks(from),
        Role::Bishop => bishop_attacks(from, occupied),
        Role::Rook => rook_attacks(from, occupied),
        Role::Queen => queen_attacks(from, occupied),
        Role::King => king_attacks(from),
    }
}

/// The squares from which a king can guard flight squares of the king on `king`: two steps away.
pub(super) fn ring(king: Square) -> Bitboard {
    let near = king_attacks(king).with(king);
    setwise_attacks::kings(near) & !near
}
