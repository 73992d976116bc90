//! What must hold whatever happens, from inputs and effects alone: it knows nothing of the machine but
//! what the lobby shows.

use std::collections::{HashMap, HashSet};

use zeitnot_protocol::{AccountId, ChallengeId, Code, CommandId, GameId, PoolId, ServerMessage};

use super::super::{Challenge, Facts, LobbyEffect, LobbyInput, LobbyMachine, NewGame, Request, Timer};
use super::world::{BOT, GRACE, LIFETIME, LIMITS, LIVE_MAX, Outside, POOLS, address_of};
use crate::connections::ConnectionId;
use crate::net::Address;
use crate::time::ServiceInstant;

/// What has become of a challenge.
#[derive(Debug)]
struct Seen {
    challenge: Challenge,
    /// Its owner may know of it: it is durable, or need not be.
    is_durable: bool,
    /// When it ends at the latest, unless it is a seek.
    until: Option<ServiceInstant>,
    /// Who has accepted it while its owner was away, once that is durable.
    accepted_by: Option<AccountId>,
    /// The same while it is being stored, and when the challenge ends then.
    accepting: Option<(AccountId, ServiceInstant)>,
    /// It has been told to somebody.
    is_told: bool,
    /// Its end has been told, or is being stored.
    is_over: bool,
    /// Its end is being stored because somebody asked for it.
    is_ending: bool,
    /// The owner's last connection has closed, or the owner's next game has begun. A seek is over then.
    seek_is_over: bool,
    /// The owner's next game has begun while this rematch was open. It is over then.
    rematch_is_over: bool,
}

/// Whom a pending game is for.
#[derive(Debug)]
struct Start {
    players: [AccountId; 2],
}

#[derive(Debug, Default)]
pub(super) struct Checker {
    /// Commands that are not answered, by connection and id.
    asked: HashMap<(ConnectionId, CommandId), i32>,
    challenges: HashMap<ChallengeId, Seen>,
    places: HashMap<AccountId, PoolId>,
    starting: HashMap<GameId, Start>,
    begun: HashMap<GameId, [AccountId; 2]>,
    /// The instant of the input.
    at: ServiceInstant,
    /// Since when the lobby knows that an account has no connection.
    away_since: HashMap<AccountId, ServiceInstant>,
    /// Challenges that were made, by owner and addressee, and when.
    made: Vec<(AccountId, Option<AccountId>, ServiceInstant)>,
    /// Games that were begun: their players, the addresses that they count for, and when.
    starts: Vec<(Vec<AccountId>, HashSet<Address>, ServiceInstant)>,
    /// The input is a pairing round.
    is_round: bool,
    /// The input cancels or declines a challenge.
    is_end_wanted: bool,
    /// A `join_pool` that is being handled.
    joining: Option<(AccountId, CommandId, PoolId)>,
    /// What is to be logged of an address before the next rejection.
    limited: Option<(Address, Code)>,
}

fn check(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

impl Checker {
    /// An input that is about to be handled.
    pub(super) fn before(
        &mut self,
        input: &LobbyInput,
        at: ServiceInstant,
        outside: &Outside,
    ) -> Result<(), String> {
        self.at = at;
        self.is_round = matches!(input, LobbyInput::Fired(Timer::PairingRound));
        self.is_end_wanted = matches!(input, LobbyInput::End { .. });
        self.joining = None;
        match input {
            LobbyInput::Create { request, challenge, .. } => {
                self.ask(request);
                let seen = Seen {
                    challenge: (**challenge).clone(),
                    is_durable: challenge.seek,
                    until: (!challenge.seek).then_some(at + LIFETIME),
                    accepted_by: None,
                    accepting: None,
                    is_told: false,
                    is_over: false,
                    is_ending: false,
                    seek_is_over: false,
                    rematch_is_over: false,
                };
                self.challenges.insert(challenge.id, seen);
            }
            LobbyInput::Accept { request, .. } => self.ask(request),
            LobbyInput::End { request, challenge, .. } => {
                self.ask(request);
                check(self.challenges.contains_key(challenge), || format!("{challenge} was never made"))?;
            }
            LobbyInput::JoinPool { request, pool, .. } => {
                self.ask(request);
                self.joining = request.id.map(|id| (request.by.account, id, *pool));
            }
            LobbyInput::LeavePool { request } => {
                self.ask(request);
                self.places.remove(&request.by.account);
            }
            LobbyInput::Kept { challenge, is_durable } => {
                let seen = self.challenges.get_mut(challenge).ok_or("an unknown challenge was kept")?;
                if let Some((by, until)) = seen.accepting.take() {
                    if *is_durable {
                        (seen.accepted_by, seen.until) = (Some(by), Some(until));
                    }
                } else {
                    seen.is_durable = *is_durable;
                    seen.is_over = !is_durable;
                }
                // An owner who has gone by then is noticed at once.
                let owner = seen.challenge.owner.account;
                if *is_durable && !outside.is_connected(owner) {
                    self.gone(owner);
                }
            }
            LobbyInput::Discarded { challenge, .. } => {
                let seen = self.challenges.get_mut(challenge).ok_or("an unknown challenge was discarded")?;
                seen.is_ending = false;
            }
            LobbyInput::Connected { account, .. } => drop(self.away_since.remove(account)),
            LobbyInput::LastConnectionClosed { account } if !outside.is_connected(*account) => {
                self.away_since.entry(*account).or_insert(at);
                self.gone(*account);
            }
            LobbyInput::Started { game, is_durable: true } => {
                let start = self.starting.remove(game).ok_or("a game began that was not being started")?;
                for account in start.players {
                    self.gone(account);
                    self.plays_again(account);
                }
                self.begun.insert(*game, start.players);
            }
            LobbyInput::Started { game, is_durable: false } => {
                self.starting.remove(game).ok_or("a game failed that was not being started")?;
            }
            _ => {}
        }
        Ok(())
    }

    fn ask(&mut self, request: &Request) {
        if let Some(id) = request.id {
            *self.asked.entry((request.connection, id)).or_default() += 1;
        }
    }

    /// A place and seeks end with the owner's last connection and next game.
    fn gone(&mut self, account: AccountId) {
        self.places.remove(&account);
        for seen in self.challenges.values_mut().filter(|seen| seen.challenge.owner.account == account) {
            seen.seek_is_over |= seen.is_told;
        }
    }

    /// Offers of rematches with clocks end with the owner's next game, but for those that are being accepted.
    fn plays_again(&mut self, account: AccountId) {
        for (id, seen) in &mut self.challenges {
            let is_offer = seen.challenge.owner.account == account
                && seen.challenge.rematch_of.is_some()
                && seen.challenge.has_clocks();
            let is_accepted = seen.accepted_by.is_some()
                || seen.accepting.is_some()
                || self.starting.contains_key(&GameId::from(*id));
            seen.rematch_is_over |= is_offer && seen.is_told && !is_accepted;
        }
    }

    fn answered(&mut self, connection: ConnectionId, id: Option<CommandId>) -> Result<(), String> {
        let Some(id) = id else { return Ok(()) };
        let asked = self.asked.entry((connection, id)).or_default();
        *asked -= 1;
        check(*asked >= 0, || format!("{} was answered twice", id.as_str()))
    }

    /// An effect of the input.
    pub(super) fn effect(&mut self, effect: &LobbyEffect, outside: &Outside) -> Result<(), String> {
        match effect {
            LobbyEffect::Send { to, message } => {
                self.message(message)?;
                self.answer(*to, message)
            }
            LobbyEffect::Notify { message, .. } => self.message(message),
            LobbyEffect::Seat { account, game, .. } => self.seated(*account, *game),
            LobbyEffect::SeatAndAnswer { request, game } => {
                self.answered(request.connection, request.id)?;
                self.seated(request.by.account, *game)
            }
            LobbyEffect::AnswerFromGame { request, .. } => self.answered(request.connection, request.id),
            LobbyEffect::Discard(challenge) => {
                let seen = self.challenges.get_mut(challenge).ok_or("an unknown challenge is discarded")?;
                check(!seen.is_over, || format!("{challenge} is discarded twice"))?;
                seen.is_over = true;
                seen.is_ending = self.is_end_wanted;
                Ok(())
            }
            LobbyEffect::StartGame(new) => self.start(new, outside),
            LobbyEffect::Keep(challenge) if let Some(by) = challenge.accepted_by => {
                self.accepted_for_later(challenge.id, by.account)
            }
            LobbyEffect::Keep(challenge) => {
                self.made.push((challenge.owner.account, challenge.to, self.at));
                Ok(())
            }
            LobbyEffect::NoteLimited { address, code } => {
                self.limited = Some((*address, *code));
                Ok(())
            }
            LobbyEffect::SetTimer { .. } | LobbyEffect::ReadRating { .. } => Ok(()),
        }
    }

    fn answer(&mut self, to: ConnectionId, message: &ServerMessage) -> Result<(), String> {
        match message {
            ServerMessage::Ok(ok) => {
                if let Some((account, id, pool)) = self.joining.filter(|joining| Some(joining.1) == ok.id) {
                    check(account != BOT, || "a bot waits in a pool of people".to_owned())?;
                    self.places.insert(account, pool);
                    self.joining = None;
                    return self.answered(to, Some(id));
                }
                self.answered(to, ok.id)
            }
            ServerMessage::Rejected(rejected) => {
                let noted = self.limited.take();
                let code = (rejected.code == Code::TooManyNewGames).then_some(rejected.code);
                check(noted.map(|noted| noted.1) == code, || {
                    format!("{noted:?} is logged, and {:?} is told", rejected.code)
                })?;
                self.answered(to, rejected.id)
            }
            ServerMessage::Challenge(challenge) => self.answered(to, challenge.id),
            _ => Ok(()),
        }
    }

    fn message(&mut self, message: &ServerMessage) -> Result<(), String> {
        match message {
            ServerMessage::Challenge(view) => {
                let id = view.challenge;
                let seen = self.challenges.get_mut(&id).ok_or("an unknown challenge is told")?;
                check(seen.is_durable, || format!("{id} is told before it is durable"))?;
                check(!seen.is_over, || format!("{id} is told after its end"))?;
                let accepted_by = view.accepted_by.as_ref().map(|by| by.account);
                check(seen.accepted_by == accepted_by, || {
                    format!("{id} is told to be accepted by {accepted_by:?}")
                })?;
                if seen.challenge.seek && !seen.is_told {
                    self.made.push((seen.challenge.owner.account, None, self.at));
                }
                seen.is_told = true;
                Ok(())
            }
            ServerMessage::ChallengeGone(gone) => {
                let id = gone.challenge;
                let seen = self.challenges.get_mut(&id).ok_or("the end of an unknown challenge is told")?;
                check(seen.is_told, || format!("the end of {id} is told, which nobody knows"))?;
                check(gone.game.is_some() || !(seen.is_over && seen.is_ending), || {
                    format!("the end of {id} is told before it is durable")
                })?;
                seen.is_over = true;
                check(gone.game.is_none_or(|game| self.begun.contains_key(&game)), || {
                    format!("{id} has become a game that is not durable")
                })
            }
            _ => Ok(()),
        }
    }

    fn seated(&self, account: AccountId, game: GameId) -> Result<(), String> {
        let players = self.begun.get(&game).ok_or_else(|| format!("{game} is not durable"))?;
        check(players.contains(&account), || format!("{account} does not play in {game}"))
    }

    fn start(&mut self, new: &NewGame, outside: &Outside) -> Result<(), String> {
        let (game, players) = (new.game, [new.challenger.account, new.accepter.account]);
        let is_new = !self.starting.contains_key(&game) && !self.begun.contains_key(&game);
        check(is_new, || format!("{game} is started twice"))?;
        check(players[0] != players[1], || format!("{game} has one player"))?;
        check(!outside.is_blocked(players[0], players[1]), || {
            format!("{game} is between two of whom one has blocked the other")
        })?;
        for account in players {
            let starting = self.starting.values().filter(|start| start.players.contains(&account)).count();
            let live = outside.live_games(account);
            check(live + starting < LIMITS.live_games_per_account as usize, || {
                format!("{account} has too many games")
            })?;
            check(!self.is_round || starting == 0, || {
                format!("{account} is paired while a game is being started")
            })?;
        }
        let is_seek =
            self.challenges.iter().any(|(id, seen)| GameId::from(*id) == game && seen.challenge.seek);
        let is_pair = self.is_round && !is_seek;
        let [one, other] = players.map(|account| self.places.get(&account));
        if is_pair {
            check(one.is_some() && one == other, || format!("{game}: the players do not wait in one pool"))?;
        } else {
            check(!self.is_round || other == Some(&POOLS[0]), || format!("{game}: nobody waits for that"))?;
            self.accepted(new, outside)?;
        }
        let live = outside.all_live_games() + self.starting.len();
        check(live < LIVE_MAX, || format!("{game} is one game too many for the server"))?;
        let [owner, accepter] = players;
        let (counted, addresses) = match (is_pair, accepter == BOT) {
            (true, _) => (players.to_vec(), players.map(address_of).to_vec()),
            (false, true) => {
                let from = if outside.is_connected(owner) { owner } else { accepter };
                (vec![owner], vec![address_of(from)])
            }
            (false, false) => (players.to_vec(), vec![address_of(accepter)]),
        };
        self.starts.push((counted, addresses.into_iter().collect(), self.at));
        self.starting.insert(game, Start { players });
        Ok(())
    }

    /// A challenge of an owner who is away is accepted, and that is being stored.
    fn accepted_for_later(&mut self, id: ChallengeId, by: AccountId) -> Result<(), String> {
        let seen = self.challenges.get_mut(&id).ok_or("an unknown challenge is accepted")?;
        let challenge = &seen.challenge;
        check(challenge.has_clocks(), || format!("{id} waits for its owner without need"))?;
        check(challenge.to.is_none_or(|to| to == by), || format!("{id} is not for {by}"))?;
        check(seen.is_told && !seen.is_over && seen.accepted_by.is_none(), || {
            format!("{id} is accepted though it is not open")
        })?;
        check(seen.until.is_none_or(|until| self.at < until), || format!("{id} is accepted after its end"))?;
        seen.accepting = Some((by, self.at + LIFETIME));
        Ok(())
    }

    fn accepted(&self, new: &NewGame, outside: &Outside) -> Result<(), String> {
        let (owner, by) = (new.challenger.account, new.accepter.account);
        let mut challenges = self.challenges.iter();
        let found = challenges.find(|(id, _)| GameId::from(**id) == new.game);
        let (id, seen) = found.ok_or("a game is started without a challenge")?;
        let challenge = &seen.challenge;
        check(challenge.owner.account == owner, || format!("{id} is somebody else's"))?;
        check(challenge.to.is_none_or(|to| to == by), || format!("{id} is not for {by}"))?;
        check(seen.is_told && !seen.is_over, || format!("{id} is accepted though it is not open"))?;
        check(seen.until.is_none_or(|until| self.at < until), || format!("{id} is accepted after its end"))?;
        if let Some(accepter) = seen.accepted_by {
            check(accepter == by, || format!("{id} was accepted by {accepter}, and {by} plays"))?;
            let are_here = outside.is_connected(owner) && outside.is_connected(by);
            return check(are_here, || format!("{id} begins while one of the two is away"));
        }
        let away_since = self.away_since.get(&owner).copied();
        let is_away = away_since.is_some_and(|left| self.at.since(left) >= GRACE);
        check(!(challenge.has_clocks() && is_away), || format!("{id} begins while its owner is away"))?;
        check(!seen.rematch_is_over, || format!("{id} is accepted though its owner has played again"))?;
        let is_busy = self.starting.values().any(|start| start.players.contains(&owner));
        check(!challenge.seek || !is_busy && !seen.seek_is_over, || {
            format!("{id} is accepted though the seek has ended")
        })
    }

    /// The machine after an input and its effects.
    pub(super) fn after(&self, machine: &LobbyMachine) -> Result<(), String> {
        for seek in machine.newest_seeks() {
            let seen = self.challenges.get(&seek.id).ok_or("an unknown seek is listed")?;
            check(seen.challenge.seek && !seen.is_over && !seen.seek_is_over, || {
                format!("{} is listed after its end", seek.id)
            })?;
        }
        for pool in machine.pools() {
            let waiting = self.places.values().filter(|place| **place == pool.pool).count();
            check(pool.waiting as usize == waiting, || format!("{waiting} wait in {:?}", pool.pool))?;
        }
        let open = || self.challenges.values().filter(|seen| seen.is_told && !seen.is_over);
        for account in open().map(|seen| seen.challenge.owner.account).collect::<HashSet<_>>() {
            let own = || open().filter(|seen| seen.challenge.owner.account == account);
            let is_theirs = |seen: &&Seen| seen.challenge.to.or(seen.accepted_by) == Some(account);
            let addressed = open().filter(is_theirs).count();
            let seeks = own().filter(|seen| seen.challenge.seek).count();
            let most = LIMITS.challenges_per_account as usize;
            let has_few_seeks = seeks <= LIMITS.seeks_per_account as usize;
            check(own().count() <= most && addressed <= most && has_few_seeks, || {
                format!("{account} has too many challenges")
            })?;
            let to = own().filter_map(|seen| seen.challenge.to);
            check(to.clone().count() == to.collect::<HashSet<_>>().len(), || {
                format!("{account} has challenged somebody twice")
            })?;
        }
        Ok(())
    }

    /// Between any two challenges of an account, or of a pair, lie no more than the rate allows.
    fn rates(&self) -> Result<(), String> {
        let mut by_account = HashMap::<_, Vec<_>>::new();
        let mut by_pair = HashMap::<_, Vec<_>>::new();
        for &(owner, to, at) in &self.made {
            by_account.entry(owner).or_default().push(at.0);
            if to.is_some() {
                by_pair.entry((owner, to)).or_default().push(at.0);
            }
        }
        let mut games_of = HashMap::<_, Vec<_>>::new();
        let mut games_from = HashMap::<_, Vec<_>>::new();
        for (players, addresses, at) in &self.starts {
            players.iter().for_each(|account| games_of.entry(account).or_default().push(at.0));
            addresses.iter().for_each(|address| games_from.entry(address).or_default().push(at.0));
        }
        let is_kept = |made: &[u64], per_minute: u32| {
            let per_minute = u64::from(per_minute);
            let within = |(number, &first): (usize, &u64)| {
                let most = |last: u64| per_minute + (last - first) * per_minute / 60_000_000;
                (1..).zip(&made[number..]).all(|(count, &last)| count <= most(last))
            };
            made.iter().enumerate().all(within)
        };
        let keeps = by_account.values().all(|made| is_kept(made, LIMITS.challenges_per_account_per_minute));
        check(keeps, || "an account makes challenges too fast".to_owned())?;
        let keeps = by_pair.values().all(|made| is_kept(made, LIMITS.challenges_per_pair_per_minute));
        check(keeps, || "an account challenges another too fast".to_owned())?;
        let keeps = games_of.values().all(|made| is_kept(made, LIMITS.games_per_account_per_minute));
        check(keeps, || "games of an account begin too fast".to_owned())?;
        let keeps = games_from.values().all(|made| is_kept(made, LIMITS.games_per_address_per_minute));
        check(keeps, || "games from an address begin too fast".to_owned())
    }

    /// Everything has come to its end.
    pub(super) fn finish(&self) -> Result<(), String> {
        self.rates()?;
        for ((_, id), asked) in &self.asked {
            check(*asked == 0, || format!("{} was not answered", id.as_str()))?;
        }
        for (id, seen) in &self.challenges {
            check(!seen.is_told || seen.is_over, || format!("nobody was told of the end of {id}"))?;
        }
        Ok(())
    }
}
