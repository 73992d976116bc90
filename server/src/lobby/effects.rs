//! Carrying out what the lobby's machine wants done.
//!
//! The machine is locked meanwhile, so nothing here waits: what takes time is begun, and a task hands
//! the outcome to the machine as its next input. What the store is asked for is written in the order
//! of the effects.

use std::sync::Arc;

use zeitnot_protocol::{
    AccountId, ChallengeId, Code, CreateChallenge, GameId, OkAnswer, PoolId, ServerMessage,
};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Category;

use super::machine::{Challenge, Facts as _, LobbyEffect, LobbyInput, NewGame, Request, Timer};
use super::ratings;
use super::shell::Lobby;
use crate::accounts::Person;
use crate::cluster::wire::FromLobby;
use crate::connections::{ConnectionId, Notice, NoticeKind, ToSession};
use crate::games::{CreateError, seat_of};
use crate::storage::OpenChallenge;
use crate::telemetry::metrics;
use crate::time::{ServiceInstant, unix_now_ms};

impl Lobby {
    /// Does one thing that the machine wants done.
    pub(super) fn carry_out(self: &Arc<Self>, effect: LobbyEffect) {
        match effect {
            LobbyEffect::Send { to, message } => self.send(to, &message),
            LobbyEffect::Notify { account, except, message } => {
                let text = ToSession::message(&message);
                self.parts.connections.tell(account, except, || ToSession::Text(Arc::clone(&text)));
                if let Some(across) = self.nodes.get() {
                    if let ServerMessage::Waiting(waiting) = &message {
                        across.tell_place(account, waiting.pool);
                    }
                    across.tell_all(account, except, |except| {
                        let text = (*text).to_owned();
                        FromLobby::TellAll { account, except, text }
                    });
                }
            }
            LobbyEffect::Seat { account, except, game } => {
                let started = || ToSession::GameStarted { game, reply: None };
                self.parts.connections.tell(account, except, started);
                if let Some(across) = self.nodes.get() {
                    self.settle_place(account);
                    across.tell_all(account, except, |except| FromLobby::Seat { account, except, game });
                }
            }
            LobbyEffect::SeatAndAnswer { request, game } => {
                self.settle_place(request.by.account);
                self.seat_and_answer(&request, game);
            }
            LobbyEffect::AnswerFromGame { request, game, otherwise } => {
                self.answer_from_game(request, game, otherwise);
            }
            LobbyEffect::Keep(challenge) => self.keep(*challenge),
            LobbyEffect::Discard(challenge) => self.discard(challenge),
            LobbyEffect::StartGame(new) => self.start_game(*new),
            LobbyEffect::NoteLimited { address, code } => {
                let now = self.parts.clock.now();
                self.parts.accounts.addresses.note_limited(address, code.as_str(), now);
            }
            LobbyEffect::ReadRating { player, pool, category } => self.read_rating(player, pool, category),
            LobbyEffect::SetTimer { at, timer } => self.set_timer(at, timer),
        }
    }

    /// What this node and others remember of the account's place in a lobby that is gone counts no more.
    pub(super) fn settle_place(&self, account: AccountId) {
        if let Some(across) = self.nodes.get() {
            across.settle(account);
        }
    }

    /// Tells one session. A session that cannot take it closes its socket by itself.
    pub(super) fn send(&self, to: ConnectionId, message: &ServerMessage) {
        if let Some((across, node)) = self.nodes.get().zip(to.node()) {
            return across.tell(node, to, message.to_text());
        }
        if let ServerMessage::Rejected(rejected) = message {
            metrics().frames_rejected.count(&[("code", rejected.code.as_str())]);
        }
        self.parts.connections.tell_one(to, ToSession::Text(ToSession::message(message)));
    }

    fn seat_and_answer(&self, request: &Request, game: GameId) {
        if let Some((across, node)) = self.nodes.get().zip(request.connection.node()) {
            return across.seat_and_answer(node, request, game);
        }
        let kind = NoticeKind::Done { id: request.id.map(Box::new), seq: 1 };
        let reply = Some(Notice { game, after: 1, kind });
        self.parts.connections.tell_one(request.connection, ToSession::GameStarted { game, reply });
    }

    fn answer_from_game(self: &Arc<Self>, request: Request, game: GameId, otherwise: Code) {
        if let Some(handle) = self.parts.games.get(game) {
            return match handle.seat_of(request.by.account) {
                Some(_) => self.seat_and_answer(&request, game),
                None => self.send(request.connection, &request.rejected(Code::ChallengeTaken)),
            };
        }
        let lobby = Arc::clone(self);
        self.parts.tasks.spawn(async move {
            let answer = match lobby.has_played(&request, game).await {
                Ok(Some(true)) => {
                    ServerMessage::Ok(OkAnswer { id: request.id, game: Some(game), seq: Some(1) })
                }
                Ok(Some(false)) => request.rejected(Code::ChallengeTaken),
                Ok(None) => request.rejected(otherwise),
                Err(code) => request.rejected(code),
            };
            lobby.send(request.connection, &answer);
        });
    }

    /// Whether the account of a request has a seat in a game that may have ended; `None` without such a game.
    async fn has_played(&self, request: &Request, game: GameId) -> Result<Option<bool>, Code> {
        let account = request.by.account;
        let game = self.parts.games.read(game, request.address).await?;
        Ok(game.map(|game| seat_of(&game, account).is_some()))
    }

    fn keep(self: &Arc<Self>, challenge: Challenge) {
        let Challenge { id: challenge, owner, to, accepted_by, rematch_of, until, terms, .. } = challenge;
        // With the account in place of the name, which may be another account's one day.
        let wanted = CreateChallenge { to, to_name: None, ..terms.wanted.clone() };
        let terms = serde_json::to_string(&wanted).expect("a command that was read can be written");
        let left_ms = u64::try_from(until.since(self.parts.clock.now()).as_millis()).unwrap_or(u64::MAX);
        let until_unix_ms = unix_now_ms().saturating_add(left_ms);
        let open = OpenChallenge { challenge, owner, terms, rematch_of, accepted_by, until_unix_ms };
        let kept = self.parts.store.open_challenge(open);
        let lobby = Arc::clone(self);
        self.parts.tasks.spawn(async move {
            let is_durable = kept.await.is_ok();
            if !is_durable {
                tracing::error!(%challenge, "a challenge could not be stored");
            }
            lobby.handle(LobbyInput::Kept { challenge, is_durable });
        });
    }

    fn discard(self: &Arc<Self>, challenge: ChallengeId) {
        let discarded = self.parts.store.close_challenge(challenge);
        let lobby = Arc::clone(self);
        self.parts.tasks.spawn(async move {
            let is_durable = discarded.await.is_ok();
            lobby.handle(LobbyInput::Discarded { challenge, is_durable });
        });
    }

    /// Starts a game between two accounts. Each may or may not have a connection.
    fn start_game(self: &Arc<Self>, new: NewGame) {
        let NewGame { game, terms, challenger, accepter, lot, origin } = new;
        let mut setup = terms.setup(challenger, accepter, lot, &self.parts.entropy, unix_now_ms());
        let is_white = setup.players.white == challenger.account.as_u128();
        let (white, black) = if is_white { (challenger, accepter) } else { (accepter, challenger) };
        let here = setup.players.map(|player| self.is_connected(AccountId::from_u128(player)));
        let lobby = Arc::clone(self);
        self.parts.tasks.spawn(async move {
            setup.ratings = ratings::of_game(&lobby.parts.ratings, ByColor { white, black }, &setup).await;
            let created = lobby.parts.games.create(game, setup, here).await;
            let is_durable = created.is_ok();
            match created {
                Ok(handle) => {
                    if let Some(origin) = origin {
                        handle.set_origin(origin);
                    }
                }
                Err(error @ CreateError::Start(_)) => {
                    tracing::error!(%game, %error, "terms that were checked cannot be played");
                }
                Err(error) => tracing::warn!(%game, %error, "a game did not start"),
            }
            lobby.handle(LobbyInput::Started { game, is_durable });
        });
    }

    /// Reads the rating of a player who waits in a pool.
    fn read_rating(self: &Arc<Self>, player: Person, pool: PoolId, category: Category) {
        let lobby = Arc::clone(self);
        self.parts.tasks.spawn(async move {
            let rating = ratings::shown(&lobby.parts.ratings, player, category).await;
            lobby.handle(LobbyInput::RatingRead { account: player.account, pool, rating });
        });
    }

    fn set_timer(self: &Arc<Self>, at: ServiceInstant, timer: Timer) {
        let lobby = Arc::clone(self);
        self.parts.tasks.spawn(async move {
            tokio::select! {
                biased;
                () = lobby.parts.tasks.stopping().cancelled() => return,
                () = lobby.parts.clock.sleep_until(at) => {}
            }
            lobby.handle(LobbyInput::Fired(timer));
        });
    }
}
