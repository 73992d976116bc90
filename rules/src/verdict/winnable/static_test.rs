//! The static test: the squares on which a king could ever be checkmated, from above.
//!
//! No search. Sound because [`Reach`] is never too small. In a checkmate some piece gives check from a square where it can
//! stand; the winner's king stands somewhere; and every flight square is attacked by the piece that gives check, by the
//! king from where it stands, by another piece that can ever attack it, or held by a piece of the loser's own that can
//! ever stand there, a different one for each such square. A square of the king for which no choice of these is left is
//! no square for a checkmate. Whether the rest can be had at the same time is not asked.

use super::reach::{Case, Reach, Unit};
use crate::board::{
    Bitboard, Color, Position, Role, Square, bishop_attacks, king_attacks, knight_attacks, pawn_attacks,
    queen_attacks, rook_attacks,
};

/// Where `winner` could ever checkmate, and how the other king comes there.
pub(super) struct MateZone {
    /// The squares on which the loser's king could be checkmated.
    pub(super) squares: Bitboard,
    /// Where the loser's king can ever stand.
    pub(super) king: Bitboard,
    /// Where the winner's king can ever stand.
    pub(super) attacking_king: Bitboard,
    /// The squares that are never free.
    pub(super) immovable: Bitboard,
}

/// The zone of `winner`, or `None` when it is certain that it can never checkmate.
pub(super) fn zone(position: &Position, winner: Color) -> Option<MateZone> {
    zone_within(Reach::of(position), position, winner)
}

/// Whether `winner` can never checkmate, told by cases, of which it tries `trials` at most.
///
/// Take a piece that could be captured before it could move. In every series of moves it either is captured where it
/// stands, so it never moves, and is gone when it comes to checkmate; or it is not captured before it has moved. Each
/// leaves other squares out of reach. And a series that ends with a checkmate does not come through the capture of the
/// winner's last piece, nor through the winner's own checkmate.
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
    // A check goes on behind the king that it is given to, also when that king can never move.
    let immovable = reach.immovable.without(position.king(!winner));
    let test = StaticTest::of(reach.units, immovable, winner);
    let squares: Bitboard =
        (test.king & test.all).into_iter().filter(|&king| test.allows_mate_on(king, |_| true)).collect();
    squares.any().then_some(MateZone {
        squares,
        king: test.king,
        attacking_king: test.attacking_king,
        immovable,
    })
}

/// What the test needs to know: pieces with the squares where each can be.
pub(super) struct StaticTest {
    units: Vec<Unit>,
    winner: Color,
    /// The squares that are never free, without the loser's king.
    immovable: Bitboard,
    /// Where the loser's king can ever stand.
    king: Bitboard,
    /// Where the loser's other pieces can ever stand.
    own: Bitboard,
    /// Where the winner's king can ever stand.
    attacking_king: Bitboard,
    /// What the winner's pieces without the king can ever attack: one at least, and two or more.
    all: Bitboard,
    twice: Bitboard,
}

impl StaticTest {
    /// From the pieces and the squares that are never free. On those the loser's king does not count.
    pub(super) fn of(units: Vec<Unit>, immovable: Bitboard, winner: Color) -> Self {
        let none = Bitboard::EMPTY;
        let mut test = Self {
            winner,
            immovable,
            king: none,
            own: none,
            attacking_king: none,
            all: none,
            twice: none,
            units,
        };
        for unit in &test.units {
            match (unit.color == winner, unit.role) {
                (true, Role::King) => test.attacking_king = unit.stands,
                (true, _) => {
                    let attacks = unit.attacks(!immovable);
                    test.twice |= test.all & attacks;
                    test.all |= attacks;
                }
                (false, Role::King) => test.king = unit.stands,
                (false, _) => test.own |= unit.squares(),
            }
        }
        test
    }

    /// Whether the king may be checkmated on `king`, by a check from a piece for which `can_check` holds.
    pub(super) fn allows_mate_on(&self, king: Square, can_check: impl Fn(&Unit) -> bool) -> bool {
        let flights = king_attacks(king);
        let ring = ring(king) & self.attacking_king;
        let near = ring
            .into_iter()
            .fold(Bitboard::EMPTY, |near, attacking_king| near | king_attacks(attacking_king));
        if (flights & !(self.all | self.own | near)).any() {
            return false;
        }
        let pieces = self.units.iter().filter(|unit| can_check(unit));
        pieces
            .filter(|unit| unit.color == self.winner && unit.role != Role::King)
            .any(|unit| self.can_give_mate(unit, king, ring))
    }

    /// Whether `unit` might be the piece that gives check when the king on `king` is checkmated.
    fn can_give_mate(&self, unit: &Unit, king: Square, ring: Bitboard) -> bool {
        let occupied = self.immovable.without(king);
        let others = self.twice | self.all & !unit.attacks(!occupied);
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

    /// Whether each square of `open` can be held by another piece of the loser's, `checker` being taken.
    fn can_be_blocked(&self, open: Bitboard, checker: Square) -> bool {
        if open.is_empty() {
            return true;
        }
        if open.contains(checker) || (open & !self.own).any() {
            return false;
        }
        let mut blockers = [None; 64];
        open.into_iter().all(|square| self.assign_blocker(square, &mut blockers, &mut 0))
    }

    /// Finds a piece for `square`, moving those that hold others where they can hold another (`blockers` says what each
    /// piece holds, `tried` which were asked).
    fn assign_blocker(&self, square: Square, blockers: &mut [Option<Square>; 64], tried: &mut u64) -> bool {
        for (nth, unit) in self.units.iter().enumerate() {
            let can = unit.color != self.winner && unit.role != Role::King && unit.squares().contains(square);
            if !can || *tried >> nth & 1 == 1 {
                continue;
            }
            *tried |= 1 << nth;
            let is_free = match blockers[nth] {
                None => true,
                Some(held) => self.assign_blocker(held, blockers, tried),
            };
            if is_free {
                blockers[nth] = Some(square);
                return true;
            }
        }
        false
    }
}

/// What a piece attacks; with the colours turned round, from where it is attacked.
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
    super::setwise_attacks::kings(near) & !near
}
