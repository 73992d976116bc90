//! What the server says to an agent, and the lines that it becomes.
//!
//! Deliberately absent: what the agent asks for (`calls`).

use std::collections::HashMap;

use serde_json::{Value, json};
use zeitnot_protocol::{
    Challenge, ChallengeGone, ClientMessage, GameId, History, HistoryRequest, PlyView, ServerMessage,
    Snapshot,
};

use super::calls::challenge_line;
use super::followed::{Followed, KnownChallenge};
use super::{Agent, Over};
use crate::lichess_api::game_view::GameView;
use crate::lichess_api::people;
use crate::lichess_api::words::{self, Decline, Source};
use crate::lobby::lot_of;

/// Events of a game that wait until its older plies are read.
const HELD_MAX: usize = 1_000;

/// A game whose older plies are being read: a snapshot has the last ones only.
#[derive(Debug)]
pub(super) struct Loading {
    snapshot: Snapshot,
    plies: Vec<PlyView>,
    held: Vec<ServerMessage>,
}

/// The games that are being read.
pub(super) type AllLoading = HashMap<GameId, Loading>;

impl Agent {
    pub(super) async fn handle(&mut self, message: ServerMessage) -> Result<(), Over> {
        match message {
            ServerMessage::Name(name) => self.name = name.name,
            ServerMessage::Snapshot(snapshot) => return self.snapshot(snapshot).await,
            ServerMessage::History(history) => return self.history(history).await,
            ServerMessage::Ok(ok) => {
                self.seek_accepted(&ok)?;
                return self.answered(&ok);
            }
            ServerMessage::Rejected(rejected) => {
                self.seek_rejected(&rejected)?;
                return self.rejected(&rejected);
            }
            ServerMessage::Challenge(challenge) => return self.challenge(challenge).await,
            ServerMessage::ChallengeGone(gone) => return self.challenge_gone(&gone),
            ServerMessage::Waiting(waiting) => return self.waiting(&waiting),
            ServerMessage::Lobby(lobby) => return self.looked(&lobby),
            ServerMessage::Presence(presence) => {
                let now = self.now();
                if let Some(game) = self.games.get_mut(&presence.game) {
                    game.presence(&presence, now);
                }
            }
            ServerMessage::Clock(clock) => {
                let now = self.now();
                if let Some(game) = self.games.get_mut(&clock.game) {
                    game.view.set_clock(&clock, now);
                }
            }
            ServerMessage::Said(said) => {
                if let Some(game) = self.games.get_mut(&said.game) {
                    game.said(&said);
                }
            }
            message => return self.event(message),
        }
        Ok(())
    }

    /// A game as it stands: it began, or was asked for, or the agent fell behind.
    async fn snapshot(&mut self, snapshot: Snapshot) -> Result<(), Over> {
        let known = u32::try_from(snapshot.plies.len()).unwrap_or(u32::MAX);
        if snapshot.ply_count > known {
            let game = snapshot.game;
            let loading = Loading { snapshot, plies: Vec::new(), held: Vec::new() };
            self.loading.insert(game, loading);
            return self.command(ClientMessage::History(HistoryRequest { game, from: 1, id: None }));
        }
        let plies = snapshot.plies.clone();
        self.know(snapshot, &plies).await
    }

    /// Some of the older plies.
    async fn history(&mut self, History { game, plies, .. }: History) -> Result<(), Over> {
        let Some(loading) = self.loading.get_mut(&game) else { return Ok(()) };
        let Some(first) = loading.snapshot.plies.first().map(|ply| ply.ply) else { return Err(Over) };
        let next = loading.plies.last().map_or(1, |ply| ply.ply + 1);
        let new = plies.into_iter().filter(|ply| (next..first).contains(&ply.ply));
        let before = loading.plies.len();
        loading.plies.extend(new);
        let next = loading.plies.last().map_or(1, |ply| ply.ply + 1);
        if next < first {
            // Nothing new came: the game was taken back so far that the snapshot is out of date.
            if loading.plies.len() == before {
                return Err(Over);
            }
            return self.command(ClientMessage::History(HistoryRequest { game, from: next, id: None }));
        }
        let Some(Loading { snapshot, mut plies, held }) = self.loading.remove(&game) else { return Ok(()) };
        plies.extend(snapshot.plies.iter().copied());
        self.know(snapshot, &plies).await?;
        held.into_iter().try_for_each(|message| self.event(message))
    }

    /// A game is known as it stands.
    async fn know(&mut self, snapshot: Snapshot, plies: &[PlyView]) -> Result<(), Over> {
        let (game, now) = (snapshot.game, self.now());
        let source = self.sources.get(&game).copied().unwrap_or_default();
        let mut view = GameView::new(snapshot, plies, source, now);
        let side = view.side_of(self.account);
        if let Some(side) = side {
            // Under its present name: a program that runs keeps the name that it read when it started.
            view.rename(side, &self.name);
        }
        let has_ended = view.outcome.is_some();
        match self.games.get_mut(&game) {
            Some(known) => known.set(view, now),
            None => {
                self.games.insert(game, Followed::new(view, side));
                if !has_ended {
                    self.tell_game(game, "gameStart");
                }
            }
        }
        self.go_on(game).await?;
        if has_ended {
            self.games.remove(&game);
        }
        Ok(())
    }

    /// An event of a game.
    fn event(&mut self, message: ServerMessage) -> Result<(), Over> {
        let Some(game) = game_of(&message) else { return Ok(()) };
        if let Some(loading) = self.loading.get_mut(&game) {
            loading.held.push(message);
            return if loading.held.len() > HELD_MAX { Err(Over) } else { Ok(()) };
        }
        let now = self.now();
        let Some(known) = self.games.get_mut(&game) else { return Ok(()) };
        if known.apply(message, now) {
            self.tell_game(game, "gameFinish");
            self.games.remove(&game);
            self.sources.remove(&game);
        }
        Ok(())
    }

    /// A challenge was made, or was open before.
    async fn challenge(&mut self, challenge: Challenge) -> Result<(), Over> {
        if challenge.seek {
            self.seek_made(&challenge);
            return Ok(());
        }
        let (id, command) = (challenge.challenge, challenge.id);
        let object = self.challenge_object(&challenge).await;
        let new =
            command.and_then(|command| self.challenge_made(command, object.as_ref().unwrap_or(&Value::Null)));
        // One to nobody in particular has no place in this API.
        let Some(object) = object else { return Ok(()) };
        let is_new = !self.challenges.contains_key(&id);
        let (made_by, keep_alive) = new.map_or((None, None), |new| {
            if let Some(lines) = &new.keep_alive {
                lines.push(crate::lichess_api::lines::Kind::Kept, &object);
            }
            (new.keep_alive.is_none().then_some(new.wanted), new.keep_alive)
        });
        if is_new {
            self.tell_events(&challenge_line("challenge", &object));
            let known = KnownChallenge { challenge, object, made_by, keep_alive };
            self.challenges.insert(id, known);
        }
        Ok(())
    }

    /// A challenge as its players see it; `None` when one of the two is not known.
    async fn challenge_object(&self, challenge: &Challenge) -> Option<Value> {
        let category = people::category(challenge.variant, &challenge.time_control);
        let to = challenge.to.or(challenge.accepted_by.as_ref().map(|by| by.account))?;
        let person = self.api.sessions.accounts.person(to).await.ok()??;
        let dest = self.api.player(person, category).await.ok()?;
        let here = self.api.sessions.lobby.who_is_here(&[challenge.by.account, to]).await;
        let final_color = challenge.color.unwrap_or_else(|| lot_of(challenge.challenge));
        let (_, title) = words::perf(challenge.variant, &challenge.time_control);
        let has_own_start = challenge.fen.is_some();
        let mut object = json!({
            "id": challenge.challenge, "url": words::url(&self.site, challenge.challenge), "status": "created",
            "challenger": people::of_challenge(&challenge.by, here.contains(&challenge.by.account)),
            "destUser": people::of_challenge(&dest, here.contains(&to)),
            "variant": words::variant(challenge.variant, has_own_start), "rated": challenge.rated,
            "speed": words::Speed::of(&challenge.time_control).key(),
            "timeControl": words::time_control(&challenge.time_control),
            "color": challenge.color.map_or("random", words::color), "finalColor": words::color(final_color),
            "perf": { "icon": "", "name": title },
            "direction": if challenge.by.account == self.account { "out" } else { "in" },
        });
        let fields = object.as_object_mut().expect("it is one");
        if let Some(fen) = &challenge.fen {
            fields.insert("initialFen".to_owned(), fen.as_str().into());
        }
        if let Some(game) = challenge.rematch_of {
            fields.insert("rematchOf".to_owned(), game.as_str().into());
        }
        Some(object)
    }

    /// A challenge is gone: it has become a game, or was declined, withdrawn or too old.
    fn challenge_gone(&mut self, gone: &ChallengeGone) -> Result<(), Over> {
        let ChallengeGone { challenge, game, declined } = *gone;
        self.seek_gone(gone)?;
        let Some(mut known) = self.challenges.remove(&challenge) else { return Ok(()) };
        let is_own = known.challenge.by.account == self.account;
        let (done, status) = match (game, declined) {
            (Some(_), _) => ("accepted", "accepted"),
            (None, Some(_)) => ("declined", "declined"),
            (None, None) => ("canceled", "canceled"),
        };
        if let Some(lines) = known.keep_alive.take() {
            lines.push(crate::lichess_api::lines::Kind::Kept, &json!({ "done": done }));
            lines.end();
        }
        let Some(object) = known.object.as_object_mut() else { return Ok(()) };
        object.insert("status".to_owned(), status.into());
        match (game, declined) {
            (None, Some(reason)) if is_own => {
                let word = self.api.declines.take(challenge);
                let decline = word.unwrap_or_else(|| Decline::of_reason(reason, known.challenge.rated));
                object.insert("declineReason".to_owned(), decline.sentence.into());
                object.insert("declineReasonKey".to_owned(), decline.key.into());
                self.tell_events(&challenge_line("challengeDeclined", &known.object));
            }
            // The game is told of with its start, and whoever declined knows it.
            (Some(_), _) | (None, Some(_)) => {}
            (None, None) => self.tell_events(&challenge_line("challengeCanceled", &known.object)),
        }
        Ok(())
    }

    /// Notes where a game comes from that will be told of.
    pub(super) fn note_source(&mut self, game: GameId, source: Source) {
        if self.sources.len() >= super::CALLS_MAX {
            self.sources.clear();
        }
        self.sources.insert(game, source);
    }
}

/// The game of an event.
fn game_of(message: &ServerMessage) -> Option<GameId> {
    match message {
        ServerMessage::Move(event) => Some(event.game),
        ServerMessage::DrawOffered(event)
        | ServerMessage::DrawDeclined(event)
        | ServerMessage::TakebackDeclined(event)
        | ServerMessage::IlcAsked(event) => Some(event.game),
        ServerMessage::DrawClaimed(event) => Some(event.game),
        ServerMessage::AbsenceClaimed(event) => Some(event.game),
        ServerMessage::TakebackOffered(event) => Some(event.game),
        ServerMessage::TakenBack(event) => Some(event.game),
        ServerMessage::TimeAdjusted(event) => Some(event.game),
        ServerMessage::IlcRemedied(event) => Some(event.game),
        ServerMessage::FlagFell(event) | ServerMessage::Resigned(event) => Some(event.game),
        ServerMessage::Ended(event) => Some(event.game),
        _ => None,
    }
}
