//! In which order moves are tried: the better the order, the smaller the tree.
//!
//! First the move that the table remembers, then captures by what they win, then quiet moves that have
//! cut off elsewhere, then captures that lose something. Deliberately absent: any pruning. An order
//! changes how long a search takes, and nothing is left out here that was not asked to be.
//!
//! Invariant: a move comes once, and only if it is legal.

use zeitnot_rules::board::{Color, Move, Position, Role};

use super::eval::{captured, price};
use super::exchange::exchange;
use super::history::{Counts, History, Place, Step};
use super::tables::value;

const FROM_TABLE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
/// Added to the rank of a capture that loses something: so it comes after every quiet move.
const LOSING: i32 = -(1 << 26);

/// What a better square counts beside cut-offs: most in the beginning, when there have been few.
const PER_CENTIPAWN: i32 = 8;

/// A move with its place in the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub(super) mv: Move,
    pub(super) role: Role,
    /// Whether it neither captures nor promotes.
    pub(super) quiet: bool,
    /// How good a quiet move has been so far; 0 for others.
    pub(super) count: i32,
    /// Whether it was searched, and not left out.
    tried: bool,
    /// Whether it may lose something on its square, which is found out when its turn comes.
    doubtful: bool,
    rank: i32,
}

impl Ranked {
    pub(super) const fn step(&self) -> Step {
        Step::new(self.role, self.mv.to)
    }

    /// Whether it is a capture or promotion that loses something.
    pub(super) const fn is_losing(&self) -> bool {
        self.rank < LOSING / 2
    }

    /// Whether it is one of the quiet moves that cut off last.
    pub(super) const fn is_killer(&self) -> bool {
        self.quiet && self.rank >= KILLER - 1
    }
}

/// Which moves are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// Every legal move.
    All,
    /// Captures and promotions to a queen.
    Noisy,
}

/// Gives the moves of a position one by one.
pub(super) struct Picker {
    list: Vec<Ranked>,
    /// How many of the list have been given.
    given: usize,
    wanted: Wanted,
    remembered: Option<Move>,
    is_listed: bool,
}

impl Picker {
    /// The list is only lent, to spare the allocation.
    pub(super) fn new(wanted: Wanted, remembered: Option<Move>, mut list: Vec<Ranked>) -> Self {
        list.clear();
        Self { list, given: 0, wanted, remembered, is_listed: false }
    }

    /// The list back.
    pub(super) fn into_list(self) -> Vec<Ranked> {
        self.list
    }

    /// Forgets the quiet moves of the list, which begins after the remembered move.
    pub(super) fn skip_quiet(&mut self) {
        let mut nth = self.given;
        while nth < self.list.len() {
            if self.list[nth].quiet {
                self.list.swap_remove(nth);
            } else {
                nth += 1;
            }
        }
    }

    /// Notes that the move that was given last is searched.
    pub(super) fn note_tried(&mut self) {
        self.list[self.given - 1].tried = true;
    }

    /// The quiet moves that were searched before the one that was given last.
    pub(super) fn tried_before(&self) -> impl Iterator<Item = &Ranked> {
        self.list[..self.given - 1].iter().filter(|ranked| ranked.quiet && ranked.tried)
    }

    /// The next move, the best one first. The remembered one comes before the others are even listed.
    pub(super) fn next(&mut self, position: &Position, history: &History, place: &Place) -> Option<Ranked> {
        if !self.is_listed && self.given == 0 {
            self.remembered = self.remembered.filter(|&mv| position.is_legal(mv));
            if let Some(first) = self.remembered.and_then(|mv| remembered(position, mv, history, place)) {
                self.given = 1;
                self.list.push(first);
                return Some(first);
            }
        }
        if !self.is_listed {
            self.is_listed = true;
            self.fill(position, history, place);
        }
        loop {
            let ranked = next(&mut self.list, self.given)?;
            if ranked.doubtful {
                let doubtful = &mut self.list[self.given];
                doubtful.doubtful = false;
                if exchange(position, ranked.mv) < 0 {
                    doubtful.rank += LOSING;
                }
                continue;
            }
            self.given += 1;
            return Some(ranked);
        }
    }

    fn fill(&mut self, position: &Position, history: &History, place: &Place) {
        let theirs = position.by_color(!position.side_to_move());
        let ranks = Ranks::at(position, history, place);
        position.for_each_piece_moves(|bunch| {
            let role = bunch.role();
            if self.wanted == Wanted::All || role == Role::Pawn || (bunch.to() & theirs).any() {
                let moves = bunch.into_iter().filter(|mv| Some(*mv) != self.remembered);
                let ranked = moves.map(|mv| ranks.of(role, mv));
                let wanted = |ranked: &Ranked| self.wanted == Wanted::All || is_noisy(ranked);
                self.list.extend(ranked.filter(wanted));
            }
            false
        });
    }
}

/// All legal moves in their order.
pub(super) fn sorted(position: &Position, history: &History, place: &Place) -> Vec<Ranked> {
    let mut picker = Picker::new(Wanted::All, None, Vec::new());
    std::iter::from_fn(|| picker.next(position, history, place)).collect()
}

fn is_noisy(ranked: &Ranked) -> bool {
    !ranked.quiet && ranked.mv.promotion.is_none_or(|role| role == Role::Queen)
}

fn remembered(position: &Position, mv: Move, history: &History, place: &Place) -> Option<Ranked> {
    let role = position.piece_at(mv.from)?.role;
    let ranked = Ranks::at(position, history, place).of(role, mv);
    Some(Ranked { doubtful: false, rank: FROM_TABLE, ..ranked })
}

/// What moves of one position are ranked by.
struct Ranks<'a> {
    position: &'a Position,
    counts: Counts<'a>,
    killers: [Option<Move>; 2],
    side: Color,
}

impl<'a> Ranks<'a> {
    fn at(position: &'a Position, history: &'a History, place: &Place) -> Self {
        let (counts, killers) = (history.at(place), history.killers(place.ply));
        Self { position, counts, killers, side: place.side }
    }

    fn of(&self, role: Role, mv: Move) -> Ranked {
        let is_capture = self.position.is_capture(mv);
        let ranked = Ranked { mv, role, quiet: true, count: 0, tried: false, doubtful: false, rank: 0 };
        if !is_capture && mv.promotion.is_none() {
            let count = self.counts.of(ranked.step(), mv);
            let rank = match self.killers.iter().position(|killer| *killer == Some(mv)) {
                Some(nth) => KILLER - nth as i32,
                None => count + PER_CENTIPAWN * gained(self.side, role, mv),
            };
            return Ranked { count, rank, ..ranked };
        }
        let won = captured(self.position, mv.to, is_capture).map_or(0, price);
        let promoted = mv.promotion.map_or(0, price);
        let rank = CAPTURE + 16 * (won + promoted) - price(role);
        let doubtful = mv.promotion.is_some() || price(role) > won;
        Ranked { quiet: false, doubtful, rank, ..ranked }
    }
}

/// What a quiet move gains by the square it goes to, in centipawns.
fn gained(side: Color, role: Role, mv: Move) -> i32 {
    let (from, to) = (value(side, role, mv.from), value(side, role, mv.to));
    (to.middle + to.end - from.middle - from.end) / 2
}

/// Moves the best of `moves[from..]` to `from`, and returns it.
fn next(moves: &mut [Ranked], from: usize) -> Option<Ranked> {
    let mut best = from;
    for nth in from + 1..moves.len() {
        if moves[nth].rank > moves[best].rank {
            best = nth;
        }
    }
    let ranked = moves.get(best).copied()?;
    moves.swap(from, best);
    Some(ranked)
}

#[cfg(test)]
mod tests {
    use zeitnot_rules::notation::fen;

    use super::*;

    fn given(position: &Position, wanted: Wanted, remembered: Option<Move>) -> Vec<Ranked> {
        let history = History::new();
        let place = Place { side: position.side_to_move(), ply: 1, last: None, own: None };
        let mut picker = Picker::new(wanted, remembered, Vec::new());
        std::iter::from_fn(|| picker.next(position, &history, &place)).collect()
    }

    const MIDDLEGAME: &str = "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn every_legal_move_comes_once_whichever_is_remembered() {
        let position = fen::parse(MIDDLEGAME).expect("a position");
        let legal = position.legal_moves();
        let nobody = Move::new(position.king(Color::Black), position.king(Color::White));
        for remembered in legal.iter().copied().map(Some).chain([None, Some(nobody)]) {
            let moves: Vec<Move> =
                given(&position, Wanted::All, remembered).iter().map(|one| one.mv).collect();
            assert_eq!(moves.len(), legal.len());
            assert!(legal.iter().all(|mv| moves.contains(mv)));
            assert!(remembered.is_none_or(|mv| mv == nobody || moves[0] == mv));
        }
    }

    #[test]
    fn captures_that_lose_something_come_last() {
        let moves = given(&fen::parse(MIDDLEGAME).expect("a position"), Wanted::All, None);
        let first_losing = moves.iter().position(Ranked::is_losing).expect("the queen may take pawns");
        assert!(moves[first_losing..].iter().all(Ranked::is_losing));
        let first_quiet = moves.iter().position(|ranked| ranked.quiet).expect("there are quiet moves");
        assert!(moves[..first_quiet].iter().all(|ranked| !ranked.quiet));
    }

    #[test]
    fn noisy_moves_are_captures_and_promotions_to_a_queen() {
        let position = fen::parse(MIDDLEGAME).expect("a position");
        let moves = given(&position, Wanted::Noisy, None);
        let is_wanted = |mv: &&Move| match mv.promotion {
            Some(role) => role == Role::Queen,
            None => position.is_capture(**mv),
        };
        assert_eq!(moves.len(), position.legal_moves().iter().filter(is_wanted).count());
        assert!(moves.iter().all(|ranked| !ranked.quiet));
    }

    #[test]
    fn quiet_moves_can_be_skipped() {
        let position = fen::parse(MIDDLEGAME).expect("a position");
        let history = History::new();
        let place = Place { side: Color::White, ply: 1, last: None, own: None };
        let mut picker = Picker::new(Wanted::All, None, Vec::new());
        picker.next(&position, &history, &place).expect("a capture comes first");
        picker.skip_quiet();
        let rest: Vec<Ranked> = std::iter::from_fn(|| picker.next(&position, &history, &place)).collect();
        assert!(!rest.is_empty() && rest.iter().all(|ranked| !ranked.quiet));
    }
}
