//! The lobby as a plain state machine: an input and an instant in, effects out.
//!
//! The caller carries out the effects in their order, before the next input. An effect
//! that takes time leads to one more input: [`LobbyInput::Kept`], [`LobbyInput::Discarded`],
//! [`LobbyInput::Started`] or [`LobbyInput::Fired`].
//!
//! - `accept`: accepting a challenge, now or for when its owner is back, and the game that it becomes.
//! - `create`: making a challenge once, however often the command is sent.
//! - `ends`: every other way in which a challenge ends: cancelled, declined, expired.
//! - `quick_pairing`: places in pools, pairing rounds, and the games that they lead to.
//! - `over`: how the last challenges ended.
//! - `seeks`: every way in which a seek ends.
//! - `rates`: how often challenges may be made.
//! - `starts`: which games may begin.
//! - `challenges`, `pools`: the state of both; `matcher` chooses the pairs.
//! - `input`: what comes in, what goes out, and what the machine may ask in between.
//!
//! Invariants: a command is answered once. Nobody is told of a challenge or a game before it is
//! durable, or of the end of a stored challenge before that is durable. While a game of an account
//! is being started, the account is not paired and its seeks cannot be accepted; when the game has
//! begun, its place and its seeks are given up before anybody is told.
//!
//! Deliberately absent: tokio, channels, clock reading, randomness, and storage.

mod accept;
mod challenge;
mod challenges;
mod create;
mod ends;
mod input;
mod matcher;
mod over;
mod pools;
mod quick_pairing;
mod rates;
mod seeks;
mod starts;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use zeitnot_protocol::{
    AccountId, ChallengeGone, ChallengeId, Code, DeclineReason, GameId, Limits, OkAnswer, PoolView,
    ServerMessage, Waiting,
};

use crate::connections::ConnectionId;
use crate::lobby::terms::TermsError;
use crate::net::Address;
use crate::seeded_bugs::bug;
use crate::storage::Kind;
use crate::time::ServiceInstant;
use accept::Accepted;
pub(crate) use challenge::{Challenge, lot_of};
use challenges::Challenges;
use create::Opening;
use ends::Ending;
pub(crate) use input::{Facts, LobbyEffect, LobbyEffects, LobbyInput, NewGame, Request, Timer};
use matcher::Pair;
use over::Over;
use pools::Pools;
use starts::Starts;

/// A game that is being started.
#[derive(Debug)]
enum Start {
    /// It was a challenge.
    Accepted(Box<Accepted>),
    /// A pairing round has led to it.
    Paired(Pair),
}

/// All challenges, seeks and places in pools, and what is being made of them.
#[derive(Debug)]
pub(crate) struct LobbyMachine {
    challenges: Challenges,
    pools: Pools,
    /// Challenges that are not durable yet.
    opening: HashMap<ChallengeId, Opening>,
    /// Games that are not durable yet.
    starting: HashMap<GameId, Start>,
    /// Stored challenges whose end is not durable yet.
    ending: HashMap<ChallengeId, Ending>,
    /// How the last challenges ended.
    over: Over,
    starts: Starts,
    /// Whether bots may wait in pools, too.
    bots_in_pools: bool,
    limits: Limits,
}

/// What one input is handled with.
struct Step<'a> {
    at: ServiceInstant,
    limits: Limits,
    facts: &'a dyn Facts,
    effects: &'a mut LobbyEffects,
}

impl LobbyMachine {
    /// An empty lobby of a server that has at most so many live games.
    pub(crate) fn new(limits: Limits, live_games_max: usize, bots_in_pools: bool) -> Self {
        Self {
            challenges: Challenges::new(limits),
            pools: Pools::default(),
            opening: HashMap::new(),
            starting: HashMap::new(),
            ending: HashMap::new(),
            over: Over::default(),
            starts: Starts::new(&limits, live_games_max),
            bots_in_pools,
            limits,
        }
    }

    /// Handles one input at the instant `at`. What must be done is added to `effects`.
    pub(crate) fn handle(
        &mut self,
        input: LobbyInput,
        at: ServiceInstant,
        facts: &dyn Facts,
        effects: &mut LobbyEffects,
    ) {
        let step = &mut Step { at, limits: self.limits, facts, effects };
        match input {
            LobbyInput::Connected { account, connection, address } => {
                self.connected(account, connection, address, step);
            }
            LobbyInput::LastConnectionClosed { account } => self.last_connection_closed(account, step),
            LobbyInput::Changed(person) => {
                self.challenges.changed(person);
                self.pools.changed(person);
                match person.kind {
                    Kind::Closed => self.account_closed(person.account, step),
                    Kind::Bot if !self.bots_in_pools => self.give_up_place(person.account, None, step),
                    Kind::Guest | Kind::Registered | Kind::Bot => {}
                }
            }
            LobbyInput::Blocked(block) => self.blocked(block, step),
            LobbyInput::Create { request, challenge } => self.create(request, *challenge, step),
            LobbyInput::Kept { challenge, is_durable } => self.kept(challenge, is_durable, step),
            LobbyInput::Restore(challenge) => self.restore(*challenge, step),
            LobbyInput::Accept { request, challenge } => self.accept(request, challenge, step),
            LobbyInput::End { request, challenge, declined } => {
                self.end(request, challenge, declined, step);
            }
            LobbyInput::Discarded { challenge, is_durable } => self.discarded(challenge, is_durable, step),
            LobbyInput::JoinPool { request, pool } => self.join_pool(&request, pool, step),
            LobbyInput::WaitAgain { by, address, pool } => self.wait_again(by, address, pool, step),
            LobbyInput::RatingRead { account, pool, rating } => self.pools.rated(account, pool, rating),
            LobbyInput::LeavePool { request } => self.leave_pool(&request, step),
            LobbyInput::Started { game, is_durable } => match self.starting.remove(&game) {
                Some(Start::Accepted(accepted)) if is_durable => self.challenge_played(game, &accepted, step),
                Some(Start::Accepted(accepted)) => self.challenge_not_played(*accepted, step),
                Some(Start::Paired(pair)) if is_durable => self.pair_plays(game, pair, step),
                Some(Start::Paired(pair)) => self.challenges.end_start(pair.players()),
                None => {}
            },
            LobbyInput::Fired(Timer::Sweep) => self.sweep(step),
            LobbyInput::Fired(Timer::PairingRound) => self.pairing_round(step),
        }
    }

    /// The account has one more connection, which is told of its challenges and of where it waits.
    fn connected(
        &mut self,
        account: AccountId,
        connection: ConnectionId,
        address: Address,
        step: &mut Step<'_>,
    ) {
        self.challenges.owner_returned(account);
        for challenge in self.challenges.concerning(account) {
            step.send(connection, ServerMessage::Challenge(challenge.view(None, step.at)));
        }
        if let Some(pool) = self.pools.pool_of(account) {
            step.send(connection, ServerMessage::Waiting(Waiting { pool: Some(pool), game: None }));
        }
        self.begin_waiting(account, address, step);
    }

    /// The account's last connection closed, unless another one has opened since.
    fn last_connection_closed(&mut self, account: AccountId, step: &mut Step<'_>) {
        if step.facts.is_connected(account) {
            return;
        }
        self.give_up_place(account, None, step);
        bug!(SeekOutlivesTheConnection => return);
        self.withdraw_seeks(account, step);
        self.challenges.owner_left(account, step.at);
    }

    /// Lets no game of an account that has none begin until [`LobbyMachine::release`]; `false` when it has one, or one is
    /// being started.
    pub(crate) fn hold(&mut self, account: AccountId, facts: &dyn Facts) -> bool {
        facts.live_games(account) == 0 && self.challenges.hold(account)
    }

    /// Games of the account may begin again.
    pub(crate) fn release(&mut self, account: AccountId) {
        self.challenges.release(account);
    }

    /// The games that have not ended, those that are being started too.
    fn all_live_games(&self, step: &Step<'_>) -> usize {
        step.facts.all_live_games() + self.starting.len()
    }

    /// An open challenge.
    pub(crate) fn challenge(&self, id: ChallengeId) -> Option<&Challenge> {
        self.challenges.get(id)
    }

    /// Why a challenge is not open, as far as that is remembered.
    pub(crate) fn why_over(&self, id: ChallengeId) -> Code {
        self.over.why(id)
    }

    /// The terms of a challenge that is not open, as far as they are remembered.
    pub(crate) fn terms_of_over(&self, id: ChallengeId) -> Option<zeitnot_protocol::Challenge> {
        self.over.terms(id).cloned()
    }

    /// The open seeks, the newest first.
    pub(crate) fn newest_seeks(&self) -> impl Iterator<Item = &Challenge> {
        self.challenges.newest_seeks()
    }

    /// All pools, and how many accounts wait in each.
    pub(crate) fn pools(&self) -> Vec<PoolView> {
        self.pools.view()
    }

    /// How many challenges there are, open or not.
    pub(crate) fn challenges(&self) -> usize {
        self.challenges.len()
    }
}

impl<'a> Step<'a> {
    fn send(&mut self, to: ConnectionId, message: ServerMessage) {
        self.effects.push(LobbyEffect::Send { to, message });
    }

    fn notify(&mut self, account: AccountId, except: Option<ConnectionId>, message: ServerMessage) {
        self.effects.push(LobbyEffect::Notify { account, except, message });
    }

    fn reject(&mut self, request: &Request, code: Code) {
        if code == Code::TooManyNewGames {
            self.effects.push(LobbyEffect::NoteLimited { address: request.address, code });
        }
        self.send(request.connection, request.rejected(code));
    }

    /// Rejects a command with a text that says why.
    fn reject_because(&mut self, request: &Request, (code, why): TermsError) {
        self.send(request.connection, request.rejected_because(code, why));
    }

    /// Answers a command that leads to nothing more.
    fn done(&mut self, request: &Request) {
        let ok = OkAnswer { id: request.id, game: None, seq: None };
        self.send(request.connection, ServerMessage::Ok(ok));
    }

    /// Tells everybody concerned that a challenge is gone and has become no game.
    fn gone(&mut self, challenge: &Challenge, declined: Option<DeclineReason>) {
        let gone = ChallengeGone { challenge: challenge.id, game: None, declined };
        for account in challenge.concerned() {
            self.notify(account, None, ServerMessage::ChallengeGone(gone.clone()));
        }
    }

    /// Answers how many more games an account may have.
    fn games_left(&self) -> impl Fn(AccountId) -> usize + use<'a> {
        let (facts, most) = (self.facts, self.limits.live_games_per_account as usize);
        move |account| most.saturating_sub(facts.live_games(account))
    }
}
