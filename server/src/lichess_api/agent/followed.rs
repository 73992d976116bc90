//! The games and challenges of an agent, and the streams that tell of them.
//!
//! Deliberately absent: what the server says of them (`messages`).

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Value, json};
use zeitnot_protocol::{Challenge, CreateChallenge, Presence, Said, ServerMessage, WireColor};

use super::{Agent, Over};
use crate::lichess_api::game_view::{Change, GameView, other};
use crate::lichess_api::lines::{Kind, Lines};
use crate::time::{ServiceInstant, unix_now_ms};

/// Lines of the players' chat that are kept for a call that asks for them.
const CHAT_KEPT: usize = 50;

/// Older lines of a chat, in milliseconds, were said before: a program would answer old commands again.
const CHAT_IS_NEW_MS: u64 = 3_000;

/// A stream of a running game that was gone for this long is asked for again.
const CALL_BACK_AFTER: Duration = Duration::from_secs(2);

/// A challenge that the agent knows.
#[derive(Debug)]
pub(super) struct KnownChallenge {
    pub(super) challenge: Challenge,
    /// As its players see it.
    pub(super) object: Value,
    /// What was asked for, if a call of this agent made it and waits for nothing more.
    pub(super) made_by: Option<CreateChallenge>,
    /// The stream of the call that made it, which ends with it.
    pub(super) keep_alive: Option<Lines>,
}

/// The opponent's absence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Absence {
    /// From when on the game can be claimed; `None`: there is nothing to claim.
    claim_at: Option<ServiceInstant>,
    /// Whether that was told.
    is_claimable: bool,
}

/// A game that the agent knows.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) view: GameView,
    /// The side of its account; `None`: it only watches.
    pub(super) side: Option<WireColor>,
    pub(super) lines: Option<Lines>,
    /// Since when a player's stream is gone.
    stream_gone: Option<ServiceInstant>,
    absence: Option<Absence>,
    chat: VecDeque<(String, String)>,
}

impl Followed {
    pub(super) fn new(view: GameView, side: Option<WireColor>) -> Self {
        Self { view, side, lines: None, stream_gone: None, absence: None, chat: VecDeque::new() }
    }

    /// The game was told anew, whole.
    pub(super) fn set(&mut self, view: GameView, now: ServiceInstant) {
        self.view = view;
        self.tell_state(now);
    }

    fn tell_state(&self, now: ServiceInstant) {
        if let Some(lines) = &self.lines {
            lines.push(Kind::State, &self.view.state(now));
        }
    }

    /// Takes in an event. `true`: the game has ended.
    pub(super) fn apply(&mut self, message: ServerMessage, now: ServiceInstant) -> bool {
        let change = self.view.apply(message, now);
        match change {
            Change::Nothing => {}
            Change::State => self.tell_state(now),
            Change::Ended => {
                if let Some(lines) = self.lines.take() {
                    lines.push(Kind::Kept, &self.view.state(now));
                    lines.end();
                }
            }
        }
        change == Change::Ended
    }

    /// Opens its stream. An older one of the same token ends: a program that lost its place has come back.
    pub(super) fn open(&mut self, lines: Lines, now: ServiceInstant) {
        lines.push(Kind::Kept, &self.view.full(now));
        if let Some(older) = self.lines.take() {
            older.end();
        }
        self.stream_gone = None;
        if self.view.outcome.is_some() {
            return lines.end();
        }
        if let Some(absence) = self.absence {
            lines.push(Kind::Presence, &gone(absence, now));
        }
        self.lines = Some(lines);
    }

    /// The opponent came or went.
    pub(super) fn presence(&mut self, presence: &Presence, now: ServiceInstant) {
        if self.side.is_none_or(|side| other(side) != presence.color) {
            return;
        }
        let claim_in = presence.claim_in_ms.map(|ms| Duration::from_millis(ms.into()));
        let claim_at = claim_in.map(|claim_in| now + claim_in);
        let absence = Absence { claim_at, is_claimable: claim_in.is_some_and(|claim_in| claim_in.is_zero()) };
        let was_away = self.absence.is_some();
        self.absence = (!presence.here).then_some(absence);
        let Some(lines) = &self.lines else { return };
        match self.absence {
            Some(absence) => lines.push(Kind::Presence, &gone(absence, now)),
            None if was_away => lines.push(Kind::Presence, &json!({ "type": "opponentGone", "gone": false })),
            None => {}
        }
    }

    /// Says again that the opponent is gone, once that can be claimed.
    fn claim_may_be_made(&mut self, now: ServiceInstant) {
        let Some(absence) = &mut self.absence else { return };
        if !absence.is_claimable && absence.claim_at.is_some_and(|claim_at| claim_at <= now) {
            absence.is_claimable = true;
            if let Some(lines) = &self.lines {
                lines.push(Kind::Presence, &gone(*absence, now));
            }
        }
    }

    /// Whether the program that plays it has lost its stream a moment ago, and would not come back by itself.
    fn wants_call_back(&mut self, now: ServiceInstant) -> bool {
        if self.lines.as_ref().is_some_and(Lines::is_abandoned) {
            self.lines = None;
            self.stream_gone = Some(now);
        }
        let is_clocked = crate::lichess_api::words::clock_ms(&self.view.time_control).is_some();
        let is_due = self.stream_gone.is_some_and(|since| now >= since + CALL_BACK_AFTER);
        if is_due {
            self.stream_gone = None;
        }
        is_due && is_clocked && self.side.is_some() && !self.view.is_over()
    }

    /// A line of its chat.
    pub(super) fn said(&mut self, said: &Said) {
        let is_players = said.room == zeitnot_protocol::ChatRoom::Players;
        if is_players {
            if self.chat.len() == CHAT_KEPT {
                self.chat.pop_front();
            }
            self.chat.push_back((said.by.name.clone(), said.text.clone()));
        }
        let is_new = u64::from(said.at) * 1_000 + CHAT_IS_NEW_MS >= unix_now_ms();
        let Some(lines) = self.lines.as_ref().filter(|_| is_new && !said.text.is_empty()) else { return };
        let room = if is_players { "player" } else { "spectator" };
        let line = json!({ "type": "chatLine", "room": room, "username": said.by.name, "text": said.text });
        lines.push(Kind::Chat, &line);
    }

    /// Whether the opponent's absence can be claimed now.
    pub(super) fn is_claimable(&self) -> bool {
        self.absence.is_some_and(|absence| absence.is_claimable)
    }

    /// The lines of the players' chat.
    pub(super) fn chat(&self) -> Value {
        self.chat.iter().map(|(user, text)| json!({ "user": user, "text": text })).collect()
    }
}

fn gone(absence: Absence, now: ServiceInstant) -> Value {
    let mut line = json!({ "type": "opponentGone", "gone": true });
    if let (Some(claim_at), Some(object)) = (absence.claim_at, line.as_object_mut()) {
        let left = if absence.is_claimable { 0 } else { claim_at.since(now).as_millis().div_ceil(1_000) };
        object.insert("claimWinInSeconds".to_owned(), u64::try_from(left).unwrap_or(u64::MAX).into());
    }
    line
}

impl Agent {
    /// Tells of claims that may be made by now, and calls programs back to games whose stream they have lost.
    pub(super) fn watch_presence(&mut self) {
        let now = self.now();
        let mut called_back = Vec::new();
        for (id, game) in &mut self.games {
            game.claim_may_be_made(now);
            if game.wants_call_back(now) {
                called_back.push(*id);
            }
        }
        for game in called_back {
            self.tell_game(game, "gameStart");
        }
        // A game that was only looked at, and is read no more.
        self.games.retain(|_, game| game.side.is_some() || game.lines.is_some());
    }

    /// Withdraws what was to last as long as somebody reads its stream.
    pub(super) fn withdraw_abandoned(&mut self) -> Result<(), Over> {
        let is_abandoned =
            |known: &&mut KnownChallenge| known.keep_alive.as_ref().is_some_and(Lines::is_abandoned);
        let abandoned = self.challenges.values_mut().filter(is_abandoned);
        let ids = abandoned.map(|known| {
            known.keep_alive = None;
            known.challenge.challenge
        });
        for challenge in ids.collect::<Vec<_>>() {
            self.cancel_silently(challenge)?;
        }
        self.watch_seeks()
    }

    /// Tells every event stream of a game of the account.
    pub(super) fn tell_game(&self, game: zeitnot_protocol::GameId, what: &str) {
        let Some(Followed { view, side: Some(side), .. }) = self.games.get(&game) else { return };
        let line = json!({ "type": what, "game": view.info(*side, self.now()) });
        self.tell_events(&line);
    }

    pub(super) fn tell_events(&self, line: &Value) {
        for lines in &self.event_streams {
            lines.push(Kind::Kept, line);
        }
    }
}
