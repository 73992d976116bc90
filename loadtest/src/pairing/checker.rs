//! Puts together what every bot was told: whether each pairing is legal, and how long each bot
//! waited.
//!
//! Time is passed in, in milliseconds. Invariant: a bot's wait counts only while another bot waits
//! in the same pool.

use std::collections::HashMap;

use zeitnot_protocol::{AccountId, ByColor, GameId, PoolId, Snapshot, TimeControl, WireProfile, WireVariant};
use zeitnot_rules::board::Position;
use zeitnot_rules::notation::fen;

use super::report::Report;

/// What a bot saw of its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Which game.
    pub game: GameId,
    /// The players.
    pub players: ByColor<AccountId>,
    /// How many points the ratings of the two are apart, if it is rated.
    pub apart: Option<u64>,
    /// Whether clocks, variant, rules and start are those of its pool, and whether it is rated as it must be.
    pub promised: Result<(), String>,
}

impl Seen {
    /// What a snapshot shows to a bot that was in this pool. `rated`: both players are registered.
    #[must_use]
    pub fn of(snapshot: &Snapshot, pool: PoolId, rated: bool) -> Self {
        let ByColor { white, black } = &snapshot.players;
        let players = ByColor { white: white.account, black: black.account };
        let apart = white.rating.zip(black.rating).map(|(white, black)| white.abs_diff(black).into());
        let promised = is_promised(snapshot, pool).and_then(|()| match snapshot.rated == rated {
            true => Ok(()),
            false => Err(format!("rated: {}", snapshot.rated)),
        });
        Self { game: snapshot.game, players, apart, promised }
    }
}

fn is_promised(snapshot: &Snapshot, pool: PoolId) -> Result<(), String> {
    let (minutes, seconds) = pool.clock();
    let is_clock = matches!(&snapshot.time_control, TimeControl::Clock { periods, black_periods: None }
        if matches!(periods[..], [period] if period.base_ms == minutes * 60_000
            && period.increment_ms.unwrap_or(0) == seconds * 1_000
            && period.moves.or(period.delay_ms).or(period.bronstein_ms).is_none()));
    if !is_clock {
        return Err(format!("{} has the clocks {:?}", pool.as_str(), snapshot.time_control));
    }
    let is_standard = snapshot.variant == WireVariant::Standard
        && snapshot.options.profile == WireProfile::FideOnline
        && snapshot.start_fen == fen::write(&Position::standard());
    if is_standard { Ok(()) } else { Err(format!("{:?} from {}", snapshot.options, snapshot.start_fen)) }
}

/// What a bot is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It waits since then; `beside` is the total of its pool's [`Beside`] when it began.
    Waiting { pool: PoolId, beside: u64, since: u64 },
    /// It has left this pool; a game that was being started may still follow.
    Left { pool: PoolId },
    /// It plays a game from this pool.
    Playing { pool: PoolId, game: GameId },
}

/// For how long two or more bots have been waiting in a pool.
#[derive(Clone, Copy, Default, Debug)]
struct Beside {
    waiting: u32,
    total: u64,
    since: u64,
}

impl Beside {
    fn change(&mut self, now: u64, waiting: u32) {
        self.total = self.at(now);
        (self.since, self.waiting) = (now, waiting);
    }

    fn at(&self, now: u64) -> u64 {
        let running = if self.waiting >= 2 { now.saturating_sub(self.since) } else { 0 };
        self.total + running
    }
}

/// Checks the pairings of all bots.
#[derive(Debug, Default)]
pub struct PairingChecker {
    states: HashMap<AccountId, State>,
    pools: HashMap<PoolId, Beside>,
    /// Games that only one player has seen so far: its pool, and what it saw.
    half: HashMap<GameId, (PoolId, AccountId, ByColor<AccountId>)>,
    games: u64,
    waits: Vec<u64>,
    whole_waits: Vec<u64>,
    apart: Vec<u64>,
    wrong: Vec<String>,
}

impl PairingChecker {
    /// A bot starts to wait.
    pub fn waits(&mut self, bot: AccountId, pool: PoolId, now: u64) {
        let of_pool = self.pools.entry(pool).or_default();
        of_pool.change(now, of_pool.waiting + 1);
        let before = self.states.insert(bot, State::Waiting { pool, beside: of_pool.at(now), since: now });
        if let Some(before) = before {
            self.wrong.push(format!("{bot} waits in {} while {before:?}", pool.as_str()));
        }
    }

    /// A bot was paired.
    pub fn paired(&mut self, bot: AccountId, game: GameId, now: u64) {
        match self.states.remove(&bot) {
            Some(State::Waiting { pool, beside, since }) => {
                self.no_longer(pool, beside, now);
                self.whole_waits.push(now.saturating_sub(since));
                self.states.insert(bot, State::Playing { pool, game });
            }
            Some(State::Left { pool }) => {
                self.states.insert(bot, State::Playing { pool, game });
            }
            other => self.wrong.push(format!("{bot} gets {game} while {other:?}")),
        }
    }

    /// A bot stopped waiting without a game.
    pub fn left(&mut self, bot: AccountId, now: u64) {
        match self.states.remove(&bot) {
            Some(State::Waiting { pool, beside, .. }) => {
                self.no_longer(pool, beside, now);
                self.states.insert(bot, State::Left { pool });
            }
            other => self.wrong.push(format!("{bot} waits no longer while {other:?}")),
        }
    }

    fn no_longer(&mut self, pool: PoolId, beside: u64, now: u64) {
        let of_pool = self.pools.entry(pool).or_default();
        self.waits.push(of_pool.at(now) - beside);
        of_pool.change(now, of_pool.waiting - 1);
    }

    /// What a bot sees of the game that it was paired in.
    pub fn sees(&mut self, bot: AccountId, seen: &Seen) {
        let (game, ByColor { white, black }) = (seen.game, seen.players);
        let Some(&State::Playing { pool, game: paired }) = self.states.get(&bot) else {
            return self.wrong.push(format!("{bot} sees {game} and plays none"));
        };
        if paired != game {
            self.wrong.push(format!("{bot} sees {game} and was paired in {paired}"));
        }
        if white == black || ![white, black].contains(&bot) {
            self.wrong.push(format!("{bot} sees {white} play {black} in {game}"));
        }
        if let Err(why) = &seen.promised {
            self.wrong.push(format!("{game}: {why}"));
        }
        let Some((other_pool, other, players)) = self.half.remove(&game) else {
            self.half.insert(game, (pool, bot, seen.players));
            return;
        };
        self.games += 1;
        self.apart.extend(seen.apart);
        if other == bot || other_pool != pool || players != seen.players {
            let (here, there) = (pool.as_str(), other_pool.as_str());
            self.wrong
                .push(format!("{game}: {bot} out of {here} and {other} out of {there} see other games"));
        }
    }

    /// A bot's game has ended.
    pub fn ended(&mut self, bot: AccountId, game: GameId) {
        match self.states.remove(&bot) {
            Some(State::Playing { game: playing, .. }) if playing == game => {}
            other => self.wrong.push(format!("{bot}'s {game} ends while {other:?}")),
        }
    }

    /// Records something else that is wrong.
    pub fn wrong(&mut self, what: String) {
        self.wrong.push(what);
    }

    /// The result at the end.
    #[must_use]
    pub fn report(mut self, bots: u32, pools: usize, now: u64) -> Report {
        // Bots that still wait have waited until now.
        for state in self.states.values() {
            if let State::Waiting { pool, beside, .. } = state {
                self.waits.push(self.pools.get(pool).map_or(0, |of_pool| of_pool.at(now)) - beside);
            }
        }
        Report::new(bots, pools, self.games, self.wrong, self.waits, [self.whole_waits, self.apart])
    }
}
