//! The rest of the server as the machine sees it: connections, a store, games, and a clock.
//!
//! Whatever takes time is pending until it is drawn, in any order, and may fail.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use zeitnot_protocol::{
    AccountId, ChallengeId, CommandId, CreateChallenge, DeclineReason, GameId, Limits, Period, PoolId,
    TimeControl,
};

use super::super::{Challenge, Facts, LobbyEffect, LobbyInput, LobbyMachine, Request, Timer};
use super::checker::Checker;
use crate::accounts::{Kind, Person};
use crate::connections::ConnectionId;
use crate::games::Origin;
use crate::lobby::terms::Terms;
use crate::net::Address;
use crate::storage::Block;
use crate::time::ServiceInstant;

const ACCOUNTS: u128 = 6;
/// The account that is a bot, as which the server itself plays.
pub(super) const BOT: AccountId = AccountId::from_u128(0);
pub(super) const GRACE: Duration = Duration::from_secs(30);
pub(super) const LIFETIME: Duration = Duration::from_secs(50);
/// The first one has the clocks of challenges.
pub(super) const POOLS: [PoolId; 2] = [PoolId::FiveMinutes, PoolId::ThreePlusTwo];

/// What the limits are, small so that they are met.
pub(super) const LIMITS: Limits = Limits {
    challenges_per_account: 4,
    seeks_per_account: 2,
    challenges_per_account_per_minute: 5,
    challenges_per_pair_per_minute: 2,
    live_games_per_account: 3,
    games_per_account_per_minute: 7,
    games_per_address_per_minute: 10,
    challenge_grace_ms: GRACE.as_millis() as u32,
    challenge_lifetime_ms: LIFETIME.as_millis() as u32,
    ..Limits::STANDARD
};

/// How many games the server may have.
pub(super) const LIVE_MAX: usize = 6;

/// Where an account's connections come from: some share an address.
pub(super) fn address_of(account: AccountId) -> Address {
    IpAddr::from([192, 0, 2, (account.as_u128() % 4) as u8]).into()
}

/// A game in progress.
#[derive(Debug)]
struct Live {
    game: GameId,
    players: [AccountId; 2],
    has_clocks: bool,
    origin: Option<Origin>,
}

/// What the machine may ask.
#[derive(Debug)]
pub(super) struct Outside {
    connections: HashMap<AccountId, Vec<ConnectionId>>,
    live: Vec<Live>,
    blocks: HashSet<Block>,
    lots: RefCell<StdRng>,
}

/// What was begun and has not come to its end.
#[derive(Debug)]
enum Pending {
    Keep(ChallengeId),
    Discard(ChallengeId),
    Start(Live),
    /// The account's last connection closed, and the lobby is not told yet.
    Closed(AccountId),
}

#[derive(Debug)]
pub(super) struct World {
    rng: StdRng,
    machine: LobbyMachine,
    checker: Checker,
    outside: Outside,
    at: ServiceInstant,
    pending: Vec<Pending>,
    timers: Vec<(ServiceInstant, Timer)>,
    /// Every challenge that was ever wanted, and every game that has ended.
    challenges: Vec<ChallengeId>,
    ended: Vec<(GameId, [AccountId; 2])>,
    /// With clocks, and without.
    terms: [Arc<Terms>; 2],
    /// The last `create_challenge`, to be sent again.
    last_created: Option<(Request, Box<Challenge>)>,
    numbers: u64,
}

impl Facts for Outside {
    fn is_connected(&self, account: AccountId) -> bool {
        self.connections.get(&account).is_some_and(|connections| !connections.is_empty())
    }

    fn address_of(&self, account: AccountId) -> Option<Address> {
        self.is_connected(account).then(|| address_of(account))
    }

    fn is_own_computer(&self, account: AccountId) -> bool {
        account == BOT
    }

    fn live_games(&self, account: AccountId) -> usize {
        self.live.iter().filter(|live| live.players.contains(&account)).count()
    }

    fn is_blocked(&self, one: AccountId, other: AccountId) -> bool {
        let has = |by, whom| self.blocks.contains(&Block { by, whom });
        has(one, other) || has(other, one)
    }

    fn plays_with_clocks(&self, account: AccountId) -> bool {
        self.live.iter().any(|live| live.has_clocks && live.players.contains(&account))
    }

    fn all_live_games(&self) -> usize {
        self.live.len()
    }

    fn game_of_same_command(&self, challenge: &Challenge) -> Option<GameId> {
        let by = (challenge.owner.account, challenge.command);
        let is_same = |origin: Origin| {
            origin.made_by == by || origin.rematch_of.is_some() && origin.rematch_of == challenge.rematch_of
        };
        self.live.iter().find(|live| live.origin.is_some_and(is_same)).map(|live| live.game)
    }

    fn coin(&self) -> bool {
        self.lots.borrow_mut().random()
    }

    fn game_id(&self) -> GameId {
        GameId::from_random(self.lots.borrow_mut().random())
    }
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let periods = vec![Period { base_ms: 300_000, ..Period::default() }];
        let kinds = [TimeControl::Clock { periods, black_periods: None }, TimeControl::Unlimited];
        let read = |kind| Terms::read(CreateChallenge::with(kind)).expect("such a game can be played");
        let lots = RefCell::new(StdRng::seed_from_u64(!seed));
        Self {
            rng: StdRng::seed_from_u64(seed),
            machine: LobbyMachine::new(LIMITS, LIVE_MAX, false),
            checker: Checker::default(),
            outside: Outside { connections: HashMap::new(), live: Vec::new(), blocks: HashSet::new(), lots },
            at: ServiceInstant(0),
            pending: Vec::new(),
            timers: Vec::new(),
            challenges: Vec::new(),
            ended: Vec::new(),
            terms: kinds.map(|kind| Arc::new(read(kind))),
            last_created: None,
            numbers: 0,
        }
    }

    /// One more thing happens.
    pub(super) fn step(&mut self) -> Result<(), String> {
        match self.rng.random_range(0..100) {
            0..10 => self.connect(),
            10..16 => self.disconnect(),
            16..30 => self.create(),
            30..33 => self.create_again(),
            33..38 => self.rematch(),
            38..54 => self.accept(),
            54..58 => self.cancel_or_decline(),
            58..66 => self.join_or_leave(),
            66..86 => self.complete(),
            86..91 => self.end_a_game(),
            91 => self.block_or_unblock(),
            _ => self.wait(),
        }
    }

    /// Everybody leaves, and everything that is pending comes to its end: nothing may be left.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        for account in (0..ACCOUNTS).map(AccountId::from_u128) {
            self.outside.connections.remove(&account);
            self.pending.push(Pending::Closed(account));
        }
        while !self.pending.is_empty() || !self.timers.is_empty() {
            while !self.pending.is_empty() {
                self.complete()?;
            }
            self.pass(LIFETIME * 2)?;
        }
        self.checker.finish()?;
        let machine = &self.machine;
        let under_way = machine.opening.len() + machine.starting.len() + machine.ending.len();
        let waiting = machine.pools().iter().map(|pool| pool.waiting).sum::<u32>() as usize;
        if machine.challenges() + waiting + under_way > 0 {
            return Err(format!("something is left: {machine:?}"));
        }
        Ok(())
    }

    fn put(&mut self, input: LobbyInput) -> Result<(), String> {
        self.checker.before(&input, self.at, &self.outside)?;
        let mut effects = Vec::new();
        self.machine.handle(input, self.at, &self.outside, &mut effects);
        for effect in effects {
            self.checker.effect(&effect, &self.outside)?;
            match effect {
                LobbyEffect::Keep(challenge) => self.pending.push(Pending::Keep(challenge.id)),
                LobbyEffect::Discard(challenge) => self.pending.push(Pending::Discard(challenge)),
                LobbyEffect::StartGame(new) => {
                    let players = [new.challenger.account, new.accepter.account];
                    let has_clocks = matches!(new.terms.wanted.time_control, TimeControl::Clock { .. });
                    let live = Live { game: new.game, players, has_clocks, origin: new.origin };
                    self.pending.push(Pending::Start(live));
                }
                LobbyEffect::SetTimer { at, timer } => self.timers.push((at, timer)),
                _ => {}
            }
        }
        self.checker.after(&self.machine)
    }

    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    fn account(&mut self) -> AccountId {
        AccountId::from_u128(self.rng.random_range(0..ACCOUNTS))
    }

    /// A command of an account that has a connection.
    fn request(&mut self, game: Option<GameId>) -> Option<Request> {
        let account = self.account();
        let connection = *self.outside.connections.get(&account)?.choose(&mut self.rng)?;
        let id = format!("c{}", self.number()).parse::<CommandId>().ok();
        let kind = if account == BOT { Kind::Bot } else { Kind::Guest };
        let (address, by) = (address_of(account), Person { kind, ..Person::guest(account) });
        Some(Request { connection, address, by, rating: None, id, game })
    }

    fn connect(&mut self) -> Result<(), String> {
        let (account, connection) = (self.account(), ConnectionId(self.number()));
        self.outside.connections.entry(account).or_default().push(connection);
        self.put(LobbyInput::Connected { account, connection, address: address_of(account) })
    }

    fn disconnect(&mut self) -> Result<(), String> {
        let account = self.account();
        let connections = self.outside.connections.entry(account).or_default();
        if connections.pop().is_some() && connections.is_empty() {
            self.pending.push(Pending::Closed(account));
        }
        Ok(())
    }

    fn create(&mut self) -> Result<(), String> {
        let Some(request) = self.request(None) else { return Ok(()) };
        let seek = self.rng.random_bool(0.5);
        let to = (!seek && self.rng.random_bool(0.5)).then(|| self.account());
        self.make(request, to, seek, None)
    }

    fn make(
        &mut self,
        request: Request,
        to: Option<AccountId>,
        seek: bool,
        rematch_of: Option<GameId>,
    ) -> Result<(), String> {
        let id = ChallengeId::from_random(u128::from(self.number()));
        let terms = Arc::clone(&self.terms[self.rng.random_range(0..2)]);
        let (owner, command, until) = (request.by, request.id, ServiceInstant::NEVER);
        let challenge = Box::new(Challenge {
            id,
            owner,
            owner_rating: None,
            to,
            accepted_by: None,
            command,
            rematch_of,
            seek,
            until,
            terms,
        });
        self.challenges.push(id);
        self.last_created = Some((request, challenge.clone()));
        self.put(LobbyInput::Create { request, challenge })
    }

    fn create_again(&mut self) -> Result<(), String> {
        let Some((request, mut challenge)) = self.last_created.clone() else { return Ok(()) };
        if !self.outside.is_connected(request.by.account) {
            return Ok(());
        }
        challenge.id = ChallengeId::from_random(u128::from(self.number()));
        self.challenges.push(challenge.id);
        self.put(LobbyInput::Create { request, challenge })
    }

    fn rematch(&mut self) -> Result<(), String> {
        let Some(&(game, players)) = self.ended.choose(&mut self.rng) else { return Ok(()) };
        let Some(request) = self.request(Some(game)) else { return Ok(()) };
        let Some(seat) = players.iter().position(|player| *player == request.by.account) else {
            return Ok(());
        };
        self.make(request, Some(players[1 - seat]), false, Some(game))
    }

    /// A challenge of the last few: most of the others are gone.
    fn some_challenge(&mut self) -> Option<ChallengeId> {
        let recent = self.challenges.len().saturating_sub(10);
        self.challenges[recent..].choose(&mut self.rng).copied()
    }

    fn accept(&mut self) -> Result<(), String> {
        let (Some(challenge), Some(request)) = (self.some_challenge(), self.request(None)) else {
            return Ok(());
        };
        self.put(LobbyInput::Accept { request, challenge })
    }

    fn cancel_or_decline(&mut self) -> Result<(), String> {
        let (Some(challenge), Some(request)) = (self.some_challenge(), self.request(None)) else {
            return Ok(());
        };
        let declined = self.rng.random_bool(0.5).then_some(DeclineReason::No);
        self.put(LobbyInput::End { request, challenge, declined })
    }

    fn join_or_leave(&mut self) -> Result<(), String> {
        let Some(request) = self.request(None) else { return Ok(()) };
        if self.rng.random_bool(0.2) {
            return self.put(LobbyInput::LeavePool { request });
        }
        let pool = POOLS[self.rng.random_range(0..2)];
        self.put(LobbyInput::JoinPool { request, pool })
    }

    /// Something that was begun comes to its end.
    fn complete(&mut self) -> Result<(), String> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let index = self.rng.random_range(0..self.pending.len());
        let is_durable = self.rng.random_bool(0.8);
        match self.pending.swap_remove(index) {
            Pending::Keep(challenge) => self.put(LobbyInput::Kept { challenge, is_durable }),
            Pending::Discard(challenge) => self.put(LobbyInput::Discarded { challenge, is_durable }),
            Pending::Start(live) => {
                let game = live.game;
                if is_durable {
                    self.outside.live.push(live);
                }
                self.put(LobbyInput::Started { game, is_durable })
            }
            Pending::Closed(account) => self.put(LobbyInput::LastConnectionClosed { account }),
        }
    }

    fn end_a_game(&mut self) -> Result<(), String> {
        if !self.outside.live.is_empty() {
            let index = self.rng.random_range(0..self.outside.live.len());
            let Live { game, players, .. } = self.outside.live.swap_remove(index);
            self.ended.push((game, players));
        }
        Ok(())
    }

    fn block_or_unblock(&mut self) -> Result<(), String> {
        let (by, whom) = (self.account(), self.account());
        let block = Block { by, whom };
        if by == whom || self.outside.blocks.remove(&block) {
            return Ok(());
        }
        self.outside.blocks.insert(block);
        self.put(LobbyInput::Blocked(block))
    }

    fn wait(&mut self) -> Result<(), String> {
        let span = Duration::from_millis(self.rng.random_range(1..1_500));
        // Now and then long enough for a grace to end.
        let is_long = self.rng.random_bool(0.05);
        self.pass(if is_long { GRACE } else { span })
    }

    /// Time passes, and timers fire in their order.
    fn pass(&mut self, span: Duration) -> Result<(), String> {
        let until = self.at + span;
        while let Some(index) = (0..self.timers.len()).min_by_key(|&index| self.timers[index].0)
            && self.timers[index].0 <= until
        {
            let (at, timer) = self.timers.swap_remove(index);
            self.at = self.at.max(at);
            self.put(LobbyInput::Fired(timer))?;
        }
        self.at = until;
        Ok(())
    }
}
