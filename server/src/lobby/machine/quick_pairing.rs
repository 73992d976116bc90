//! Quick pairing: joining and leaving pools, pairing rounds, and the games that they lead to.
//!
//! Pairs are made in rounds and not when an account joins: among several that wait, opponents and
//! colours can be chosen. There are rounds only while somebody waits. Whoever is left over gets the open game of a seek
//! that is for just what the pool plays, as if they had accepted it.
//!
//! Invariants: nobody is paired while a game of theirs is being started, so a place leads to one game.
//! Who may have no more games, or no new one now, keeps the place and is left out.
//! A place is given up when its game is durable, before anybody is told. If the game cannot begin, both
//! players still have their places.

use std::sync::Arc;
use std::time::Duration;

use zeitnot_protocol::{
    AccountId, Code, CreateChallenge, GameId, Period, PoolId, ServerMessage, TimeControl, Waiting, WireColor,
};
use zeitnot_rules::game;

use super::matcher::Pair;
use super::pools::Place;
use super::starts::Wanted;
use super::{Challenge, LobbyEffect, LobbyMachine, NewGame, Request, Start, Step, Timer};
use crate::accounts::{Kind, Person};
use crate::lobby::terms::{Terms, TermsError, may_be_rated};
use crate::net::Address;
use crate::seeded_bugs::bug;

/// The time from one pairing round to the next: long enough that several players may wait, and short
/// enough not to be noticed.
const ROUND_EVERY: Duration = Duration::from_millis(500);

impl LobbyMachine {
    /// The account waits in a pool.
    pub(super) fn join_pool(&mut self, request: &Request, pool: PoolId, step: &mut Step<'_>) {
        match self.enter_pool(request.by, request.address, pool, step) {
            Ok(()) => step.done(request),
            Err(code) => return step.reject(request, code),
        }
        self.tell_place(request.by.account, step);
    }

    /// The account waits in a pool, or nowhere, as it did in a lobby that is gone. A place that it has here stays, and nobody
    /// waits who is not connected. It is told where it waits in any case.
    pub(super) fn wait_again(
        &mut self,
        by: Person,
        address: Address,
        pool: Option<PoolId>,
        step: &mut Step<'_>,
    ) {
        let may_wait = self.pools.pool_of(by.account).is_none() && step.facts.is_connected(by.account);
        // Of the reason for which it may not, nobody is told: nobody has asked.
        if let Some(pool) = pool.filter(|_| may_wait) {
            self.enter_pool(by, address, pool, step).ok();
        }
        self.tell_place(by.account, step);
    }

    /// Gives the account a place in a pool, and in no other one.
    fn enter_pool(
        &mut self,
        by: Person,
        from: Address,
        pool: PoolId,
        step: &mut Step<'_>,
    ) -> Result<(), Code> {
        if self.is_for_people_only(by) {
            return Err(Code::NotForBots);
        }
        if step.games_left()(by.account) == 0 {
            return Err(Code::TooManyGames);
        }
        let live = self.all_live_games(step);
        self.starts.may_play(by.account, from, live, step.at)?;
        if self.pools.join(by, from, pool, step.at) {
            let category = terms(pool, true).expect("a game can be played in every pool").category();
            step.effects.push(LobbyEffect::ReadRating { player: by, pool, category });
        }
        Ok(())
    }

    /// Tells the account where it waits. Who waits is paired in rounds.
    fn tell_place(&mut self, account: AccountId, step: &mut Step<'_>) {
        let waiting = Waiting { pool: self.pools.pool_of(account), game: None };
        step.notify(account, None, ServerMessage::Waiting(waiting));
        if self.pools.begin_rounds() {
            next_round(step);
        }
    }

    /// Whether pools are for people, and this is a bot.
    fn is_for_people_only(&self, by: Person) -> bool {
        bug!(BotsInPools => return false);
        by.kind == Kind::Bot && !self.bots_in_pools
    }

    /// The account waits no longer. A game that is being started begins all the same.
    pub(super) fn leave_pool(&mut self, request: &Request, step: &mut Step<'_>) {
        step.done(request);
        self.give_up_place(request.by.account, None, step);
    }

    /// Starts a game for every pair that can be made now.
    pub(super) fn pairing_round(&mut self, step: &mut Step<'_>) {
        if self.pools.end_rounds() {
            return;
        }
        let games_left = step.games_left();
        let live = self.all_live_games(step);
        let is_free = |account, from| {
            bug!(PairedWhileStarting => return true);
            !self.challenges.is_starting(account)
                && games_left(account) > 0
                && self.starts.may_play(account, from, live, step.at).is_ok()
        };
        let may_meet = |one, other| {
            bug!(BlockIgnored => return true);
            !step.facts.is_blocked(one, other)
        };
        for (pool, pair) in self.pools.pairs(step.at, is_free, may_meet, || step.facts.coin()) {
            let (wanted, live) = (self.wanted(pair), self.all_live_games(step));
            if self.starts.may_begin(wanted, live, step.at).is_ok()
                && self.challenges.begin_start(pair.players(), &games_left).is_ok()
            {
                self.starts.count(wanted, step.at);
                self.start_pair(pool, pair, step);
            }
        }
        self.join_seeks(step);
        next_round(step);
    }

    /// Starts the game of a listed seek for each player who is left over and whose pool plays just that: the seek that has
    /// waited longest first. One whose game cannot begin stays open, and the player waits on.
    fn join_seeks(&mut self, step: &mut Step<'_>) {
        let listed = self.challenges.newest_seeks().take(self.limits.lobby_seeks as usize);
        let mut seeks = listed.filter_map(|seek| Some((pool_of(seek)?, seek.clone()))).collect::<Vec<_>>();
        seeks.reverse();
        let places = if seeks.is_empty() { Vec::new() } else { self.pools.places() };
        for place in places {
            for (_, seek) in seeks.iter().filter(|(pool, _)| *pool == place.pool) {
                if self.suits(seek, &place, step)
                    && self.begin(seek, place.player, None, place.from, step).is_ok()
                {
                    break;
                }
            }
        }
    }

    /// Whether a seek is for a player who waits: the two may meet, and their game is rated as one from the pool would be.
    fn suits(&self, seek: &Challenge, place: &Place, step: &Step<'_>) -> bool {
        let (owner, by) = (seek.owner, place.player);
        owner.account != by.account
            && !self.is_for_people_only(owner)
            && ![owner, by].iter().any(|one| self.challenges.is_starting(one.account))
            && step.facts.is_connected(owner.account)
            && !step.facts.is_blocked(owner.account, by.account)
            && seek.terms.wanted.rated == may_be_rated(owner, by).is_ok()
            && place.is_near(seek.owner_rating, step.at)
    }

    fn wanted(&self, pair: Pair) -> Wanted {
        let players = pair.players();
        let from = players.map(|account| self.pools.address_of(account).expect("who is paired has a place"));
        Wanted { players, from }
    }

    fn start_pair(&mut self, pool: PoolId, pair: Pair, step: &mut Step<'_>) {
        let game = step.facts.game_id();
        self.starting.insert(game, Start::Paired(pair));
        let rated = self.pools.is_rated(pair);
        let terms = Arc::new(terms(pool, rated).expect("a game can be played in every pool"));
        // White counts as the challenger: see `terms`.
        let (challenger, accepter) = (self.pools.player(pair.white), self.pools.player(pair.black));
        let new = NewGame { game, terms, challenger, accepter, lot: None, origin: None };
        step.effects.push(LobbyEffect::StartGame(Box::new(new)));
    }

    /// The game of a pair is durable: both players give up their places, and are told on every
    /// connection.
    pub(super) fn pair_plays(&mut self, game: GameId, pair: Pair, step: &mut Step<'_>) {
        let players = pair.players();
        self.challenges.end_start(players);
        self.pools.note(pair);
        bug!(PlaceKept => return);
        for account in players {
            self.pools.leave(account);
        }
        for account in players {
            step.effects.push(LobbyEffect::Seat { account, except: None, game });
            step.notify(account, None, ServerMessage::Waiting(Waiting { pool: None, game: Some(game) }));
        }
        self.withdraw_offers(players, step);
    }
}

fn next_round(step: &mut Step<'_>) {
    let at = step.at + ROUND_EVERY;
    step.effects.push(LobbyEffect::SetTimer { at, timer: Timer::PairingRound });
}

fn clocks(pool: PoolId) -> TimeControl {
    let (minutes, seconds) = pool.clock();
    let period = Period {
        base_ms: minutes * 60_000,
        increment_ms: (seconds > 0).then_some(seconds * 1_000),
        ..Period::default()
    };
    TimeControl::Clock { periods: vec![period], black_periods: None }
}

/// What is played in a pool, with White for the player who counts as the challenger.
fn terms(pool: PoolId, rated: bool) -> Result<Terms, TermsError> {
    Terms::read(CreateChallenge {
        color: Some(WireColor::White),
        rated,
        ..CreateChallenge::with(clocks(pool))
    })
}

/// The pool whose games are just what the seek is for.
fn pool_of(seek: &Challenge) -> Option<PoolId> {
    let plays =
        |pool| game::TimeControl::try_from(&clocks(pool)).is_ok_and(|clocks| seek.terms.has_only(&clocks));
    PoolId::ALL.iter().copied().find(|&pool| plays(pool))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::net::IpAddr;

    use zeitnot_protocol::Limits;

    use super::super::{Facts, LobbyEffects, LobbyInput};
    use super::*;
    use crate::accounts::Person;
    use crate::connections::ConnectionId;
    use crate::time::ServiceInstant;

    fn address() -> Address {
        IpAddr::from([192, 0, 2, 1]).into()
    }

    /// Nobody has a game, but for one account that has all it may have.
    struct OneIsBusy(Cell<Option<AccountId>>);

    impl Facts for OneIsBusy {
        fn is_connected(&self, _: AccountId) -> bool {
            true
        }

        fn address_of(&self, _: AccountId) -> Option<Address> {
            None
        }

        fn is_own_computer(&self, _: AccountId) -> bool {
            false
        }

        fn live_games(&self, account: AccountId) -> usize {
            if self.0.get() == Some(account) { usize::MAX } else { 0 }
        }

        fn is_blocked(&self, _: AccountId, _: AccountId) -> bool {
            false
        }

        fn plays_with_clocks(&self, account: AccountId) -> bool {
            self.live_games(account) > 0
        }

        fn all_live_games(&self) -> usize {
            0
        }

        fn game_of_same_command(&self, _: &Challenge) -> Option<GameId> {
            None
        }

        fn coin(&self) -> bool {
            true
        }

        fn game_id(&self) -> GameId {
            GameId::from_random(7)
        }
    }

    #[test]
    fn an_account_that_may_have_no_more_games_keeps_nobody_from_an_opponent() {
        let facts = OneIsBusy(Cell::new(None));
        let accounts = [1, 2, 3].map(AccountId::from_u128);
        let (mut machine, mut effects) =
            (LobbyMachine::new(Limits::STANDARD, 9, false), LobbyEffects::default());
        for (number, &account) in (1..).zip(&accounts) {
            let (by, id, game) = (Person::guest(account), None, None);
            let request =
                Request { connection: ConnectionId(number), address: address(), by, rating: None, id, game };
            let join = LobbyInput::JoinPool { request, pool: PoolId::ALL[0] };
            machine.handle(join, ServiceInstant(number), &facts, &mut effects);
        }
        facts.0.set(Some(accounts[0]));
        effects.clear();
        let round = LobbyInput::Fired(Timer::PairingRound);
        machine.handle(round, ServiceInstant(0) + ROUND_EVERY, &facts, &mut effects);
        let started = effects.iter().filter_map(|effect| match effect {
            LobbyEffect::StartGame(new) => Some([new.challenger.account, new.accepter.account]),
            _ => None,
        });
        let started: Vec<_> = started.collect();
        assert_eq!(started.len(), 1, "two of the three can play");
        assert!(!started[0].contains(&accounts[0]));
    }

    #[test]
    fn who_waits_again_is_told_where_or_that_it_is_nowhere_and_keeps_a_place() {
        let facts = OneIsBusy(Cell::new(None));
        let account = AccountId::from_u128(1);
        let mut machine = LobbyMachine::new(Limits::STANDARD, 9, false);
        let mut told = |pool| {
            let (by, mut effects) = (Person::guest(account), LobbyEffects::default());
            let again = LobbyInput::WaitAgain { by, address: address(), pool };
            machine.handle(again, ServiceInstant(1), &facts, &mut effects);
            let told = effects.into_iter().filter_map(|effect| match effect {
                LobbyEffect::Notify { message: ServerMessage::Waiting(waiting), .. } => Some(waiting.pool),
                LobbyEffect::SetTimer { .. } => None,
                other => panic!("{other:?}"),
            });
            told.collect::<Vec<_>>()
        };
        facts.0.set(Some(account));
        assert_eq!(told(Some(PoolId::ALL[0])), [None], "it may have no game");
        facts.0.set(None);
        assert_eq!(told(None), [None]);
        assert_eq!(told(Some(PoolId::ALL[0])), [Some(PoolId::ALL[0])]);
        assert_eq!(told(Some(PoolId::ALL[1])), [Some(PoolId::ALL[0])], "it waits already");
    }

    #[test]
    fn every_pool_can_be_played() {
        for &pool in PoolId::ALL {
            terms(pool, false).unwrap();
            terms(pool, true).unwrap();
        }
    }
}
