//! The client without I/O: an input and a moment in, effects out.
//!
//! It decides when to connect and to come back, what is sent and sent again, and what callers are told. The driver
//! around it moves bytes. Time and chance are handed in, so tests run it in virtual time from a seed.
//!
//! Invariants: every request is answered once; of a game that is open every event is told once and in order; a command
//! keeps its id until it is answered.

mod account;
mod answers;
mod backoff;
mod commands;
mod effects;
mod follow;
mod games;
mod ids;
mod link;
mod pace;
mod requests;
mod round_trip;
#[cfg(test)]
mod tests;

use std::time::Duration;

use rand::SeedableRng as _;
use rand::rngs::StdRng;
use zeitnot_protocol::{ClientMessage, GameId, LobbyCommand, Welcome};

pub(crate) use crate::time::Moment;
use crate::{Error, Event, Identity, Options};
use account::Account;
use commands::{Commands, Owner};
pub(crate) use effects::{
    Answer, Delivery, Effect, Ending, Failure, Input, Key, Request, Subscriber, Unreadable,
};
use games::Games;
use ids::Ids;
use link::Link;
use pace::Pace;
use round_trip::RoundTrip;

/// How long after the first pong of a connection everything that is open has been told.
const SETTLES_AFTER: Duration = Duration::from_secs(2);

/// The client's state.
#[derive(Debug)]
pub(crate) struct Machine {
    options: Options,
    rng: StdRng,
    identity: Identity,
    link: Link,
    welcome: Option<Welcome>,
    /// Counts the connections that got as far as `welcome`.
    connection: u32,
    /// When everything that is open will have been told on this connection.
    settles_at: Option<Moment>,
    is_settled: bool,
    /// Who waits for the first connection, and until when.
    connecting: Option<(Key, Moment)>,
    commands: Commands,
    games: Games,
    account: Account,
    is_in_lobby: bool,
    round_trip: RoundTrip,
    pinged_at: Moment,
    pace: Pace,
}

impl Machine {
    pub(crate) fn new(options: Options, identity: Identity, seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let options = options.sound();
        let commands = Commands::new(Ids::new(&mut rng));
        Self {
            options,
            rng,
            identity,
            link: Link::new(),
            welcome: None,
            connection: 0,
            settles_at: None,
            is_settled: false,
            connecting: None,
            commands,
            games: Games::default(),
            account: Account::default(),
            is_in_lobby: false,
            round_trip: RoundTrip::default(),
            pinged_at: Moment::ZERO,
            pace: Pace::new(),
        }
    }

    /// Handles an input.
    pub(crate) fn handle(&mut self, input: Input, now: Moment, out: &mut Vec<Effect>) {
        if self.link.has_stopped() {
            if let Input::Request(key, _) = input {
                out.push(Effect::Answer(key, Err(self.link.error())));
            }
            return;
        }
        match input {
            Input::Opened => self.opened(now, out),
            Input::Failed(failure) => self.failed(failure, now, out),
            Input::Received(message) => {
                self.link.heard(now);
                self.received(*message, now, out);
            }
            Input::Unreadable(unreadable) => {
                self.link.heard(now);
                self.unreadable(unreadable, out);
            }
            Input::Heard => self.link.heard(now),
            Input::Ended(ending) => self.ended(ending, now, out),
            Input::Request(key, request) => self.request(key, request, now, out),
            Input::Unread(game, count) => {
                if let Some(follow) = self.games.follow(game) {
                    follow.unread(count, self.options.game_buffer);
                }
            }
            Input::Dropped(game) => self.close_game(game),
            Input::Abandoned(key) => self.account.abandoned(key),
            Input::Overflowed(subscriber) => self.tell_all(subscriber, now, out),
            Input::Tick => {}
        }
        self.tick(now, out);
    }

    /// What is due by now.
    fn tick(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if let Some((key, _)) = self.connecting.take_if(|(_, until)| now >= *until) {
            let error = Error::Unreachable(self.link.why_not());
            out.push(Effect::Answer(key, Err(error.clone())));
            self.stop(error, out);
        }
        for owner in self.commands.take_expired(&self.options, now) {
            answer(owner, Err(Error::TimedOut { after: self.options.command_timeout }), out);
        }
        self.tick_link(now, out);
        if self.settles_at.take_if(|at| now >= *at).is_some() {
            self.settle(out);
        }
        if self.link.is_open() {
            self.send_due(now);
            self.pace.pump(now, out);
        }
    }

    /// When [`Input::Tick`] is due, if nothing else happens.
    pub(crate) fn wake_at(&self) -> Option<Moment> {
        let is_open = self.link.is_open();
        let ping = is_open.then(|| self.pinged_at + self.options.ping_every);
        let pace = self.pace.wake_at().filter(|_| is_open);
        let connecting = self.connecting.map(|(_, until)| until);
        let commands = self.commands.wake_at(&self.options, is_open);
        let settles = self.settles_at.filter(|_| is_open);
        let link = self.link.wake_at(&self.options);
        [ping, pace, connecting, commands, settles, link].into_iter().flatten().min()
    }

    /// The games whose callers had no room: [`Input::Unread`] tells when they have.
    pub(crate) fn full_games(&self) -> Vec<GameId> {
        self.games.full()
    }

    /// Whether nothing more will happen.
    pub(crate) fn has_stopped(&self) -> bool {
        self.link.has_stopped()
    }

    /// The last `welcome`.
    pub(crate) fn welcome(&self) -> Option<&Welcome> {
        self.welcome.as_ref()
    }

    /// Who the client is now: a new guest has a token.
    pub(crate) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The shortest of the last round trips.
    pub(crate) fn round_trip(&self) -> Option<Duration> {
        self.round_trip.shortest()
    }

    /// Unix time at the moment 0, by the server's clock.
    pub(crate) fn server_epoch(&self) -> Option<Duration> {
        self.round_trip.epoch()
    }

    /// Puts what waits into the queue of the connection.
    fn send_due(&mut self, now: Moment) {
        let Some(welcome) = &self.welcome else { return };
        let boot = welcome.boot;
        for (game, follow) in self.games.follows() {
            if let Some(watch) = follow.wants() {
                self.commands.forget(Owner::Watch(game));
                // It is short, and the machine's own commands are not counted.
                drop(self.commands.put(ClientMessage::Watch(watch), Owner::Watch(game), now));
            }
        }
        for message in self.commands.due(boot, now) {
            self.pace.push(message);
        }
        if now >= self.pinged_at + self.options.ping_every {
            self.pinged_at = now;
            self.pace.ping(&mut self.round_trip, now);
        }
    }

    /// A `welcome` came: everything is resumed.
    fn welcomed(&mut self, welcome: Welcome, now: Moment, out: &mut Vec<Effect>) {
        let before = self.welcome.as_ref();
        let is_restored = before.is_some_and(|before| before.epoch != welcome.epoch);
        let is_restarted = before.is_some_and(|before| before.boot != welcome.boot);
        self.link.welcomed(now);
        self.connection += 1;
        self.pace.begin(&welcome.limits, now);
        if let Some(token) = &welcome.token {
            self.identity = Identity::Token(token.clone());
        }
        if let Some((key, _)) = self.connecting.take() {
            out.push(Effect::Answer(key, Ok(Answer::Done)));
        }
        out.push(Effect::Event(None, Event::Connected));
        if let Some(name) = &welcome.name {
            self.account.named(name.clone(), out);
        }
        // Somebody who waits for an opponent must be asked to wait again: the server says so if it still knows.
        if let Some(mut waited) = self.account.waiting.take() {
            waited.pool = None;
            out.push(Effect::Event(None, Event::Waiting(waited)));
        }
        if is_restored {
            for owner in self.commands.take_restored() {
                answer(owner, Err(Error::Restored), out);
            }
        }
        for (_, follow) in self.games.follows() {
            follow.resume(is_restored, is_restarted);
        }
        self.commands.hold(welcome.boot);
        self.is_settled = false;
        self.welcome = Some(welcome);
        if self.is_in_lobby {
            self.enter_lobby(now);
        }
        self.pinged_at = now;
        self.pace.ping(&mut self.round_trip, now);
    }

    fn enter_lobby(&mut self, now: Moment) {
        if !self.commands.has(Owner::Lobby) {
            let enter = ClientMessage::EnterLobby(LobbyCommand::default());
            drop(self.commands.put(enter, Owner::Lobby, now));
        }
    }

    /// By now it was told what is open: what was held back is sent, or has led to one of the games.
    fn settle(&mut self, out: &mut Vec<Effect>) {
        self.is_settled = true;
        self.account.settle(self.connection, out);
        self.games.settle(self.connection);
        // At the least: half a round trip is how wrong the epoch may be.
        let epoch = self.round_trip.epoch().map(|epoch| epoch.saturating_sub(self.round_trip.one_way()));
        let games = &mut self.games;
        let done = self.commands.release(|pending| {
            let since = (epoch? + pending.sent?).as_secs();
            games.explain(since, |time_control| pending.leads_to(time_control))
        });
        for (owner, game) in done {
            answer(owner, Ok(Answer::Game(game)), out);
        }
    }

    /// Tells a subscriber all that is open now.
    fn tell_all(&mut self, to: Subscriber, now: Moment, out: &mut Vec<Effect>) {
        if self.link.is_open() {
            out.push(Effect::Event(Some(to), Event::Connected));
        }
        self.account.tell_all(to, out);
        out.extend(self.games.own().map(|game| Effect::Event(Some(to), Event::Game(game))));
        if self.is_in_lobby && self.link.is_open() {
            self.enter_lobby(now);
        }
    }

    fn stop(&mut self, error: Error, out: &mut Vec<Effect>) {
        if let Some((key, _)) = self.connecting.take() {
            out.push(Effect::Answer(key, Err(error.clone())));
        }
        for owner in self.commands.take_all() {
            answer(owner, Err(error.clone()), out);
        }
        for (_, follow) in self.games.follows() {
            out.extend(follow.opening.take().map(|key| Effect::Answer(key, Err(error.clone()))));
        }
        self.account.stopped(&error, out);
        self.link.stop(error.clone());
        out.push(Effect::Drop);
        out.push(Effect::Stopped(error));
    }
}

/// Answers the caller of a command, if it has one.
fn answer(owner: Owner, what: Result<Answer, Error>, out: &mut Vec<Effect>) {
    if let Owner::Caller(key) = owner {
        out.push(Effect::Answer(key, what));
    }
}
