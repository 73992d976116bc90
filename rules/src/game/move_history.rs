//! The half-moves that still stand on the board, and the clocks after each.
//!
//! A half-move takes 12 bytes. Positions are replayed when they are needed, and both clocks after a
//! half-move follow from its mover's clock and the few acts that changed a clock in between. Times
//! of past half-moves are kept to the millisecond; the running clocks are kept exactly, in `state`.
//! The seqs of half-moves rise by one, but for the few events in between.
//!
//! Invariant: `stood` has the positions since the last pawn move or capture, or since the first
//! position, and that one first. No other position can come again.

use super::{Charge, Micros, Seq};
use crate::board::{ByColor, Color, Move, PackedMove, Position};
use crate::verdict::{Fingerprint, occurrences};

/// The half-moves for which memory is allocated at once: a history grows in steps, not by doubling.
const GROWTH: usize = 16;

/// A half-move that stands on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// 1 for the game's first half-move.
    pub ply: u32,
    /// The side that made it.
    pub by: Color,
    /// The move.
    pub mv: Move,
    /// The seq of its event.
    pub seq: Seq,
    /// What it took and both clocks after it; `None` in a game without clocks, and where it is not known.
    pub time: Option<MoveTime>,
}

/// The time of a half-move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveTime {
    /// What it took, in whole milliseconds, rounded down.
    pub took: Micros,
    /// How much of that was forgiven for the network, in whole milliseconds, rounded down.
    pub credit: Micros,
    /// Both clocks after it. Rounded up or down to milliseconds, they equal the exact clocks.
    pub clocks: ByColor<Micros>,
}

/// What is kept of a half-move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ply {
    mv: PackedMove,
    /// The credit in milliseconds, at most 1,000, and the flags below.
    credit: u16,
    took_ms: u32,
    /// The mover's clock after the move, in milliseconds, rounded down.
    clock_ms: u32,
}

/// The game has clocks: the times count.
const CLOCKED: u16 = 1 << 15;
/// The mover's clock held a part of a millisecond more.
const REMAINDER: u16 = 1 << 14;
const CREDIT: u16 = REMAINDER - 1;

impl Ply {
    fn new(mv: Move, charge: Option<&Charge>) -> Self {
        let ply = Self { mv: mv.into(), credit: 0, took_ms: 0, clock_ms: 0 };
        let Some(charge) = charge else { return ply };
        let clock = charge.remaining[charge.seat];
        let remainder = if clock.0 % 1_000 == 0 { 0 } else { REMAINDER };
        let credit = charge.credit.to_ms_down().min(u32::from(CREDIT)) as u16;
        Self {
            credit: credit | remainder | CLOCKED,
            took_ms: charge.took.to_ms_down(),
            clock_ms: clock.to_ms_down(),
            ..ply
        }
    }

    fn clock(self) -> Micros {
        Micros::from_millis(self.clock_ms.into()) + Micros(u64::from(self.credit & REMAINDER != 0))
    }

    fn mv(&self) -> Move {
        self.mv.unpack()
    }
}

/// Both clocks as an act set them while the history had `plies` half-moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Adjusted {
    plies: u32,
    clocks: ByColor<Micros>,
}

/// The event of half-move `number` is `seq`, and that of each one after it comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SeqRun {
    number: u32,
    seq: Seq,
}

impl SeqRun {
    /// Event 1 is the game's start.
    const FIRST: Self = Self { number: 1, seq: 2 };

    fn seq_of(self, number: u32) -> Seq {
        self.seq + (number - self.number)
    }
}

/// The half-moves on the board, and what is needed to work out their positions and clocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MoveHistory {
    plies: Vec<Ply>,
    stood: Vec<Fingerprint>,
    /// Those after the first, in order: one for each half-move before which there were other events.
    seq_runs: Vec<SeqRun>,
    /// In the order of `plies`, at most one for each number.
    adjusted: Vec<Adjusted>,
}

impl MoveHistory {
    pub(super) fn new(start: &Position) -> Self {
        let stood = vec![Fingerprint::of(start)];
        Self { plies: Vec::new(), stood, seq_runs: Vec::new(), adjusted: Vec::new() }
    }

    pub(super) fn len(&self) -> u32 {
        self.plies.len() as u32
    }

    /// Adds a half-move that led to `position`.
    pub(super) fn push(&mut self, mv: Move, position: &Position, seq: Seq, charge: Option<&Charge>) {
        if self.plies.len() == self.plies.capacity() {
            self.plies.reserve_exact(GROWTH);
        }
        self.plies.push(Ply::new(mv, charge));
        self.stand(position);
        let number = self.len();
        if self.seq_runs.last().unwrap_or(&SeqRun::FIRST).seq_of(number) != seq {
            self.seq_runs.push(SeqRun { number, seq });
        }
    }

    /// Notes the next position.
    fn stand(&mut self, position: &Position) {
        if position.halfmove_clock() == 0 {
            self.stood.clear();
        }
        self.stood.push(Fingerprint::of(position));
    }

    /// Takes the last `count` half-moves back, and returns the position before them. `start` is the
    /// first position.
    pub(super) fn take_back(&mut self, count: u32, start: &Position) -> Position {
        assert!(count <= self.len(), "no more half-moves are taken back than were played");
        self.plies.truncate((self.len() - count) as usize);
        let length = self.len();
        self.adjusted.retain(|adjusted| adjusted.plies <= length);
        self.seq_runs.retain(|run| run.number <= length);
        let mut position = start.clone();
        self.stood = vec![Fingerprint::of(start)];
        for number in 0..self.plies.len() {
            position.play_unchecked(self.plies[number].mv());
            self.stand(&position);
        }
        position
    }

    /// Notes that an act changed the clocks.
    pub(super) fn note_clocks(&mut self, clocks: ByColor<Micros>) {
        let plies = self.len();
        match self.adjusted.last_mut() {
            Some(last) if last.plies == plies => last.clocks = clocks,
            _ => self.adjusted.push(Adjusted { plies, clocks }),
        }
    }

    /// How often a position has stood, this time included, when it comes after the history and one
    /// more half-move. `start` is the first position.
    pub(super) fn occurrences_of_next(&self, next: &Position, start: &Position) -> u16 {
        occurrences(&self.stood, || self.replay(start), next)
    }

    /// How often the position at the end of the history has stood, this time included. `start` is
    /// the first position.
    pub(super) fn occurrences_of_last(&self, last: &Position, start: &Position) -> u16 {
        occurrences(&self.stood[..self.stood.len() - 1], || self.replay(start), last)
    }

    /// The first position of `stood`, and the half-moves since.
    fn replay(&self, start: &Position) -> (Position, impl Iterator<Item = Move>) {
        let (before, since) = self.plies.split_at(self.plies.len() + 1 - self.stood.len());
        let mut position = start.clone();
        before.iter().for_each(|ply| position.play_unchecked(ply.mv()));
        (position, since.iter().map(Ply::mv))
    }

    /// Whether the event of this seq made one of the positions of the history, the first position
    /// aside.
    pub(super) fn goes_through(&self, seq: Seq) -> bool {
        let after = self.seq_runs.partition_point(|run| run.seq <= seq);
        let run = after.checked_sub(1).map_or(SeqRun::FIRST, |index| self.seq_runs[index]);
        let next = self.seq_runs.get(after).map_or(self.len() + 1, |next| next.number);
        (run.seq..run.seq_of(next)).contains(&seq)
    }

    /// The half-moves from number `from` (1 for the first) on. `first` moved first, with `clocks`
    /// at the start.
    pub(super) fn played(
        &self,
        from: u32,
        first: Color,
        clocks: Option<ByColor<Micros>>,
    ) -> impl Iterator<Item = PlayedMove> + '_ {
        let mut adjusted = self.adjusted.iter().peekable();
        let (mut seq_runs, mut run) = (self.seq_runs.iter().peekable(), SeqRun::FIRST);
        let mut clocks = clocks.unwrap_or_default();
        self.plies
            .iter()
            .zip(1..)
            .map(move |(ply, number): (&Ply, u32)| {
                while let Some(act) = adjusted.next_if(|act| act.plies < number) {
                    clocks = act.clocks;
                }
                run = seq_runs.next_if(|run| run.number == number).copied().unwrap_or(run);
                let by = if number % 2 == 1 { first } else { !first };
                // Of a game that was played elsewhere the time of some half-moves may not be known.
                let time = (ply.credit & CLOCKED != 0).then(|| {
                    clocks[by] = ply.clock();
                    MoveTime {
                        took: Micros::from_millis(ply.took_ms.into()),
                        credit: Micros::from_millis((ply.credit & CREDIT).into()),
                        clocks,
                    }
                });
                PlayedMove { ply: number, by, mv: ply.mv(), seq: run.seq_of(number), time }
            })
            .skip(from.saturating_sub(1) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{File, Rank, Square};

    #[test]
    fn a_half_move_takes_12_bytes_and_memory_grows_by_steps() {
        assert_eq!(size_of::<Ply>(), 12);
        let mut position = Position::standard();
        let mut history = MoveHistory::new(&position);
        for seq in 2..82 {
            let mv = *position.legal_moves().first().expect("nobody is mated here");
            position.play_unchecked(mv);
            history.push(mv, &position, seq, None);
            assert!(history.plies.capacity() <= history.plies.len() + GROWTH);
        }
    }

    #[test]
    fn only_seqs_of_half_moves_that_stand_are_gone_through() {
        let start = Position::standard();
        let mut history = MoveHistory::new(&start);
        let mut position = start.clone();
        for (file, seq) in [(File::E, 2), (File::E, 5)] {
            let rank = |white, black| if seq == 2 { white } else { black };
            let from = Square::new(file, rank(Rank::Second, Rank::Seventh));
            let mv = Move::new(from, Square::new(file, rank(Rank::Fourth, Rank::Fifth)));
            position.play(mv).expect("e4 and e5 are legal");
            history.push(mv, &position, seq, None);
        }
        assert!(history.goes_through(2) && history.goes_through(5));
        let seqs =
            |from| history.played(from, Color::White, None).map(|played| played.seq).collect::<Vec<_>>();
        assert_eq!((seqs(1), seqs(2)), (vec![2, 5], vec![5]));
        assert!(!history.goes_through(1) && !history.goes_through(3) && !history.goes_through(6));
        assert_eq!(history.take_back(2, &start), start);
        assert!(!history.goes_through(2));
    }

    /// A history of the legal moves that `choose` picks, `plies` long.
    fn history_of(
        start: &Position,
        plies: u32,
        choose: impl Fn(u32, usize) -> usize,
    ) -> (MoveHistory, Position) {
        let (mut history, mut position) = (MoveHistory::new(start), start.clone());
        for ply in 0..plies {
            let legal = position.legal_moves();
            let mv = legal[choose(ply, legal.len())];
            position.play_unchecked(mv);
            history.push(mv, &position, ply + 2, None);
        }
        (history, position)
    }

    #[test]
    fn a_history_after_a_takeback_equals_one_that_was_never_longer() {
        let start = Position::standard();
        for salt in 0..40_u32 {
            let choose = |ply: u32, count: usize| {
                (ply.wrapping_mul(2_654_435_761).wrapping_add(salt) as usize >> 3) % count
            };
            for plies in 0..30 {
                let (shorter, position) = history_of(&start, plies, choose);
                for more in 1..=2 {
                    let (mut longer, _) = history_of(&start, plies + more, choose);
                    assert_eq!(longer.take_back(more, &start), position);
                    assert_eq!(longer, shorter);
                }
            }
        }
    }
}
