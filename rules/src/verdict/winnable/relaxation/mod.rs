//! The relaxed search: every position that can still come, with the pieces that roam left out of them.
//!
//! Behind a wall of pawns a handful of bishops can stand in millions of ways that all come to nothing. Here such pieces are
//! a *cloud*: in every position each of them may be wherever [`Reach`] says that it can ever be, and may be there or not, as
//! it suits the winner. What is left, kings, pawns and whatever does not roam, is searched exhaustively.
//!
//! Nothing that can happen is missing, so finding no checkmate here is a proof that there is none; a checkmate found here
//! means nothing. From a true game, leave out the abstraction pieces: every half-move is then one of these, and all are allowed.
//! - A piece that is not in the cloud moves as pieces move, the cloud never in its way; a pawn also takes wherever the
//!   enemy's cloud can be.
//! - A side with a cloud may pass, or take with the cloud, where that can ever go, any piece but the king.
//! - After its half-move a king must not be attacked where nothing of either cloud could stand between.
//!
//! A true checkmate is seen as well: the piece that gives check is one outside the cloud that attacks the king, or one of
//! the cloud; this only when the cloud has just moved, or when the piece that has moved may have uncovered it. The rest is
//! the static test, with the pieces outside the cloud held to their squares.

mod abstraction;
mod distance_table;
mod skeleton;

pub(super) use self::abstraction::Abstraction;
pub(super) use self::distance_table::DistanceTable;
use self::skeleton::{Skeleton, piece_attacks, second_rank};
use super::Limits;
use super::reach::{Reach, Unit};
use super::search::Found;
use super::setwise_attacks;
use super::static_test::StaticTest;
use super::visited::{Origin, Visited};
use crate::board::{
    Bitboard, Color, Position, Role, Square, between, bishop_attacks, pawn_attacks, rook_attacks,
};

/// Looks for a checkmate by `winner`, in at most `nodes` positions. `Found::Nothing` is a proof; a checkmate found here is
/// none, so anything else is `Found::Undecided`.
pub(super) fn search(
    position: &Position,
    winner: Color,
    abstraction: Abstraction,
    nodes: u32,
    limits: &Limits<'_>,
) -> Found {
    if !position.castling_rights().is_empty() || position.en_passant().is_some() {
        return Found::Undecided(0);
    }
    match Search::new(position, winner, abstraction) {
        Some(mut search) => search.run(nodes, limits),
        None => Found::Undecided(0),
    }
}

struct Search {
    winner: Color,
    start: Skeleton,
    abstracted: Vec<Unit>,
    /// By colour: where its cloud can ever stand.
    stands: [Bitboard; 2],
    /// By colour: where its cloud can ever take.
    takes: [Bitboard; 2],
    /// By colour: whether there are pawns in its cloud.
    pawns: [bool; 2],
    visited: Visited,
    open: Vec<u32>,
    /// The position that is being looked at.
    current: u32,
    /// Predecessors are kept, and a checkmate does not end the search.
    predecessors: Option<Predecessors>,
}

/// How positions follow each other.
#[derive(Default)]
struct Predecessors {
    /// Position after position before.
    back: Vec<(u32, u32)>,
    /// The positions after which a checkmate, or a promotion by the winner, may come.
    goals: Vec<u32>,
}

/// The last half-move, for the question where a check can come from.
#[derive(Clone, Copy)]
enum LastMove {
    Abstracted,
    Concrete { from: Square },
}

impl Search {
    fn new(position: &Position, winner: Color, abstraction: Abstraction) -> Option<Self> {
        let reach = Reach::of(position);
        let includes = |unit: &&Unit| abstraction.includes(unit, position, winner);
        let abstracted: Vec<Unit> = reach.units.iter().filter(includes).copied().collect();
        if abstracted.is_empty() {
            return None;
        }
        let mut left_out = Bitboard::EMPTY;
        for unit in &abstracted {
            left_out |= unit.home();
        }
        let start = Skeleton {
            by_role: Role::ALL.map(|role| position.by_role(role) & !left_out),
            by_color: Color::ALL.map(|color| position.by_color(color) & !left_out),
            turn: position.side_to_move(),
            en_passant_pawn: Bitboard::EMPTY,
        };
        let pawns = Color::ALL
            .map(|color| abstracted.iter().any(|unit| unit.color == color && unit.role == Role::Pawn));
        let (visited, open) = (Visited::new(), Vec::new());
        let none = [Bitboard::EMPTY; 2];
        Some(Self {
            winner,
            start,
            abstracted,
            stands: none,
            takes: none,
            pawns,
            visited,
            open,
            current: 0,
            predecessors: None,
        })
    }

    /// Where there are no pawns in the cloud, it starts at home and may then go where the positions that were found let it
    /// go, and so on in turn until nothing grows: then every move of the cloud is within its squares, and every position
    /// that can come is among those found.
    fn run(&mut self, nodes: u32, limits: &Limits<'_>) -> Found {
        let grows = self.pawns == [false; 2] && self.predecessors.is_none();
        if grows {
            self.abstracted.iter_mut().for_each(Unit::reset_to_home);
        }
        let mut seen = 0;
        loop {
            let found = self.close(nodes.saturating_sub(seen), limits);
            let Found::Nothing(positions) = found else { return found };
            if !grows || !self.grow_abstracted() {
                return Found::Nothing(positions);
            }
            seen += positions;
        }
    }

    /// Lets the cloud go through every square that is empty in some position. Returns whether it grew.
    fn grow_abstracted(&mut self) -> bool {
        let mut always = [Bitboard::FULL; 3];
        for number in 0..self.visited.len() {
            let skeleton = Skeleton::unpack(self.visited.get(number).0);
            always[0] &= skeleton.by_color[0];
            always[1] &= skeleton.by_color[1];
            always[2] &= skeleton.occupied();
        }
        let mut grew = false;
        for unit in &mut self.abstracted {
            grew |= unit.spread(!always[2], always[unit.color.index()]);
        }
        grew
    }

    /// Finds every position that can come, the cloud being where it can be so far.
    fn close(&mut self, nodes: u32, limits: &Limits<'_>) -> Found {
        (self.stands, self.takes) = ([Bitboard::EMPTY; 2], [Bitboard::EMPTY; 2]);
        for unit in &self.abstracted {
            self.stands[unit.color.index()] |= unit.squares();
            self.takes[unit.color.index()] |= unit.capture_squares();
        }
        (self.visited, self.open) = (Visited::new(), Vec::new());
        self.predecessors = self.predecessors.take().map(|_| Predecessors::default());
        let origin = Origin::FIRST;
        self.open.extend(self.visited.insert(self.start.pack(), origin));
        let mut expanded = 0_u32;
        while let Some(number) = self.next(expanded) {
            expanded += 1;
            if self.visited.len() >= nodes || expanded.is_multiple_of(256) && !(limits.keep_going)() {
                return Found::Undecided(self.visited.len());
            }
            let skeleton = Skeleton::unpack(self.visited.get(number).0);
            self.current = number;
            if self.expand(&skeleton) {
                return Found::Undecided(self.visited.len());
            }
        }
        Found::Nothing(self.visited.len())
    }

    /// The next position to be looked at: the nearest one where ways are kept.
    fn next(&mut self, expanded: u32) -> Option<u32> {
        if self.predecessors.is_some() {
            (expanded < self.visited.len()).then_some(expanded)
        } else {
            self.open.pop()
        }
    }

    /// Adds what can follow. Returns whether a checkmate may.
    fn expand(&mut self, skeleton: &Skeleton) -> bool {
        let us = skeleton.turn;
        let own = skeleton.by_color[us.index()];
        for from in own {
            let role = skeleton.role_on(from);
            let to = self.targets(skeleton, from, role);
            for to in to {
                if self.move_piece(skeleton, from, to, role) {
                    return true;
                }
            }
        }
        if self.stands[us.index()].is_empty() {
            return false;
        }
        let targets = skeleton.by_color[(!us).index()] & !skeleton.by_role[Role::King.index()];
        let mut taken = targets & self.takes[us.index()];
        if self.pawns[us.index()] {
            taken |= skeleton.en_passant_pawn;
        }
        let mut next = *skeleton;
        next.pass();
        if self.add(&next, LastMove::Abstracted) {
            return true;
        }
        taken.into_iter().any(|square| {
            let mut next = *skeleton;
            next.remove(square);
            next.pass();
            self.add(&next, LastMove::Abstracted)
        })
    }

    /// Where a piece can go, whatever checks.
    fn targets(&self, skeleton: &Skeleton, from: Square, role: Role) -> Bitboard {
        let us = skeleton.turn;
        let occupied = skeleton.occupied();
        let kings = skeleton.by_role[Role::King.index()];
        let to = match role {
            Role::Pawn => {
                let pawn = Bitboard::from_square(from);
                let once = setwise_attacks::push(us, pawn) & !occupied;
                let start = Square::new(from.file(), second_rank(us));
                let twice =
                    if from == start { setwise_attacks::push(us, once) & !occupied } else { Bitboard::EMPTY };
                let theirs = skeleton.by_color[(!us).index()] | self.stands[(!us).index()] & !occupied;
                let en_passant = setwise_attacks::push(us, skeleton.en_passant_pawn);
                once | twice | pawn_attacks(us, from) & (theirs | en_passant)
            }
            role => piece_attacks(role, from, occupied),
        };
        to & !skeleton.by_color[us.index()] & !kings
    }

    fn move_piece(&mut self, skeleton: &Skeleton, from: Square, to: Square, role: Role) -> bool {
        let us = skeleton.turn;
        let mut next = *skeleton;
        next.pass();
        next.remove(to);
        next.remove(from);
        let is_pawn = role == Role::Pawn;
        let en_passant = setwise_attacks::push(us, skeleton.en_passant_pawn).contains(to);
        if is_pawn && en_passant && from.file() != to.file() {
            // The pawn may have been taken, or a piece of the cloud on the square behind it.
            let mut taken = next;
            skeleton.en_passant_pawn.into_iter().for_each(|en_passant_pawn| taken.remove(en_passant_pawn));
            taken.put(us, role, to);
            if self.add(&taken, LastMove::Concrete { from }) || self.add(&taken, LastMove::Abstracted) {
                return true;
            }
            if !self.stands[(!us).index()].contains(to) {
                return false;
            }
        }
        if is_pawn && to.rank() == (!us).back_rank() {
            if let Some(predecessors) = self.predecessors.as_mut().filter(|_| us == self.winner) {
                predecessors.goals.push(self.current);
                return false;
            }
            return Role::PROMOTIONS.into_iter().any(|promoted| {
                let mut next = next;
                next.put(us, promoted, to);
                self.add(&next, LastMove::Concrete { from })
            });
        }
        next.put(us, role, to);
        if is_pawn && from.index().abs_diff(to.index()) == 16 {
            let beside = pawn_attacks(us, Square::from_index((from.index() + to.index()) / 2));
            let theirs = next.by_color[(!us).index()] & next.by_role[Role::Pawn.index()];
            if self.pawns[(!us).index()] || (beside & theirs).any() {
                next.en_passant_pawn = Bitboard::from_square(to);
            }
        }
        self.add(&next, LastMove::Concrete { from })
    }

    /// Adds a position if it may be legal and is new. Returns whether it may be checkmate by the winner.
    fn add(&mut self, next: &Skeleton, last_move: LastMove) -> bool {
        if self.is_surely_attacked(next, next.king(!next.turn), next.turn) {
            return false;
        }
        if next.turn != self.winner && self.may_be_mate(next, last_move) {
            let Some(predecessors) = &mut self.predecessors else { return true };
            predecessors.goals.push(self.current);
        }
        if self.stands[self.winner.index()].is_empty() && !next.by_color[self.winner.index()].more_than_one()
        {
            return false;
        }
        let origin = Origin::FIRST;
        let packed = next.pack();
        self.open.extend(self.visited.insert(packed, origin));
        if let Some(predecessors) = &mut self.predecessors {
            predecessors.back.extend(self.visited.find(packed).map(|number| (number, self.current)));
        }
        false
    }

    /// Whether `by` attacks `square` with nothing of a cloud possibly between.
    fn is_surely_attacked(&self, skeleton: &Skeleton, square: Square, by: Color) -> bool {
        let abstracted = self.stands[0] | self.stands[1];
        skeleton.attackers(square, by).into_iter().any(|from| (between(from, square) & abstracted).is_empty())
    }

    fn may_be_mate(&self, skeleton: &Skeleton, last_move: LastMove) -> bool {
        let king = skeleton.king(!self.winner);
        let checkers = skeleton.attackers(king, self.winner);
        let by_abstracted = match last_move {
            LastMove::Abstracted => true,
            LastMove::Concrete { from } => self.may_uncover(skeleton, from, king),
        };
        if checkers.is_empty() && !by_abstracted {
            return false;
        }
        let mut units = self.abstracted.clone();
        for square in skeleton.occupied() {
            let color = if skeleton.by_color[0].contains(square) { Color::White } else { Color::Black };
            units.push(Unit::fixed(color, skeleton.role_on(square), square));
        }
        let test = StaticTest::of(units, skeleton.occupied().without(king), self.winner);
        test.allows_mate_on(king, |unit| by_abstracted || unit.is_fixed())
    }

    /// Whether a piece of the winner's cloud may attack `king` through `from`, which has just been left.
    fn may_uncover(&self, skeleton: &Skeleton, from: Square, king: Square) -> bool {
        let occupied = skeleton.occupied();
        if !between(king, from).is_empty() && (between(king, from) & occupied).any() {
            return false;
        }
        let straight = rook_attacks(king, occupied);
        let diagonal = bishop_attacks(king, occupied);
        self.abstracted.iter().filter(|unit| unit.color == self.winner).any(|unit| {
            let lines = [
                (straight, unit.role != Role::Bishop && unit.role != Role::Knight),
                (diagonal, unit.role != Role::Rook && unit.role != Role::Knight),
            ];
            lines.into_iter().any(|(line, slides)| {
                let behind = line & unit.squares();
                slides
                    && line.contains(from)
                    && behind.into_iter().any(|square| between(king, square).contains(from))
            })
        })
    }
}
