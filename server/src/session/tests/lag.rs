//! Lag compensation end to end, without sockets: the keepalive of a connection, and the rules' game, in virtual time
//! against honest lines and against clients that answer late.
//!
//! Measured over 60 moves: the lag is what the line took of White's turns, the credit what was forgiven. An honest line
//! must not lose more than 1 % of its lag, a client that answers late must not gain. Each run is a function of its seed,
//! which a failure prints; `--nocapture` prints the tables.
//!
//! Deliberately absent: the order of packets and congestion. The kernel's estimate is modelled after Linux: an eighth of
//! each new sample, and what was sent again does not count.

use std::collections::VecDeque;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use zeitnot_protocol::Limits;
use zeitnot_rules::board::{ByColor, Color, Move};
use zeitnot_rules::game::{
    Command, Event, Fact, Game, GameInstant, GameSetup, Input, Micros, Profile, TimeControl,
};

use crate::session::keepalive::{Keepalive, Timing};
use crate::time::ServiceInstant;

const MS: u64 = 1_000;
const MOVES: usize = 60;
/// How long the connection is open when the game begins.
const BEFORE_US: u64 = 62_000 * MS;
/// How long a kernel delays an acknowledgement in the hope of sending data with it.
const DELAYED_ACK_US: u64 = 40 * MS;

/// A line, in microseconds.
#[derive(Clone, Copy, Debug)]
struct Network {
    round_trip: u64,
    /// Up to so much more or less.
    jitter: u64,
    /// Packets that are lost, in a thousand.
    lost: u32,
}

impl Network {
    const fn ms(round_trip: u64, jitter: u64, lost: u32) -> Self {
        Self { round_trip: round_trip * MS, jitter: jitter * MS, lost }
    }

    fn jittered(self, rng: &mut StdRng) -> u64 {
        self.round_trip - self.jitter + rng.random_range(0..=2 * self.jitter)
    }

    /// What a message and its answer take: what is lost is sent again after the retransmission timeout.
    fn trip(self, rng: &mut StdRng) -> u64 {
        let mut trip = self.jittered(rng);
        for _direction in 0..2 {
            let mut timeout = self.round_trip + (200 * MS).max(2 * self.jitter);
            while rng.random_range(0..1_000) < self.lost {
                trip += timeout;
                timeout *= 2;
            }
        }
        trip
    }
}

/// By how many milliseconds a client delays something.
#[derive(Clone, Copy, Debug)]
enum Late {
    Never,
    Always(u64),
    /// So much more with each ping, up to the most.
    Growing(u64, u64),
    /// One time in so many.
    OneIn(u32, u64),
    /// In turns: so much, then nothing.
    InTurns(u64, u32),
}

impl Late {
    fn us(self, ping: u32, rng: &mut StdRng) -> u64 {
        MS * match self {
            Self::Never => 0,
            Self::Always(ms) => ms,
            Self::Growing(step, most) => (step * u64::from(ping)).min(most),
            Self::OneIn(count, ms) => {
                if rng.random_ratio(1, count) {
                    ms
                } else {
                    0
                }
            }
            Self::InTurns(ms, odd) => {
                if ping % 2 == odd {
                    ms
                } else {
                    0
                }
            }
        }
    }
}

/// How long a player thinks.
#[derive(Clone, Copy, Debug)]
enum Pace {
    /// Always the same.
    Steady,
    /// A quarter of the moves at once, the others up to twice as long as usual.
    Mixed,
}

#[derive(Clone, Copy, Debug)]
struct Client {
    line: Network,
    pongs: Late,
    acks: Late,
    /// Whether its kernel delays acknowledgements of what the program does not answer at once.
    delays_acks: bool,
    /// Whether a trusted proxy hides its kernel.
    behind_proxy: bool,
    pace: Pace,
}

impl Client {
    fn honest(line: Network, pace: Pace, behind_proxy: bool) -> Self {
        Self { line, pongs: Late::Never, acks: Late::Never, delays_acks: false, behind_proxy, pace }
    }
}

/// What the server and both kernels know of the line.
struct Connection<'a> {
    client: Client,
    rng: &'a mut StdRng,
    keepalive: Keepalive,
    /// The last ping: its number, and when its pong arrives.
    ping: (u32, u64),
    kernel: u64,
    counted: Option<Duration>,
}

/// Lets a connection be open for so many pings. `Err`: after how many it was closed.
fn keep_open(line: Network, pings: u32, rng: &mut StdRng) -> Result<(), u32> {
    let mut keepalive = Keepalive::waiting_for_hello(ServiceInstant(0), timing());
    let number = keepalive.begin(ServiceInstant(0), timing());
    // On a TCP connection no pong comes before that of an earlier ping.
    let mut coming = VecDeque::from([(number, line.trip(rng))]);
    let mut sent = 1;
    while sent < pings {
        let due = keepalive.deadline(timing());
        match coming.front() {
            Some((number, at)) if *at <= due.0 => {
                keepalive.pong(*number, ServiceInstant(*at), None);
                coming.pop_front();
            }
            _ => {
                let Ok(ping) = keepalive.tick(due, timing()) else { return Err(sent) };
                let before = coming.back().map_or(0, |(_, at)| *at);
                coming.push_back((ping.expect("a ping is due"), before.max(due.0 + line.trip(rng))));
                sent += 1;
            }
        }
    }
    Ok(())
}

#[test]
fn slow_and_lossy_lines_stay_open_for_days() {
    let mut rng = StdRng::seed_from_u64(1);
    for line in [Network::ms(20, 5, 20), Network::ms(200, 80, 20), Network::ms(400, 0, 20)] {
        assert_eq!(keep_open(line, 100_000, &mut rng), Ok(()), "{line:?}");
    }
    assert!(keep_open(Network::ms(400, 0, 300), 100_000, &mut rng).is_err(), "it is the model that is lossy");
}

fn timing() -> Timing {
    Timing::of(&Limits::STANDARD)
}

impl<'a> Connection<'a> {
    fn open(client: Client, rng: &'a mut StdRng) -> Self {
        let mut keepalive = Keepalive::waiting_for_hello(ServiceInstant(0), timing());
        let number = keepalive.begin(ServiceInstant(0), timing());
        let kernel = client.line.jittered(rng);
        let mut connection = Self { client, rng, keepalive, ping: (number, u64::MAX), kernel, counted: None };
        connection.sent_ping(number, 0);
        connection
    }

    fn sent_ping(&mut self, number: u32, at: u64) {
        let late = self.client.pongs.us(number, self.rng);
        self.ping = (number, at + self.client.line.trip(self.rng) + late);
        self.sent();
    }

    /// The server sent something, whose acknowledgement is a sample for its kernel.
    fn sent(&mut self) {
        let late = self.client.acks.us(self.ping.0, self.rng);
        let delayed = if self.client.delays_acks { DELAYED_ACK_US } else { 0 };
        let sample = self.client.line.jittered(self.rng) + late + delayed;
        self.kernel = (self.kernel * 7 + sample) / 8;
    }

    /// Lets time pass.
    fn run_until(&mut self, until: u64) {
        loop {
            let due = self.keepalive.deadline(timing()).0;
            let (number, pong) = self.ping;
            if due.min(pong) > until {
                return;
            }
            if pong <= due {
                self.ping.1 = u64::MAX;
                let kernel = (!self.client.behind_proxy).then(|| Duration::from_micros(self.kernel));
                let counted = self.keepalive.pong(number, ServiceInstant(pong), kernel);
                self.counted = counted.or(self.counted);
            } else {
                let ping = self.keepalive.tick(ServiceInstant(due), timing()).expect("pongs come");
                self.sent_ping(ping.expect("a ping is due"), due);
            }
        }
    }
}

/// What a game took and gave, in microseconds.
#[derive(Clone, Copy, Default, Debug)]
struct Sum {
    lag: u64,
    credit: u64,
}

impl Sum {
    /// The credit beyond the lag, in seconds.
    fn gained(self) -> f64 {
        (self.credit as f64 - self.lag as f64) / 1e6
    }

    /// What of the lag was not forgiven.
    fn lost(self) -> f64 {
        1.0 - self.credit as f64 / self.lag as f64
    }
}

fn setup(base_s: u64) -> GameSetup {
    let time_control = TimeControl::fischer(Micros::from_secs(base_s), Micros::ZERO);
    GameSetup::casual(ByColor { white: 1, black: 2 }, time_control, Profile::fide_board(), 0)
}

fn play_move(game: &mut Game, at: GameInstant, mv: Move) -> Event {
    let command = Command::PlayMove { on: game.position_seq(), mv };
    let events = game.decide(at, &Input::Player { seat: game.turn(), command }).expect("the move is legal");
    events.iter().for_each(|event| game.evolve(event));
    game.observe(Fact::TurnStarted { at });
    events.into_iter().next().expect("a move is an event")
}

/// A game without captures that does not end.
fn moves() -> Vec<Move> {
    let mut rng = StdRng::seed_from_u64(7);
    let mut game = Game::replay(&Game::start(&setup(600)).unwrap());
    game.observe(Fact::TurnStarted { at: GameInstant::START });
    let mut moves = Vec::new();
    while moves.len() < 2 * MOVES {
        let legal = game.position().legal_moves();
        let mv = legal[rng.random_range(0..legal.len())];
        let mut next = game.clone();
        if !game.position().is_capture(mv) {
            play_move(&mut next, GameInstant::START, mv);
            if !next.is_over()
                && next.position().legal_moves().iter().any(|&mv| !next.position().is_capture(mv))
            {
                moves.push(mv);
                game = next;
            }
        }
    }
    moves
}

/// White is the client; Black answers after as long a thought, without lag.
fn play(client: Client, base_s: u64, moves: &[Move], seed: u64) -> Sum {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut paces = StdRng::seed_from_u64(seed + 1_000_000);
    let mut connection = Connection::open(client, &mut rng);
    let mut game = Game::replay(&Game::start(&setup(base_s)).unwrap());
    let usual = base_s * 1_000 * MS / MOVES as u64 * 7 / 10;
    let mut think = || match client.pace {
        Pace::Steady => usual,
        Pace::Mixed if paces.random_ratio(1, 4) => 0,
        Pace::Mixed => paces.random_range(0..2 * usual),
    };
    let (mut now, mut sum) = (BEFORE_US, Sum::default());
    connection.run_until(now);
    let observe = |game: &mut Game, connection: &Connection<'_>| {
        let smoothed = connection.counted.map(|trip| Micros(trip.as_micros() as u64));
        game.observe(Fact::RoundTrip { seat: Color::White, smoothed });
    };
    observe(&mut game, &connection);
    game.observe(Fact::TurnStarted { at: GameInstant::START });
    for pair in moves.chunks(2) {
        connection.sent();
        let lag = client.line.trip(connection.rng);
        now += lag + think();
        connection.run_until(now);
        observe(&mut game, &connection);
        let event = play_move(&mut game, GameInstant(now - BEFORE_US), pair[0]);
        let charge = event.charge().expect("there are clocks");
        sum = Sum { lag: sum.lag + lag, credit: sum.credit + charge.credit.0 };
        now += usual;
        connection.run_until(now);
        observe(&mut game, &connection);
        play_move(&mut game, GameInstant(now - BEFORE_US), pair[1]);
    }
    sum
}

const HONEST: [Network; 8] = [
    Network::ms(20, 0, 0),
    Network::ms(20, 0, 20),
    Network::ms(100, 0, 0),
    Network::ms(100, 0, 20),
    Network::ms(200, 80, 0),
    Network::ms(200, 80, 20),
    Network::ms(400, 0, 0),
    Network::ms(400, 0, 20),
];

const BASES_S: [u64; 3] = [60, 180, 600];
const SEEDS: u64 = 40;

#[test]
fn honest_lines_lose_at_most_one_percent_of_their_lag() {
    let moves = moves();
    for base_s in BASES_S {
        for line in HONEST {
            for (pace, behind_proxy) in
                [(Pace::Steady, false), (Pace::Mixed, false), (Pace::Steady, true), (Pace::Mixed, true)]
            {
                let client = Client::honest(line, pace, behind_proxy);
                let games = (0..SEEDS).map(|seed| play(client, base_s, &moves, seed));
                let all = games.fold(Sum::default(), |all, game| Sum {
                    lag: all.lag + game.lag,
                    credit: all.credit + game.credit,
                });
                println!("{base_s} s, {client:?}: lost {:.1} %", 100.0 * all.lost());
                assert!(all.lost() <= 0.01, "seeds 0..{SEEDS}, {base_s} s, {client:?}: {all:?}");
            }
        }
    }
}

/// Every way to be late that is searched.
fn lateness() -> Vec<Late> {
    let mut all = vec![Late::Never];
    for ms in [20, 50, 100, 200, 400, 700, 950, 1_200, 3_000, 4_500] {
        all.extend([Late::Always(ms), Late::OneIn(2, ms), Late::OneIn(8, ms), Late::Growing(ms / 10, ms)]);
        all.extend([Late::InTurns(ms, 0), Late::InTurns(ms, 1)]);
    }
    all
}

/// The most that a client gains with any of these ways, and how.
fn most_gained(base_s: u64, ways: &[(Late, Late)], behind_proxy: bool) -> (f64, Client) {
    let moves = moves();
    let mut best: Option<(f64, Client)> = None;
    for round_trip in [0, 20, 100, 200, 300, 400] {
        for &(pongs, acks) in ways {
            for (delays_acks, pace) in
                [(false, Pace::Steady), (true, Pace::Steady), (true, Pace::Mixed), (false, Pace::Mixed)]
            {
                let line = Network::ms(round_trip, 0, 0);
                let client = Client { line, pongs, acks, delays_acks, behind_proxy, pace };
                let gained = play(client, base_s, &moves, 1).gained();
                if best.is_none_or(|(most, _)| gained > most) {
                    best = Some((gained, client));
                }
            }
        }
    }
    best.expect("there is a way")
}

/// What late answers may bring under each time control, in seconds.
///
/// What the table of docs/laws.md says of late pongs, and half a second.
const GAIN_MAX_S: [(u64, f64); 3] = [(60, 4.7 + 0.5), (180, 6.2 + 0.5), (600, 6.6 + 0.5)];

#[track_caller]
fn assert_gains_little(ways: &[(Late, Late)]) {
    for (base_s, most) in GAIN_MAX_S {
        let (gained, client) = most_gained(base_s, ways, false);
        println!("{base_s} s: at most {gained:.2} s, with {client:?}");
        assert!(gained <= most, "seed 1, {base_s} s: {gained} s with {client:?}");
    }
}

#[test]
fn late_pongs_gain_little() {
    let ways: Vec<_> = lateness().into_iter().map(|pongs| (pongs, Late::Never)).collect();
    assert_gains_little(&ways);
}

#[test]
fn late_acknowledgements_alone_gain_little() {
    let ways: Vec<_> = lateness().into_iter().map(|acks| (Late::Never, acks)).collect();
    assert_gains_little(&ways);
}

/// Late pongs and late acknowledgements together are a slow line in everything: nothing that the server sees is different, so what is forgiven to one
/// is forgiven to the other. The bank bounds both.
#[test]
fn a_perfect_imitation_of_a_slow_line_gains_what_the_bank_gives_that_line() {
    let both: Vec<_> = lateness().into_iter().map(|late| (late, late)).collect();
    for (base_s, most) in [(60, 27.0), (180, 28.5), (600, 28.9)] {
        for behind_proxy in [false, true] {
            let (gained, client) = most_gained(base_s, &both, behind_proxy);
            println!("{base_s} s: at most {gained:.2} s, with {client:?}");
            assert!(gained <= most, "seed 1, {base_s} s: {gained} s with {client:?}");
        }
    }
}

/// What the table of docs/laws.md says of answers that are all late by the same time.
#[test]
fn more_lateness_gains_no_more_than_the_kernels_margin() {
    let moves = moves();
    // Both late by 0.1 and by 0.4 s.
    let of_both = [(60, [7.1, 24.6]), (180, [8.5, 26.1]), (600, [8.9, 26.6])];
    for (base_s, [by_100_ms, by_400_ms]) in of_both {
        for ms in [0, 100, 200, 400, 950, 1_200] {
            let pongs = Client {
                pongs: Late::Always(ms),
                ..Client::honest(Network::ms(0, 0, 0), Pace::Steady, false)
            };
            let both = Client { acks: Late::Always(ms), ..pongs };
            let [pongs, both] = [pongs, both].map(|client| play(client, base_s, &moves, 1).gained());
            println!("{base_s} s, late by {ms} ms: pongs alone {pongs:.1} s, both {both:.1} s");
            assert!(pongs <= 1.4 + 0.5, "{base_s} s, {ms} ms: {pongs} s");
            let of_both = match ms {
                100 => by_100_ms,
                400 => by_400_ms,
                _ => continue,
            };
            assert!((both - of_both).abs() <= 0.5, "{base_s} s, {ms} ms: {both} s");
        }
    }
}
