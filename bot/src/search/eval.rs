//! What a position is worth without looking ahead.
//!
//! Material and squares, mobility, pressure on the king, pawn structure, and a drive against a bare
//! king. Deliberately absent: anything that takes a search, and the draw counters.
//!
//! Invariant: the value is bounded by [`EVAL_MAX`] and turns its sign when the colours are swapped.

use zeitnot_rules::board::{
    Bitboard, Color, File, Position, Rank, Role, Square, bishop_attacks, king_attacks, knight_attacks,
    rook_attacks,
};
use zeitnot_rules::verdict::cannot_checkmate;

use super::tables::{FULL_PHASE, PHASE, Phased, value};

/// No evaluation is further from zero: above it scores mean mates.
pub(super) const EVAL_MAX: i32 = 20_000;

const BISHOP_PAIR: Phased = Phased::new(28, 44);
const DOUBLED: Phased = Phased::new(-10, -18);
const ISOLATED: Phased = Phased::new(-12, -10);
const OPEN_FILE: Phased = Phased::new(24, 10);
const HALF_OPEN_FILE: Phased = Phased::new(12, 6);
const SHIELD: Phased = Phased::new(9, 0);

/// A passed pawn, by how many ranks it has come.
const PASSED: [Phased; 8] = [
    Phased::new(0, 0),
    Phased::new(0, 8),
    Phased::new(2, 12),
    Phased::new(8, 26),
    Phased::new(22, 48),
    Phased::new(44, 84),
    Phased::new(70, 126),
    Phased::new(0, 0),
];

/// Mobility by role: what one attacked square is worth, and how many a piece attacks as a rule.
const MOBILITY: [(Phased, i32); 6] = [
    (Phased::new(0, 0), 0),
    (Phased::new(4, 4), 4),
    (Phased::new(4, 4), 6),
    (Phased::new(2, 4), 7),
    (Phased::new(1, 3), 13),
    (Phased::new(0, 0), 0),
];

/// What an attack on a square around the enemy's king counts, by the attacker's role.
const PRESSURE: [i32; 6] = [0, 5, 4, 6, 9, 0];

/// The value of the position for the side to move, in centipawns.
pub(super) fn evaluate(position: &Position) -> i32 {
    let mut total = Phased::default();
    let mut phase = 0;
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        let side = Side { position, color };
        total.add(side.pieces(&mut phase), sign);
        total.add(side.pawns(), sign);
    }
    let phase = phase.min(FULL_PHASE);
    let mut score = (total.middle * phase + total.end * (FULL_PHASE - phase)) / FULL_PHASE;
    score += drive(position, Color::White) - drive(position, Color::Black);
    if (position.by_role(Role::Pawn) | position.by_role(Role::Rook) | position.by_role(Role::Queen)).count()
        < 3
    {
        score = without_wins_that_cannot_be(position, score);
    }
    let score = score.clamp(-EVAL_MAX, EVAL_MAX);
    if position.side_to_move() == Color::White { score } else { -score }
}

/// Nobody is ahead who cannot checkmate.
fn without_wins_that_cannot_be(position: &Position, score: i32) -> i32 {
    let winner = if score > 0 { Color::White } else { Color::Black };
    if cannot_checkmate(position, winner).is_some() { 0 } else { score }
}

/// Against a bare king: how far it has been driven to the edge, and how near the other king is.
fn drive(position: &Position, winner: Color) -> i32 {
    let loser = !winner;
    if position.by_color(loser).more_than_one() || !position.by_color(winner).more_than_one() {
        return 0;
    }
    let (hunted, own) = (position.king(loser), position.king(winner));
    let edge = edge_distance(hunted.file().index()) + edge_distance(hunted.rank().index());
    let apart = hunted.file().index().abs_diff(own.file().index())
        + hunted.rank().index().abs_diff(own.rank().index());
    200 - 16 * edge as i32 - 8 * apart as i32
}

/// How many steps a file or rank is from the edge: 0 to 3.
const fn edge_distance(index: usize) -> usize {
    if index < 4 { index } else { 7 - index }
}

/// One side of a position.
struct Side<'a> {
    position: &'a Position,
    color: Color,
}

impl Side<'_> {
    fn own(&self, role: Role) -> Bitboard {
        self.position.pieces(self.color, role)
    }

    /// The pieces: where they stand, how they move, what they do to the enemy's king.
    fn pieces(&self, phase: &mut i32) -> Phased {
        let mut total = Phased::default();
        let zone = king_attacks(self.position.king(!self.color));
        let occupied = self.position.occupied();
        let (mut pressure, mut attackers) = (0, 0);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let (each, usual) = MOBILITY[role.index()];
            for square in self.own(role) {
                *phase += PHASE[role.index()];
                total.add(value(self.color, role, square), 1);
                let attacks = match role {
                    Role::Knight => knight_attacks(square),
                    Role::Bishop => bishop_attacks(square, occupied),
                    Role::Rook => rook_attacks(square, occupied),
                    _ => bishop_attacks(square, occupied) | rook_attacks(square, occupied),
                };
                let free = attacks & !self.position.by_color(self.color);
                total.add(each, free.count() as i32 - usual);
                let near_king = (attacks & zone).count() as i32;
                pressure += near_king * PRESSURE[role.index()];
                attackers += i32::from(near_king > 0);
            }
        }
        if attackers > 1 {
            total.middle += pressure * attackers.min(4) / 2;
        }
        total.add(BISHOP_PAIR, i32::from(self.own(Role::Bishop).more_than_one()));
        total.add(self.king_and_rooks(), 1);
        total
    }

    fn king_and_rooks(&self) -> Phased {
        let king = self.position.king(self.color);
        let mut total = value(self.color, Role::King, king);
        total.add(SHIELD, (king_attacks(king) & self.own(Role::Pawn)).count() as i32);
        for rook in self.own(Role::Rook) {
            let file = Bitboard::from_file(rook.file());
            if (file & self.own(Role::Pawn)).is_empty() {
                let open = (file & self.position.by_role(Role::Pawn)).is_empty();
                total.add(if open { OPEN_FILE } else { HALF_OPEN_FILE }, 1);
            }
        }
        total
    }

    /// The pawns: where they stand, passed, doubled and isolated ones.
    fn pawns(&self) -> Phased {
        let mut total = Phased::default();
        let own = self.own(Role::Pawn);
        let theirs = self.position.pieces(!self.color, Role::Pawn);
        for pawn in own {
            total.add(value(self.color, Role::Pawn, pawn), 1);
            let file = Bitboard::from_file(pawn.file());
            let beside = neighbours(pawn.file());
            let ahead = ahead(self.color, pawn.rank());
            if ((file | beside) & ahead & theirs).is_empty() && (file & ahead & own).is_empty() {
                let come = match self.color {
                    Color::White => pawn.rank().index(),
                    Color::Black => 7 - pawn.rank().index(),
                };
                total.add(PASSED[come], 1);
            }
            total.add(DOUBLED, i32::from((file & ahead & own).any()));
            total.add(ISOLATED, i32::from((beside & own).is_empty()));
        }
        total
    }
}

/// The files beside a file.
fn neighbours(file: File) -> Bitboard {
    let one = Bitboard::from_file(file).0;
    let (a, h) = (Bitboard::from_file(File::A).0, Bitboard::from_file(File::H).0);
    Bitboard((one & !a) >> 1 | (one & !h) << 1)
}

/// The ranks beyond a rank, as `color` moves.
fn ahead(color: Color, rank: Rank) -> Bitboard {
    match color {
        Color::White => Bitboard((!0xff_u64) << (8 * rank.index())),
        Color::Black => Bitboard((1_u64 << (8 * rank.index())) - 1),
    }
}

/// What a captured piece is worth, for ordering captures and for leaving hopeless ones out.
pub(super) fn price(role: Role) -> i32 {
    super::tables::MATERIAL[role.index()].middle
}

/// What stands on the square a move goes to, en passant included, if it captures.
pub(super) fn captured(position: &Position, to: Square, is_capture: bool) -> Option<Role> {
    is_capture.then(|| position.piece_at(to).map_or(Role::Pawn, |piece| piece.role))
}
