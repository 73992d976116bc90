//! The books of the clocks: what was charged follows from the stamps, and for each side clock +
//! elapsed time changes only by credits, increments, delays, bases and recorded acts.

use std::ops::RangeInclusive;

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{AdjustmentCause, Bonus, Charge, Event, Period, TimeControl};
use zeitnot_rules::verdict::Reason;

use super::book::TurnStart;
use super::log::giver;
use super::{Awake, Book, Fault, Look, holds};
use crate::storage::Record;
use crate::time::ServiceInstant;

const DAY_US: u64 = 24 * 3_600_000_000;
const FIRST_MOVE_US: u64 = 30_000_000;
/// The most that is forgiven in a turn.
const FORGIVEN_US: u64 = 1_000_000;
/// What a turn is charged too little at most when its process is gone.
const LOST_US: u64 = 2_000_000;
/// A stop of the process moves the service clock by so much at most.
const STOP_US: u64 = 100_000;

impl Book {
    pub(super) fn open_clocks(&mut self) {
        for seat in Color::ALL {
            match &self.setup.time_control {
                TimeControl::Unlimited => {}
                TimeControl::DaysPerMove { days } => self.remaining[seat] = u64::from(*days) * DAY_US,
                TimeControl::Clock(sides) => {
                    self.remaining[seat] = sides[seat][0].base.0;
                    self.bank[seat] = 3 * (self.bank_share(seat) + 150_000).min(1_000_000);
                }
            }
        }
    }

    pub(super) fn start_turn(&mut self, at: ServiceInstant, awake: Awake) {
        if self.turn.start.is_some() || self.is_stopped || self.has_ended {
            return;
        }
        self.recovered = None;
        let seat = self.game.turn();
        let counts = self.is_real_time() && !self.is_free_move(seat);
        // Of an interrupted turn nobody knows what was to be forgiven.
        let unknown = if self.turn.interrupted.is_some() { FORGIVEN_US } else { 0 };
        let round_trip = self.round_trip(seat).unwrap_or(unknown);
        let allowance = (round_trip + round_trip / 2).min(FORGIVEN_US).min(self.bank[seat]);
        let allowance = if counts { allowance } else { 0 };
        self.turn.start = Some(TurnStart { at, awake, allowance });
    }

    /// What was to be forgiven when the turn started is forgotten at rest.
    pub(super) fn forgive_as_interrupted(&mut self) {
        let seat = self.game.turn();
        let counts = self.is_real_time() && !self.is_free_move(seat);
        let allowance = if counts { FORGIVEN_US.min(self.bank[seat]) } else { 0 };
        if let Some(start) = &mut self.turn.start {
            start.allowance = allowance;
        }
    }

    /// What the running turn may have taken at `at`: what this process has seen of it, and at most
    /// all that came before. A process that is gone takes with it what came after its last heartbeat.
    pub(super) fn turn_took(&self, at: ServiceInstant) -> RangeInclusive<u64> {
        let since = self.turn.start.map_or(0, |start| at.0.saturating_sub(start.at.0));
        let most = self.turn.interrupted.map_or(since, |before| since + before);
        since.saturating_sub(self.turn.stops_at_rest * LOST_US)..=most
    }

    /// When the running turn's time is up, if it was not interrupted: then only the actor knows.
    pub(super) fn deadline(&self) -> Option<ServiceInstant> {
        let start = self.turn.start.filter(|_| self.turn.interrupted.is_none())?;
        Some(ServiceInstant(start.at.0 + self.limit(start.allowance)?))
    }

    /// What a turn may take.
    fn limit(&self, allowance: u64) -> Option<u64> {
        let seat = self.game.turn();
        match &self.setup.time_control {
            TimeControl::Unlimited => None,
            TimeControl::DaysPerMove { .. } => Some(self.remaining[seat]),
            TimeControl::Clock(_) if self.is_free_move(seat) => Some(FIRST_MOVE_US),
            TimeControl::Clock(_) => {
                let delay = match self.bonus(seat) {
                    Bonus::SimpleDelay(delay) => delay.0,
                    Bonus::None | Bonus::Increment(_) | Bonus::Bronstein(_) => 0,
                };
                Some(allowance + self.remaining[seat] + delay)
            }
        }
    }

    /// Looks at a record when it is decided: what it charges is what the turn took.
    pub(super) fn check_decision(&self, record: &Record, now: ServiceInstant, awake: Awake) -> Look {
        if record.events.iter().any(is_by_time) {
            self.check_deadline(now)?;
        }
        if record.events.iter().any(|event| matches!(event, Event::AbsenceClaimed { .. })) {
            let claimant = record.account.and_then(|account| self.seat_of(account));
            let is_absent = claimant.is_some_and(|seat| !self.is_here(!seat));
            holds(is_absent, Fault::WrongClaim, || "the opponent is here".to_owned())?;
        }
        let Some(charge) = record.events.iter().find_map(Event::charge) else { return Ok(()) };
        let allowance = self.turn.start.map_or(0, |start| start.allowance);
        let credit = charge.took.0.min(allowance);
        holds(charge.credit.0 == credit, Fault::WrongCredit, || {
            format!("{credit} µs of {charge:?} are to be forgiven")
        })?;
        if record.events.iter().any(is_by_time) {
            return self.check_flag(charge, now, awake, allowance);
        }
        self.check_took(record, charge, now, awake)
    }

    fn check_deadline(&self, now: ServiceInstant) -> Look {
        let Some(deadline) = self.deadline() else { return Ok(()) };
        holds(now >= deadline, Fault::FlagTooEarly, || format!("at {now:?}, and due at {deadline:?}"))?;
        self.check_nothing_in_hand(deadline)
    }

    fn check_flag(&self, charge: &Charge, now: ServiceInstant, awake: Awake, allowance: u64) -> Look {
        let limit = self.limit(allowance).unwrap_or(u64::MAX);
        holds(charge.took.0 == limit, Fault::WrongTime, || format!("the limit is {limit} µs: {charge:?}"))?;
        let Some(start) = self.turn.start else {
            return Err((Fault::FlagTooEarly, "no turn has started".to_owned()));
        };
        let service = now.0 - start.at.0 + self.turn.interrupted.unwrap_or(0);
        holds(service >= limit, Fault::FlagTooEarly, || format!("{service} of {limit} µs were served"))?;
        self.check_awake(charge.took.0, start, awake)
    }

    /// No more was charged than the process was awake, and 100 ms for each stop.
    fn check_awake(&self, took: u64, start: TurnStart, until: Awake) -> Look {
        let most = until.us - start.awake.us + (until.stops - start.awake.stops) * STOP_US;
        let most = most + self.turn.interrupted.unwrap_or(0);
        holds(took <= most, Fault::WrongTime, || format!("{took} µs were charged, and {most} µs went by"))
    }

    fn check_took(&self, record: &Record, charge: &Charge, now: ServiceInstant, awake: Awake) -> Look {
        let Some(start) = self.turn.start else {
            let most = self.turn.interrupted.unwrap_or(0);
            return holds(charge.took.0 <= most, Fault::WrongTime, || {
                format!("the turn has not started, and {charge:?}")
            });
        };
        if record.account.is_none() {
            // A verdict that comes late ends the turn when its actor hears it, which is before now.
            let most = now.0.saturating_sub(start.at.0) + self.turn.interrupted.unwrap_or(0);
            holds(charge.took.0 <= most, Fault::WrongTime, || format!("{charge:?}, and {most} µs went by"))?;
            return self.check_awake(charge.took.0, start, awake);
        }
        let limit = self.limit(start.allowance).map_or(u64::MAX, |limit| limit - 1);
        let stamps: Vec<_> = self.reads_of(record).collect();
        let fits = |(stamp, awake): &(ServiceInstant, Awake)| {
            let (least, most) = self.turn_took(*stamp).into_inner();
            let took = charge.took.0;
            let is_right = (least.min(limit)..=most.min(limit)).contains(&took);
            let is_awake = awake.us < start.awake.us || self.check_awake(took, start, *awake).is_ok();
            is_right && is_awake
        };
        holds(stamps.iter().any(fits), Fault::WrongTime, || {
            format!("{charge:?} of a turn that started at {:?}, with stamps {stamps:?}", start.at)
        })
    }

    /// When the command of a record was read: more than once if it was sent again.
    fn reads_of(&self, record: &Record) -> impl Iterator<Item = (ServiceInstant, Awake)> + '_ {
        let (account, command) = (record.account, record.command);
        let of_it = self.reads.iter().filter(move |read| Some(read.account) == account && read.id == command);
        of_it.map(|read| (read.stamp, read.awake))
    }

    /// Books an event that became durable; `ends`: the game ends with its record.
    pub(super) fn book_time(&mut self, event: &Event, ends: bool, round_trip: u64) -> Look {
        if let Some(charge) = event.charge() {
            let is_move = matches!(event, Event::MovePlayed { .. });
            let takes_back = matches!(event, Event::TakenBack { .. });
            self.book_charge(charge, is_move && !ends, takes_back, round_trip)?;
        }
        match event {
            Event::TimeAdjusted { cause, remaining } => {
                let Some(by) = giver(*cause) else { return Ok(()) };
                let given = remaining[!by].0.saturating_sub(self.remaining[!by]);
                let is_right = match cause {
                    AdjustmentCause::GiveTime { .. } => (1_000_000..=60_000_000).contains(&given),
                    _ => given == 60_000_000 || given == 120_000_000,
                };
                holds(is_right && remaining[by].0 == self.remaining[by], Fault::WrongClock, || {
                    format!("{event:?} from {:?}", self.remaining)
                })?;
                self.remaining = remaining.map(|clock| clock.0);
            }
            Event::IlcRemedied { by, bonus, remaining, .. } => {
                self.remedy = Some(bonus.white);
                let requester = remaining[*by].0;
                let is_right =
                    requester == self.remaining[*by] || requester == self.remaining[*by].div_ceil(2);
                holds(is_right, Fault::WrongClock, || format!("{event:?} from {:?}", self.remaining))?;
                self.remaining = remaining.map(|clock| clock.0);
            }
            _ => {}
        }
        Ok(())
    }

    fn book_charge(&mut self, charge: &Charge, earns: bool, takes_back: bool, round_trip: u64) -> Look {
        let (seat, before) = (charge.seat, self.remaining);
        holds(seat == self.game.turn(), Fault::WrongClock, || format!("{charge:?} is the other side's"))?;
        let counted = charge.took.0 - charge.credit.0;
        match self.setup.time_control.clone() {
            TimeControl::Unlimited => {}
            TimeControl::DaysPerMove { days } => {
                let allotted = u64::from(days) * DAY_US;
                if takes_back {
                    self.remaining = zeitnot_rules::board::ByColor::both(allotted);
                } else {
                    let left = before[seat].saturating_sub(counted);
                    self.remaining[seat] = if earns { allotted } else { left };
                }
            }
            TimeControl::Clock(sides) => {
                let earned = earns.then_some(round_trip);
                self.book_clock(charge, counted, earned, &sides[seat]);
            }
        }
        let is_right = Color::ALL.into_iter().all(|seat| charge.remaining[seat].0 == self.remaining[seat]);
        holds(is_right && charge.bank.0 == self.bank[seat], Fault::WrongClock, || {
            format!("{charge:?} from {before:?}; right: {:?}, bank {}", self.remaining, self.bank[seat])
        })
    }

    /// `earned`: the move earns what it gives, and this was the round trip when it was decided.
    fn book_clock(&mut self, charge: &Charge, counted: u64, earned: Option<u64>, periods: &[Period]) {
        let seat = charge.seat;
        let is_free = self.is_free_move(seat);
        self.bank[seat] -= charge.credit.0;
        if !is_free {
            let bonus = self.bonus(seat);
            let delayed = if let Bonus::SimpleDelay(delay) = bonus { counted.min(delay.0) } else { 0 };
            self.remaining[seat] = (self.remaining[seat] + delayed).saturating_sub(counted);
            if let Some(round_trip) = earned {
                self.remaining[seat] += match bonus {
                    Bonus::Increment(increment) => increment.0,
                    Bonus::Bronstein(delay) => counted.min(delay.0),
                    Bonus::None | Bonus::SimpleDelay(_) => 0,
                };
                let refill = self.refill(seat);
                self.bank[seat] = (self.bank[seat] + refill.min(round_trip)).min(7 * refill);
            }
        }
        let next = self.period(seat, self.game.moves_of(seat) as usize + 1);
        if earned.is_some() && next >= self.bases[seat] {
            self.remaining[seat] += periods[next.min(periods.len() - 1)].base.0;
            self.bases[seat] = next + 1;
        }
    }

    fn is_real_time(&self) -> bool {
        matches!(self.setup.time_control, TimeControl::Clock(_))
    }

    fn is_free_move(&self, seat: Color) -> bool {
        self.setup.profile.soft_start && self.is_real_time() && self.game.moves_of(seat) == 0
    }

    fn bonus(&self, seat: Color) -> Bonus {
        let TimeControl::Clock(sides) = &self.setup.time_control else { return Bonus::None };
        let period = self.period(seat, self.game.moves_of(seat) as usize);
        self.remedy.unwrap_or(sides[seat][period.min(sides[seat].len() - 1)].bonus)
    }

    /// The number of the period, from 0, of a side that has made so many moves.
    fn period(&self, seat: Color, mut moves: usize) -> usize {
        let TimeControl::Clock(sides) = &self.setup.time_control else { return 0 };
        let mut number = 0;
        while let Some(asked) = sides[seat][number.min(sides[seat].len() - 1)].moves.map(usize::from) {
            if moves < asked {
                break;
            }
            (moves, number) = (moves - asked, number + 1);
        }
        number
    }

    /// 0.19 s more than the share, at most 0.43 s.
    fn refill(&self, seat: Color) -> u64 {
        (self.bank_share(seat) + 190_000).min(430_000)
    }

    /// 0.004 x (bases + 40 bonuses).
    fn bank_share(&self, seat: Color) -> u64 {
        let TimeControl::Clock(sides) = &self.setup.time_control else { return 0 };
        let bases: u64 = sides[seat].iter().map(|period| period.base.0).sum();
        let last = sides[seat].len() - 1;
        let bonus = |moves| sides[seat][self.period(seat, moves).min(last)].bonus.amount().0;
        let bonuses: u64 = (0..40).map(bonus).sum();
        (bases + bonuses) / 1_000 * 4
    }
}

/// Whether an event comes because time is up.
fn is_by_time(event: &Event) -> bool {
    match event {
        Event::FlagFell { .. } => true,
        Event::Ended { outcome, .. } => outcome.reason == Reason::FirstMoveLimit,
        _ => false,
    }
}
