//! The relaxed search: every position that can still come, with the pieces that roam left out of them.
//!
//! Behind a wall of pawns a handful of bishops can stand in millions of ways that all come to nothing. Here such pieces are
//! a *cloud*: in every position each of them may be wherever [`Reach`] says that it can ever be, and may be there or not, as
//! it suits the winner. What is left, kings, pawns and whatever does not roam, is searched exhaustively.
//!
//! Nothing that can happen is missing, so finding no checkmate here is a proof that there is none; a checkmate found here
//! means nothing. From a true game, leave out the roaming pieces: every half-move is then one of these, and all are allowed.
//! - A piece that is not in the cloud moves as pieces move, the cloud never in its way; a pawn also takes wherever the
//!   enemy's cloud can be.
//! - A side with a cloud may pass, or take with the cloud, where that can ever go, any piece but the king.
//! - After its half-move a king must not be attacked where nothing of either cloud could stand between.
//!
//! A true checkmate is seen as well: the piece that gives check is one outside the cloud that attacks the king, or one of
//! the cloud; this only when the cloud has just moved, or when the piece that has moved may have uncovered it. The rest is
//! the static test, with the pieces outside the cloud held to their squares.

mod guide;
mod roaming;
mod scene;

pub(super) use self::guide::Guide;
pub(super) use self::roaming::Roaming;
use self::scene::{Scene, piece_attacks, second_rank};
use super::Limits;
use super::fixed::Board;
use super::floods;
use super::reach::{Reach, Unit};
use super::search::Found;
use super::visited::{Origin, Visited};
use crate::board::{
    Bitboard, Color, Position, Role, Square, between, bishop_attacks, pawn_attacks, rook_attacks,
};

/// Looks for a checkmate by `winner`, in at most `nodes` positions. `Found::Nothing` is a proof; a checkmate found here is
/// none, so anything else is `Found::Undecided`.
pub(super) fn search(
    position: &Position,
    winner: Color,
    roaming: Roaming,
    nodes: u32,
    limits: &Limits<'_>,
) -> Found {
    if !position.castling_rights().is_empty() || position.en_passant().is_some() {
        return Found::Undecided(0);
    }
    match Search::new(position, winner, roaming) {
        Some(mut search) => search.run(nodes, limits),
        None => Found::Undecided(0),
    }
}

struct Search {
    winner: Color,
    start: Scene,
    cloud: Vec<Unit>,
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
    /// Ways are kept, and a checkmate does not end the search.
    ways: Option<Ways>,
}

/// How positions follow each other.
#[derive(Default)]
struct Ways {
    /// Position after position before.
    back: Vec<(u32, u32)>,
    /// The positions after which a checkmate, or a promotion by the winner, may come.
    goals: Vec<u32>,
}

/// The last half-move, for the question where a check can come from.
#[derive(Clone, Copy)]
enum Mover {
    Cloud,
    Piece { from: Square },
}

impl Search {
    fn new(position: &Position, winner: Color, roaming: Roaming) -> Option<Self> {
        let reach = Reach::of(position);
        let takes_in = |unit: &&Unit| roaming.takes_in(unit, position, winner);
        let cloud: Vec<Unit> = reach.units.iter().filter(takes_in).copied().collect();
        if cloud.is_empty() {
            return None;
        }
        let mut left_out = Bitboard::EMPTY;
        for unit in &cloud {
            left_out |= unit.home();
        }
        let start = Scene {
            by_role: Role::ALL.map(|role| position.by_role(role) & !left_out),
            by_color: Color::ALL.map(|color| position.by_color(color) & !left_out),
            turn: position.side_to_move(),
            passed: Bitboard::EMPTY,
        };
        let pawns =
            Color::ALL.map(|color| cloud.iter().any(|unit| unit.color == color && unit.role == Role::Pawn));
        let (visited, open) = (Visited::new(), Vec::new());
        let none = [Bitboard::EMPTY; 2];
        Some(Self {
            winner,
            start,
            cloud,
            stands: none,
            takes: none,
            pawns,
            visited,
            open,
            current: 0,
            ways: None,
        })
    }

    /// Where there are no pawns in the cloud, it starts at home and may then go where the positions that were found let it
    /// go, and so on in turn until nothing grows: then every move of the cloud is within its squares, and every position
    /// that can come is among those found.
    fn run(&mut self, nodes: u32, limits: &Limits<'_>) -> Found {
        let grows = self.pawns == [false; 2] && self.ways.is_none();
        if grows {
            self.cloud.iter_mut().for_each(Unit::go_home);
        }
        let mut seen = 0;
        loop {
            let found = self.close(nodes.saturating_sub(seen), limits);
            let Found::Nothing(positions) = found else { return found };
            if !grows || !self.grow_cloud() {
                return Found::Nothing(positions);
            }
            seen += positions;
        }
    }

    /// Lets the cloud go through every square that is empty in some position. Returns whether it grew.
    fn grow_cloud(&mut self) -> bool {
        let mut always = [Bitboard::FULL; 3];
        for number in 0..self.visited.len() {
            let scene = Scene::unpack(self.visited.get(number).0);
            always[0] &= scene.by_color[0];
            always[1] &= scene.by_color[1];
            always[2] &= scene.occupied();
        }
        let mut grew = false;
        for unit in &mut self.cloud {
            grew |= unit.spread(!always[2], always[unit.color.index()]);
        }
        grew
    }

    /// Finds every position that can come, the cloud being where it can be so far.
    fn close(&mut self, nodes: u32, limits: &Limits<'_>) -> Found {
        (self.stands, self.takes) = ([Bitboard::EMPTY; 2], [Bitboard::EMPTY; 2]);
        for unit in &self.cloud {
            self.stands[unit.color.index()] |= unit.squares();
            self.takes[unit.color.index()] |= unit.strikes();
        }
        (self.visited, self.open) = (Visited::new(), Vec::new());
        self.ways = self.ways.take().map(|_| Ways::default());
        let origin = Origin::FIRST;
        self.open.extend(self.visited.insert(self.start.pack(), origin));
        let mut expanded = 0_u32;
        while let Some(number) = self.next(expanded) {
            expanded += 1;
            if self.visited.len() >= nodes || expanded.is_multiple_of(256) && !(limits.keep_going)() {
                return Found::Undecided(self.visited.len());
            }
            let scene = Scene::unpack(self.visited.get(number).0);
            self.current = number;
            if self.expand(&scene) {
                return Found::Undecided(self.visited.len());
            }
        }
        Found::Nothing(self.visited.len())
    }

    /// The next position to be looked at: the nearest one where ways are kept.
    fn next(&mut self, expanded: u32) -> Option<u32> {
        if self.ways.is_some() {
            (expanded < self.visited.len()).then_some(expanded)
        } else {
            self.open.pop()
        }
    }

    /// Adds what can follow. Returns whether a checkmate may.
    fn expand(&mut self, scene: &Scene) -> bool {
        let us = scene.turn;
        let own = scene.by_color[us.index()];
        for from in own {
            let role = scene.role_on(from);
            let to = self.targets(scene, from, role);
            for to in to {
                if self.move_piece(scene, from, to, role) {
                    return true;
                }
            }
        }
        if self.stands[us.index()].is_empty() {
            return false;
        }
        let prey = scene.by_color[(!us).index()] & !scene.by_role[Role::King.index()];
        let mut taken = prey & self.takes[us.index()];
        if self.pawns[us.index()] {
            taken |= scene.passed;
        }
        let mut next = *scene;
        next.pass();
        if self.add(&next, Mover::Cloud) {
            return true;
        }
        taken.into_iter().any(|square| {
            let mut next = *scene;
            next.remove(square);
            next.pass();
            self.add(&next, Mover::Cloud)
        })
    }

    /// Where a piece can go, whatever checks.
    fn targets(&self, scene: &Scene, from: Square, role: Role) -> Bitboard {
        let us = scene.turn;
        let occupied = scene.occupied();
        let kings = scene.by_role[Role::King.index()];
        let to = match role {
            Role::Pawn => {
                let pawn = Bitboard::from_square(from);
                let once = floods::push(us, pawn) & !occupied;
                let start = Square::new(from.file(), second_rank(us));
                let twice = if from == start { floods::push(us, once) & !occupied } else { Bitboard::EMPTY };
                let theirs = scene.by_color[(!us).index()] | self.stands[(!us).index()] & !occupied;
                let en_passant = floods::push(us, scene.passed);
                once | twice | pawn_attacks(us, from) & (theirs | en_passant)
            }
            role => piece_attacks(role, from, occupied),
        };
        to & !scene.by_color[us.index()] & !kings
    }

    fn move_piece(&mut self, scene: &Scene, from: Square, to: Square, role: Role) -> bool {
        let us = scene.turn;
        let mut next = *scene;
        next.pass();
        next.remove(to);
        next.remove(from);
        let is_pawn = role == Role::Pawn;
        let en_passant = floods::push(us, scene.passed).contains(to);
        if is_pawn && en_passant && from.file() != to.file() {
            // The pawn may have been taken, or a piece of the cloud on the square behind it.
            let mut taken = next;
            scene.passed.into_iter().for_each(|passed| taken.remove(passed));
            taken.put(us, role, to);
            if self.add(&taken, Mover::Piece { from }) || self.add(&taken, Mover::Cloud) {
                return true;
            }
            if !self.stands[(!us).index()].contains(to) {
                return false;
            }
        }
        if is_pawn && to.rank() == (!us).back_rank() {
            if let Some(ways) = self.ways.as_mut().filter(|_| us == self.winner) {
                ways.goals.push(self.current);
                return false;
            }
            return Role::PROMOTIONS.into_iter().any(|promoted| {
                let mut next = next;
                next.put(us, promoted, to);
                self.add(&next, Mover::Piece { from })
            });
        }
        next.put(us, role, to);
        if is_pawn && from.index().abs_diff(to.index()) == 16 {
            let beside = pawn_attacks(us, Square::from_index((from.index() + to.index()) / 2));
            let theirs = next.by_color[(!us).index()] & next.by_role[Role::Pawn.index()];
            if self.pawns[(!us).index()] || (beside & theirs).any() {
                next.passed = Bitboard::from_square(to);
            }
        }
        self.add(&next, Mover::Piece { from })
    }

    /// Adds a position if it may be legal and is new. Returns whether it may be checkmate by the winner.
    fn add(&mut self, next: &Scene, mover: Mover) -> bool {
        if self.is_surely_attacked(next, next.king(!next.turn), next.turn) {
            return false;
        }
        if next.turn != self.winner && self.may_be_mate(next, mover) {
            let Some(ways) = &mut self.ways else { return true };
            ways.goals.push(self.current);
        }
        if self.stands[self.winner.index()].is_empty() && !next.by_color[self.winner.index()].more_than_one()
        {
            return false;
        }
        let origin = Origin::FIRST;
        let packed = next.pack();
        self.open.extend(self.visited.insert(packed, origin));
        if let Some(ways) = &mut self.ways {
            ways.back.extend(self.visited.find(packed).map(|number| (number, self.current)));
        }
        false
    }

    /// Whether `by` attacks `square` with nothing of a cloud possibly between.
    fn is_surely_attacked(&self, scene: &Scene, square: Square, by: Color) -> bool {
        let cloud = self.stands[0] | self.stands[1];
        scene.attackers(square, by).into_iter().any(|from| (between(from, square) & cloud).is_empty())
    }

    fn may_be_mate(&self, scene: &Scene, mover: Mover) -> bool {
        let king = scene.king(!self.winner);
        let checkers = scene.attackers(king, self.winner);
        let by_cloud = match mover {
            Mover::Cloud => true,
            Mover::Piece { from } => self.may_uncover(scene, from, king),
        };
        if checkers.is_empty() && !by_cloud {
            return false;
        }
        let mut units = self.cloud.clone();
        for square in scene.occupied() {
            let color = if scene.by_color[0].contains(square) { Color::White } else { Color::Black };
            units.push(Unit::held(color, scene.role_on(square), square));
        }
        let board = Board::of(units, scene.occupied().without(king), self.winner);
        board.allows_mate_on(king, |unit| by_cloud || unit.is_held())
    }

    /// Whether a piece of the winner's cloud may attack `king` through `from`, which has just been left.
    fn may_uncover(&self, scene: &Scene, from: Square, king: Square) -> bool {
        let occupied = scene.occupied();
        if !between(king, from).is_empty() && (between(king, from) & occupied).any() {
            return false;
        }
        let straight = rook_attacks(king, occupied);
        let diagonal = bishop_attacks(king, occupied);
        self.cloud.iter().filter(|unit| unit.color == self.winner).any(|unit| {
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
