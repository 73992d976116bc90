//! An auditor that shares no code with the game: it keeps every position, and accounts for both
//! clocks.
//!
//! For each side the audit keeps what it was given and what it took. To the microsecond: clock =
//! given - taken.

use zeitnot_rules::board::{ByColor, Color, Position};
use zeitnot_rules::game::{
    Bonus, Charge, Event, Fact, Game, GameInstant, GameSetup, IlcRule, Micros, Period, Seq, TimeControl,
};
use zeitnot_rules::verdict::{Reason, Score};

/// The books of one game.
pub(crate) struct Audit {
    setup: GameSetup,
    /// Every position on the board, the first one too.
    positions: Vec<Position>,
    /// The seqs that made them, none twice.
    made_by: Vec<Seq>,
    given: ByColor<i128>,
    taken: ByColor<i128>,
    bank: ByColor<u64>,
    bases: ByColor<usize>,
    remedy: Option<Bonus>,
    round_trip: ByColor<Option<u64>>,
    turn: Turn,
}

/// What is known of the running turn.
#[derive(Clone, Copy, Default)]
struct Turn {
    start: Option<u64>,
    carried: Option<u64>,
    allowance: u64,
}

impl Audit {
    pub(crate) fn new(setup: &GameSetup) -> Self {
        let mut audit = Self {
            setup: setup.clone(),
            positions: vec![setup.start.clone()],
            made_by: vec![1],
            given: ByColor::both(0),
            taken: ByColor::both(0),
            bank: ByColor::both(0),
            bases: ByColor::both(1),
            remedy: None,
            round_trip: ByColor::both(None),
            turn: Turn::default(),
        };
        for seat in Color::ALL {
            if let Some(periods) = audit.periods(seat) {
                audit.given[seat] = periods[0].base.0.into();
                audit.bank[seat] = audit.first_bank(seat);
            }
        }
        audit
    }

    pub(crate) fn observe(&mut self, game: &Game, fact: Fact) {
        match fact {
            Fact::RoundTrip { seat, smoothed } => self.round_trip[seat] = smoothed.map(|smoothed| smoothed.0),
            Fact::TurnCarried { spent } => self.turn.carried = Some(spent.0),
            Fact::TurnStopped { at } => {
                if let Some(start) = self.turn.start.filter(|_| !game.is_over()) {
                    let before = if game.clocks().is_some() { self.carried(game) } else { 0 };
                    self.turn.carried = Some(before + at.0.saturating_sub(start));
                    self.turn.start = None;
                }
            }
            Fact::TurnStarted { at } if self.turn.start.is_none() && !game.is_over() => {
                self.turn.start = Some(at.0);
                let seat = game.turn();
                if self.periods(seat).is_some() && !self.is_free_move(seat) {
                    let unknown = if self.turn.carried.is_some() { 1_000_000 } else { 0 };
                    let round_trip = self.round_trip[seat].unwrap_or(unknown);
                    self.turn.allowance = (round_trip + round_trip / 2).min(1_000_000).min(self.bank[seat]);
                }
            }
            Fact::TurnStarted { .. } | Fact::Present { .. } | Fact::Absent { .. } => {}
        }
    }

    /// Checks one event that has been folded.
    pub(crate) fn event(&mut self, at: GameInstant, before: &Game, event: &Event, after: &Game) {
        assert_eq!(after.seq(), before.seq() + 1, "seqs have no gaps");
        let ends = after_ends(after, &self.setup);
        if let Some(charge) = event.charge() {
            self.check_charge(at, before, event, charge);
            self.check_bank(charge, matches!(event, Event::MovePlayed { .. }) && !ends);
        }
        match event {
            Event::MovePlayed { mv, charge } => {
                if let Some(charge) = charge {
                    self.book_move(charge, ends);
                }
                let mut position = before.position().clone();
                position.play(*mv).expect("a move that was played was legal");
                self.positions.push(position);
                self.new_position(after.seq());
            }
            Event::TakenBack { plies, .. } => {
                self.positions.truncate(self.positions.len() - usize::from(*plies));
                self.new_position(after.seq());
            }
            Event::TimeAdjusted { remaining, .. } => self.book_act(before, *remaining),
            Event::IlcRemedied { bonus, remaining, .. } => {
                self.check_remedy(event, before);
                let charged = event.charge().map_or(before.clocks(), |charge| Some(charge.remaining));
                for seat in Color::ALL {
                    let clock = charged.expect("there are clocks")[seat];
                    self.given[seat] += i128::from(remaining[seat].0) - i128::from(clock.0);
                }
                self.remedy = Some(bonus.white);
                self.turn = Turn::default();
            }
            Event::Ended { outcome, .. } => self.check_end(outcome.reason, outcome.score, after),
            _ => {}
        }
        assert_eq!(self.positions.last(), Some(after.position()), "the position is that of the moves");
        assert_eq!(self.positions.len(), after.ply_count() as usize + 1);
        self.check_books(event, after);
    }

    /// Checks a game whose last record is complete.
    pub(crate) fn between_records(&self, game: &Game) {
        assert_eq!(game.occurrences(), self.occurrences(), "every occurrence is counted, and nothing else");
        if !game.is_over() {
            let profile = &self.setup.profile;
            let position = game.position();
            assert!(position.has_legal_move(), "neither checkmate nor stalemate goes on");
            assert!(self.occurrences() < profile.repetition.automatic, "no repetition goes on");
            assert!(position.halfmove_clock() < profile.quiet_plies.automatic, "no move count goes on");
        }
        let shown = game.clocks_at(GameInstant(u64::MAX / 2));
        assert_eq!(shown.is_some(), self.setup.time_control != TimeControl::Unlimited);
    }

    fn new_position(&mut self, seq: Seq) {
        assert!(!self.made_by.contains(&seq), "`on` never comes round again");
        self.made_by.push(seq);
        self.turn = Turn::default();
    }

    fn occurrences(&self) -> u16 {
        let last = self.positions.last().expect("there is a position");
        self.positions.iter().filter(|position| position.same_position(last)).count() as u16
    }

    /// What was taken and forgiven follows from the stamps alone.
    fn check_charge(&mut self, at: GameInstant, before: &Game, event: &Event, charge: &Charge) {
        let seat = charge.seat;
        assert_eq!(seat, before.turn(), "only the clock of the side to move runs");
        let took = match (event, before.deadline()) {
            (Event::FlagFell { .. }, deadline) => {
                let deadline = deadline.expect("a flag falls at its deadline");
                assert!(at >= deadline);
                let over = self.turn.start.map_or(0, |start| deadline.0 - start) + self.carried(before);
                over.min(charge.took.0)
            }
            (_, Some(deadline)) if at >= deadline => charge.took.0,
            _ => self.turn.start.map_or(0, |start| at.0.saturating_sub(start)) + self.carried(before),
        };
        assert_eq!(charge.took.0, took, "took = stamp - start");
        let allowance = if self.turn.start.is_some() { self.turn.allowance } else { 0 };
        assert_eq!(charge.credit.0, took.min(allowance), "credit = min(took, allowance)");
        let clocks = before.clocks().expect("there are clocks");
        if matches!(self.setup.time_control, TimeControl::Clock(_)) {
            assert_eq!(charge.remaining[!seat], clocks[!seat], "the other clock stands");
        }
        let is_flag = matches!(event, Event::FlagFell { .. });
        assert_eq!(charge.remaining[seat] == Micros::ZERO, is_flag, "0 means flag: {event:?}");
        if self.periods(seat).is_some() && !self.is_free_move(seat) {
            self.book_time(seat, charge);
        }
    }

    /// What was carried counts, but for the last microsecond of what the turn may take.
    fn carried(&self, before: &Game) -> u64 {
        let seat = before.turn();
        let remaining = before.clocks().expect("there are clocks")[seat].0;
        let limit = match self.periods(seat) {
            Some(_) if self.is_free_move(seat) => 30_000_000,
            Some(_) => {
                let delay = if let Bonus::SimpleDelay(delay) = self.bonus(seat) { delay.0 } else { 0 };
                let allowance = if self.turn.start.is_some() { self.turn.allowance } else { 0 };
                remaining + delay + allowance
            }
            None => remaining,
        };
        self.turn.carried.unwrap_or(0).min(limit - 1)
    }

    fn check_bank(&mut self, charge: &Charge, goes_on: bool) {
        let seat = charge.seat;
        self.bank[seat] -= charge.credit.0;
        if goes_on && self.periods(seat).is_some() && !self.is_free_move(seat) {
            let refill = self.refill(seat);
            self.bank[seat] =
                (self.bank[seat] + refill.min(self.round_trip[seat].unwrap_or(0))).min(7 * refill);
        }
        assert_eq!(charge.bank.0, self.bank[seat], "the bank pays the credit and refills per move");
    }

    /// Books what the turn took, its credit, and a simple delay, which every turn has.
    fn book_time(&mut self, seat: Color, charge: &Charge) {
        let counted = charge.took.0 - charge.credit.0;
        self.taken[seat] += i128::from(charge.took.0);
        self.given[seat] += i128::from(charge.credit.0);
        if let Bonus::SimpleDelay(delay) = self.bonus(seat) {
            self.given[seat] += i128::from(counted.min(delay.0));
        }
    }

    /// Books what a move earns: nothing if it ends the game.
    fn book_move(&mut self, charge: &Charge, ends: bool) {
        let seat = charge.seat;
        let Some(periods) = self.periods(seat).filter(|_| !ends) else { return };
        let counted = charge.took.0 - charge.credit.0;
        if !self.is_free_move(seat) {
            self.given[seat] += i128::from(match self.bonus(seat) {
                Bonus::Increment(increment) => increment.0,
                Bonus::Bronstein(delay) => counted.min(delay.0),
                Bonus::None | Bonus::SimpleDelay(_) => 0,
            });
        }
        let next = period_of(&periods, self.moves_of(seat) + 1).0;
        if next >= self.bases[seat] {
            self.given[seat] += i128::from(periods[next.min(periods.len() - 1)].base.0);
            self.bases[seat] = next + 1;
        }
    }

    fn book_act(&mut self, before: &Game, remaining: ByColor<Micros>) {
        let clocks = before.clocks().expect("an act on clocks needs clocks");
        for seat in Color::ALL {
            self.given[seat] += i128::from(remaining[seat].0) - i128::from(clocks[seat].0);
        }
    }

    fn check_books(&self, event: &Event, after: &Game) {
        for seat in Color::ALL {
            if self.periods(seat).is_some() {
                let clock = i128::from(after.clocks().expect("there are clocks")[seat].0);
                assert_eq!(clock, self.given[seat] - self.taken[seat], "{seat}'s clock after {event:?}");
            }
        }
    }

    fn check_remedy(&self, event: &Event, before: &Game) {
        let Event::IlcRemedied { by, bonus, remaining, charge } = event else { return };
        let clocks =
            charge.map_or(before.clocks(), |charge| Some(charge.remaining)).expect("there are clocks");
        let five = Micros::from_secs(5);
        match self.setup.profile.ilc {
            IlcRule::Us14H => {
                assert_eq!(*bonus, ByColor::both(Bonus::SimpleDelay(five)));
                assert_eq!(remaining[*by].0, clocks[*by].0.div_ceil(2));
                assert_eq!(remaining[!*by], clocks[!*by]);
            }
            IlcRule::FideIii4 => {
                assert_eq!(*bonus, ByColor::both(Bonus::Increment(five)));
                assert_eq!(remaining[*by], clocks[*by]);
                assert_eq!(remaining[!*by].0, clocks[!*by].0 + 120_000_000);
            }
            IlcRule::Off => panic!("nobody can ask"),
        }
    }

    fn check_end(&self, reason: Reason, score: Score, game: &Game) {
        let position = game.position();
        let mated = position.in_check() && !position.has_legal_move();
        assert_eq!(mated, reason == Reason::Checkmate, "checkmate comes before everything");
        match reason {
            Reason::Checkmate => assert_eq!(score, Score::win(!position.side_to_move())),
            Reason::Stalemate => assert!(!position.in_check() && !position.has_legal_move()),
            Reason::FivefoldRepetition => assert!(self.occurrences() >= 5),
            Reason::SeventyFiveMoves => assert!(position.halfmove_clock() >= 150),
            Reason::Aborted | Reason::FirstMoveLimit => {
                assert!(self.positions.len() <= 2 && score == Score::NoResult);
            }
            Reason::Agreement => assert!(self.positions.len() >= 3 && score == Score::Draw),
            _ => {}
        }
    }

    fn periods(&self, seat: Color) -> Option<Vec<Period>> {
        match &self.setup.time_control {
            TimeControl::Clock(sides) => Some(sides[seat].clone()),
            TimeControl::DaysPerMove { .. } | TimeControl::Unlimited => None,
        }
    }

    fn moves_of(&self, seat: Color) -> usize {
        let plies = self.positions.len() - 1;
        self.positions[..plies].iter().filter(|position| position.side_to_move() == seat).count()
    }

    fn is_free_move(&self, seat: Color) -> bool {
        self.setup.profile.soft_start && self.moves_of(seat) == 0
    }

    fn bonus(&self, seat: Color) -> Bonus {
        let periods = self.periods(seat).expect("only clocks have a bonus");
        self.remedy.unwrap_or_else(|| period_of(&periods, self.moves_of(seat)).1.bonus)
    }

    /// Three times 0.15 s more than the share, at most 3 s.
    fn first_bank(&self, seat: Color) -> u64 {
        3 * (self.bank_share(seat) + 150_000).min(1_000_000)
    }

    /// 0.19 s more than the share, at most 0.43 s.
    fn refill(&self, seat: Color) -> u64 {
        (self.bank_share(seat) + 190_000).min(430_000)
    }

    /// 0.004 x (base + 40 bonuses).
    fn bank_share(&self, seat: Color) -> u64 {
        let periods = self.periods(seat).expect("only clocks have a bank");
        let bases: u64 = periods.iter().map(|period| period.base.0).sum();
        let bonuses: u64 = (0..40).map(|moves| period_of(&periods, moves).1.bonus.amount().0).sum();
        (bases + bonuses) / 1_000 * 4
    }
}

/// The number, from 0, and the rule of the period of a side that has made `moves` moves. Counted
/// one by one.
fn period_of(periods: &[Period], moves: usize) -> (usize, Period) {
    let (mut number, mut made) = (0, 0);
    for _ in 0..moves {
        made += 1;
        let period = periods[number.min(periods.len() - 1)];
        if period.moves.is_some_and(|asked| made == usize::from(asked)) {
            (number, made) = (number + 1, 0);
        }
    }
    (number, periods[number.min(periods.len() - 1)])
}

/// Whether the position on the board ends the game automatically, worked out without the game's own
/// verdict.
fn after_ends(after: &Game, setup: &GameSetup) -> bool {
    let position = after.position();
    !position.has_legal_move()
        || zeitnot_rules::verdict::is_dead(position).is_some()
        || after.occurrences() >= setup.profile.repetition.automatic
        || position.halfmove_clock() >= setup.profile.quiet_plies.automatic
}
