//! How much room games take that are like those that people play.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{
    Bonus, Command, Event, Fact, Game, GameInstant, GameSetup, Input, Micros, Period, Profile, ShownRating,
    TimeControl,
};

use crate::storage::Record;
use crate::storage::encoding::{Row, WholeGame, decode, encode};

const PLIES: u32 = 80;

/// In microseconds.
const PING_EVERY: u64 = 5_000_000;

/// The most that a row of the archive may take for three to share a page of 4,096 bytes: beside it
/// are the other columns, and what SQLite needs.
const THIRD_OF_A_PAGE: usize = 1_283;

fn setup(time_control: TimeControl, rng: &mut StdRng) -> GameSetup {
    let players = ByColor { white: rng.random(), black: rng.random() };
    GameSetup {
        names: ByColor { white: "Rook_And_Roll".parse().ok(), black: "Castle".parse().ok() },
        by_lot: true,
        rated: true,
        ratings: ByColor {
            white: Some(ShownRating { rating: 1_500, provisional: true }),
            black: Some(ShownRating { rating: 2_731, provisional: false }),
        },
        ..GameSetup::casual(players, time_control, Profile::fide_online(), 1_763_000_000_123)
    }
}

/// A game in the making: what the server observes, and what it records.
struct Play {
    game: Game,
    id: GameId,
    now: GameInstant,
    /// The mean of each side's line.
    round_trip: ByColor<u64>,
    /// How many commands each client has sent; and what it puts before their numbers.
    sent: ByColor<u64>,
    stems: ByColor<u64>,
    records: Vec<Arc<Record>>,
    rng: StdRng,
}

impl Play {
    fn start(time_control: TimeControl, seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let events = Game::start(&setup(time_control, &mut rng)).unwrap();
        let (id, now) = (GameId::from_random(rng.random()), GameInstant::START);
        let game = Game::from_started(&events[0]);
        let first = Record { game: id, first_seq: 1, at: now, account: None, command: None, events };
        let round_trip = ByColor { white: 40_000, black: 70_000 };
        let stems = ByColor { white: rng.random(), black: rng.random() };
        let (sent, records) = (ByColor::default(), vec![Arc::new(first)]);
        Self { game, id, now, round_trip, sent, stems, records, rng }
    }

    /// Time passes. Every [`PING_EVERY`] both lines are measured, which jitter.
    fn pass(&mut self, span: u64) {
        let until = self.now + Micros(span);
        for _ in self.now.0 / PING_EVERY..until.0 / PING_EVERY {
            for seat in Color::ALL {
                let mean = &mut self.round_trip[seat];
                *mean = (*mean * 7 + self.rng.random_range(30_000..90_000)) / 8;
                self.game.observe(Fact::RoundTrip { seat, smoothed: Some(Micros(*mean)) });
            }
        }
        self.now = until;
    }

    /// The turn begins when the disk has the last one, and takes some seconds.
    fn think(&mut self) {
        let (disk, turn) = (self.rng.random_range(300..3_000), self.rng.random_range(200_000..8_000_000));
        self.pass(disk);
        self.game.observe(Fact::TurnStarted { at: self.now });
        self.pass(turn);
    }

    fn act(&mut self, command: Command) {
        let seat = self.game.turn();
        let first_seq = self.game.seq() + 1;
        let events = self.game.decide(self.now, &Input::Player { seat, command }).unwrap();
        events.iter().for_each(|event: &Event| self.game.evolve(event));
        self.sent[seat] += if self.rng.random_bool(0.1) { 2 } else { 1 };
        let account = Some(AccountId::from_u128(self.game.setup().players[seat]));
        let command = format!("{:016x}-{}", self.stems[seat], self.sent[seat]).parse().ok();
        let record = Record { game: self.id, first_seq, at: self.now, account, command, events };
        self.records.push(Arc::new(record));
    }
}

/// A game of [`PLIES`] plies and a resignation; `None` if it ended earlier.
fn usual_game(time_control: TimeControl, seed: u64) -> Option<WholeGame> {
    let mut play = Play::start(time_control, seed);
    while play.game.ply_count() < PLIES {
        play.think();
        let on = play.game.position_seq();
        let mv = *play.game.position().legal_moves().choose(&mut play.rng)?;
        play.act(Command::PlayMove { on, mv });
        if play.game.is_over() {
            return None;
        }
    }
    play.think();
    play.act(Command::Resign);
    Some(WholeGame { game: play.id, records: play.records })
}

/// The bytes of the rows of some games.
fn rows(time_control: &TimeControl) -> Vec<usize> {
    let games = (0..60).filter_map(|seed| usual_game(time_control.clone(), seed));
    let bytes = games.map(|whole| {
        let (row, mut bytes) = (Row::Archived(whole), Vec::new());
        encode(&row, &mut bytes);
        assert_eq!(decode(&bytes), Ok(row));
        bytes.len()
    });
    bytes.collect()
}

#[track_caller]
fn check(time_control: &TimeControl, most: usize) {
    let rows = rows(time_control);
    assert!(rows.len() > 30, "only {} games", rows.len());
    assert!(rows.iter().sum::<usize>() <= most * rows.len(), "on average more than {most}: {rows:?}");
}

#[test]
fn three_usual_games_of_80_plies_share_a_page() {
    let seconds = Micros::from_secs;
    check(&TimeControl::fischer(seconds(180), seconds(2)), THIRD_OF_A_PAGE);
    check(&TimeControl::fischer(seconds(900), seconds(10)), THIRD_OF_A_PAGE);
    check(&TimeControl::fischer(seconds(600), Micros::ZERO), THIRD_OF_A_PAGE);
}

#[test]
fn other_clocks_take_little_more() {
    let bronstein = Bonus::Bronstein(Micros::from_secs(3));
    let period = Period { moves: None, base: Micros::from_secs(600), bonus: bronstein };
    check(&TimeControl::Clock(ByColor::both(vec![period])), 1_450);
    check(&TimeControl::DaysPerMove { days: 3 }, 1_450);
    check(&TimeControl::Unlimited, 850);
}
