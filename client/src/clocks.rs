//! Both clocks of a game, at any instant.
//!
//! What the server said was true when it wrote it: half a round trip before it came. After a move the next clock stands
//! first for the delay, and for what lag compensation is likely to forgive: the most of what it forgave that player's
//! last three moves. A `clock` of the server says it exactly.

use std::time::Duration;

use tokio::time::Instant;
use zeitnot_protocol::{
    ByColor, Clock, Period, Snapshot, Started, TimeControl, WireBonus, WireColor, WireProfile,
};

use crate::event::{GameEvent, index, to_move};
use crate::time::{self, Moment, Timeline};

/// How many of a player's last moves tell what the next one is forgiven.
const TELLING_MOVES: usize = 3;

/// Both clocks as they stood at a moment, and which of them runs since.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reading {
    /// White's and Black's; none without a clock.
    pub(crate) left: Option<[Duration; 2]>,
    pub(crate) running: Option<WireColor>,
    pub(crate) since: Moment,
    /// How long the running clock still stands.
    pub(crate) stands: Duration,
}

/// Both clocks of a game, which go on running: see [`Game::clocks`](crate::Game::clocks).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    timeline: Timeline,
    reading: Reading,
}

impl Clocks {
    pub(crate) fn new(timeline: Timeline, reading: Reading) -> Self {
        Self { timeline, reading }
    }

    /// What this side has left now; zero when the flag has fallen, none in a game without clocks. It is an estimate:
    /// only the server knows what the network cost.
    #[must_use]
    pub fn left(&self, color: WireColor) -> Option<Duration> {
        self.left_at(color, time::now())
    }

    /// What this side has left at an instant, if nobody moves until then.
    #[must_use]
    pub fn left_at(&self, color: WireColor, at: Instant) -> Option<Duration> {
        let Reading { left, running, since, stands } = self.reading;
        let left = left?[index(color)];
        let ran = self.timeline.moment(at).saturating_sub(since + stands);
        Some(if running == Some(color) { left.saturating_sub(ran) } else { left })
    }

    /// The side whose clock runs.
    #[must_use]
    pub fn running(&self) -> Option<WireColor> {
        self.reading.running
    }
}

/// What is known of the clocks of a game, from its events.
#[derive(Clone, Debug)]
pub(crate) struct ClockModel {
    control: TimeControl,
    profile: WireProfile,
    remedy: Option<ByColor<WireBonus>>,
    /// What the last moves of each side were forgiven, in ms.
    credits: [[u32; TELLING_MOVES]; 2],
    reading: Reading,
}

impl ClockModel {
    pub(crate) fn of_snapshot(snapshot: &Snapshot) -> Self {
        let mut model = Self::new(&snapshot.time_control, snapshot.options.profile);
        model.remedy = snapshot.state.remedy;
        // The last ply was made by the side that is not to move.
        let last = index(to_move(&snapshot.fen)) ^ 1;
        let recent = &snapshot.plies[snapshot.plies.len().saturating_sub(2 * TELLING_MOVES)..];
        for (back, ply) in recent.iter().rev().enumerate().rev() {
            model.forgave(last ^ (back & 1), ply.credit);
        }
        // A `clock` follows and says which one runs.
        model.figures([snapshot.white_ms, snapshot.black_ms], Moment::ZERO);
        model
    }

    pub(crate) fn of_start(started: &Started) -> Self {
        let mut model = Self::new(&started.time_control, started.options.profile);
        model.figures([started.white_ms, started.black_ms], Moment::ZERO);
        model
    }

    fn new(control: &TimeControl, profile: WireProfile) -> Self {
        let credits = [[0; TELLING_MOVES]; 2];
        Self { control: control.clone(), profile, remedy: None, credits, reading: Reading::default() }
    }

    pub(crate) fn reading(&self) -> Reading {
        self.reading
    }

    /// The server's own word, written at `since`.
    pub(crate) fn clock(&mut self, clock: &Clock, since: Moment) {
        self.figures([clock.white_ms, clock.black_ms], since);
        self.reading.running = clock.running;
        self.reading.stands = Duration::from_millis(clock.stands_ms.into());
    }

    /// An event, written at `since`. Whether the clocks are others now.
    pub(crate) fn event(&mut self, event: &GameEvent, since: Moment) -> bool {
        match event {
            GameEvent::IlcRemedied(remedy) => self.remedy = Some(remedy.bonus),
            GameEvent::Move(played) => {
                self.forgave(index(to_move(&played.fen)) ^ 1, played.credit);
            }
            _ => {}
        }
        let Some(figures) = event.clocks() else { return false };
        let running = self.reading.running;
        self.figures(figures, since);
        match event {
            GameEvent::Move(played) => self.run(to_move(&played.fen), played.ply, played.check.as_ref()),
            GameEvent::TakenBack(back) => self.run(to_move(&back.fen), back.ply, None),
            // A `clock` follows.
            GameEvent::TimeAdjusted(_) | GameEvent::IlcRemedied(_) => self.reading.running = running,
            _ => {}
        }
        true
    }

    fn run(&mut self, side: WireColor, plies: u32, check: Option<&zeitnot_protocol::Check>) {
        let is_over = check.is_some_and(|check| check.mate);
        // With the other profiles a clock first runs on its side's second move.
        let runs_from_the_start = matches!(self.profile, WireProfile::FideBoard | WireProfile::UsChess);
        if !is_over && (runs_from_the_start || plies >= 2) && self.reading.left.is_some() {
            self.reading.running = Some(side);
            let credit = self.credits[index(side)].iter().max().copied().unwrap_or_default();
            self.reading.stands =
                Duration::from_millis(u64::from(self.delay(side, plies / 2)) + u64::from(credit));
        }
    }

    fn figures(&mut self, [white, black]: [Option<u32>; 2], since: Moment) {
        let ms = |ms: u32| Duration::from_millis(ms.into());
        let left = white.zip(black).map(|(white, black)| [ms(white), ms(black)]);
        self.reading = Reading { left, running: None, since, stands: Duration::ZERO };
    }

    fn forgave(&mut self, side: usize, credit: Option<u32>) {
        self.credits[side].rotate_left(1);
        self.credits[side][TELLING_MOVES - 1] = credit.unwrap_or_default();
    }

    /// The simple delay of a side's turn after so many moves of its own, in ms. A remedy stands for the time control.
    fn delay(&self, side: WireColor, moved: u32) -> u32 {
        if let Some(remedy) = &self.remedy {
            let bonus = if side == WireColor::White { remedy.white } else { remedy.black };
            return bonus.delay_ms.unwrap_or_default();
        }
        let TimeControl::Clock { periods, black_periods } = &self.control else { return 0 };
        let periods = black_periods.as_ref().filter(|_| side == WireColor::Black).unwrap_or(periods);
        period(periods, moved).and_then(|period| period.delay_ms).unwrap_or_default()
    }
}

/// The period after so many moves. A last one with `moves` repeats.
fn period(periods: &[Period], moved: u32) -> Option<&Period> {
    let mut ends = 0_u32;
    let current = periods.iter().find(|period| {
        ends = ends.saturating_add(period.moves.unwrap_or(u32::MAX));
        moved < ends
    });
    current.or(periods.last())
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::MoveEvent;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn model(control: &TimeControl, profile: WireProfile) -> ClockModel {
        ClockModel::new(control, profile)
    }

    fn delayed() -> TimeControl {
        let first = Period { moves: Some(2), base_ms: 60_000, delay_ms: Some(3_000), ..Period::default() };
        let rest = Period { base_ms: 30_000, delay_ms: Some(5_000), ..Period::default() };
        TimeControl::Clock { periods: vec![first, rest], black_periods: None }
    }

    /// A ply after which White has 50 s and Black 40 s.
    fn ply(ply: u32, credit: u32) -> GameEvent {
        GameEvent::Move(MoveEvent {
            game: "4fzVq0aB9kLm".parse().unwrap(),
            seq: ply + 1,
            ply,
            uci: "e2e4".parse().unwrap(),
            san: "e4".parse().unwrap(),
            fen: if ply.is_multiple_of(2) { START.to_owned() } else { START.replace(" w ", " b ") },
            check: None,
            white_ms: Some(50_000),
            black_ms: Some(40_000),
            took: Some(0),
            credit: Some(credit),
        })
    }

    fn clocks(model: &ClockModel, timeline: Timeline) -> Clocks {
        Clocks::new(timeline, model.reading())
    }

    #[test]
    fn the_clock_of_the_side_to_move_runs_after_delay_and_credit() {
        let timeline = Timeline::begin();
        let mut model = model(&delayed(), WireProfile::FideOnline);
        assert!(model.event(&ply(1, 100), ms(0)));
        assert_eq!(clocks(&model, timeline).running(), None, "Black's first move is free");
        model.event(&ply(2, 200), ms(1_000));
        let shown = clocks(&model, timeline);
        assert_eq!(shown.running(), Some(WireColor::White));
        let at = |at| shown.left_at(WireColor::White, timeline.instant(ms(at)));
        // 3 s of delay, and 100 ms as for the first move.
        assert_eq!((at(0), at(4_100), at(5_100)), (Some(ms(50_000)), Some(ms(50_000)), Some(ms(49_000))));
        assert_eq!(at(999_999), Some(Duration::ZERO));
        assert_eq!(shown.left_at(WireColor::Black, timeline.instant(ms(9_000))), Some(ms(40_000)));
        // The second period of White begins with its third move.
        model.event(&ply(3, 0), ms(2_000));
        model.event(&ply(4, 0), ms(3_000));
        let shown = clocks(&model, timeline);
        assert_eq!(shown.left_at(WireColor::White, timeline.instant(ms(8_100))), Some(ms(50_000)));
        assert_eq!(shown.left_at(WireColor::White, timeline.instant(ms(8_101))), Some(ms(49_999)));
    }

    #[test]
    fn over_the_board_a_clock_runs_from_the_first_move_on() {
        let timeline = Timeline::begin();
        let mut model = model(&delayed(), WireProfile::FideBoard);
        model.event(&ply(1, 0), ms(0));
        assert_eq!(clocks(&model, timeline).running(), Some(WireColor::Black));
    }

    #[test]
    fn the_servers_word_counts_and_a_game_without_clocks_has_none() {
        let timeline = Timeline::begin();
        let mut model = model(&delayed(), WireProfile::FideOnline);
        let game = "4fzVq0aB9kLm".parse().unwrap();
        let (white_ms, black_ms, running) = (Some(10_000), Some(20_000), Some(WireColor::Black));
        let clock =
            Clock { id: None, game, seq: 9, white_ms, black_ms, running, stands_ms: 40, first_move_ms: None };
        model.clock(&clock, ms(500));
        let shown = clocks(&model, timeline);
        assert_eq!(shown.left_at(WireColor::Black, timeline.instant(ms(1_540))), Some(ms(19_000)));
        model.clock(&Clock { white_ms: None, black_ms: None, running: None, ..clock }, ms(0));
        assert_eq!(clocks(&model, timeline).left(WireColor::White), None);
    }
}
