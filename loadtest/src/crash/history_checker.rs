//! The checker of a crash test: whether everything that any client was told still holds.
//!
//! It keeps a history per game: the moves that were sent, those that were acknowledged, and every
//! event that any connection received, byte for byte. Everything that is received later, on any
//! connection and after any fault, must agree: the same event with the same number, once.
//! [`HistoryChecker::crashed`] marks a fault: everything known by then must be in the games that a
//! server shows afterwards.
//!
//! The games of a crash test consist of a start, moves, and perhaps a resignation, so event `seq`
//! is half-move `seq - 1`. Time is the service time that a stopwatch measured, in µs; no clock is
//! read here.

use std::collections::{BTreeMap, HashSet};

use zeitnot_protocol::{GameId, ServerMessage, Snapshot, TimeControl, Uci, WireReason};

use super::clocks::{ROUNDING_MS, Turn};
use super::finding::{Finding, Kind};
use super::game_history::{self, GameHistory, Observation};
use crate::client::ReceivedMessage;

/// How far one connection has received one game: each event must arrive once, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor(Option<u32>);

impl Cursor {
    /// A cursor after event `seq`.
    #[must_use]
    pub fn after(seq: u32) -> Self {
        Self(Some(seq))
    }

    /// The last event that was received.
    #[must_use]
    pub fn last(&self) -> Option<u32> {
        self.0
    }
}

/// The histories of all games, and what is wrong with them.
#[derive(Debug, Default)]
pub struct HistoryChecker {
    games: BTreeMap<GameId, GameHistory>,
    findings: Vec<Finding>,
    reported: HashSet<(Kind, GameId, u32)>,
    /// Moves that were acknowledged or told to any client.
    moves: u64,
    /// What a pause may cost a player, in ms.
    pause_ms: u64,
    /// In a cluster: for how long a turn may be charged after its move was sent, in µs.
    after_sent: Option<u64>,
    excused: u64,
}

impl HistoryChecker {
    /// A checker without games. `pause_ms` is what a pause of the process may cost a player.
    #[must_use]
    pub fn new(pause_ms: u64) -> Self {
        Self { pause_ms, ..Self::default() }
    }

    /// A checker of a cluster. It lets no turn be charged for more than `micros` after its player has
    /// sent the move, whatever holds the move up. Nothing is lost because a snapshot lacks it: the
    /// snapshot may be older than the events that follow it, and its node behind for a moment. Whoever
    /// reads the games of each node has to tell ([`HistoryChecker::reaches`]).
    #[must_use]
    pub fn of_cluster(mut self, micros: u64) -> Self {
        self.after_sent = Some(micros);
        self
    }

    /// What is wrong, in the order in which it was found.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// How many moves were acknowledged or told to any client.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// How many flags fell while this program itself was late.
    #[must_use]
    pub fn excused(&self) -> u64 {
        self.excused
    }

    /// The games, and whether each has ended.
    pub fn games(&self) -> impl Iterator<Item = (GameId, bool)> {
        self.games.iter().map(|(game, history)| (*game, history.is_over))
    }

    /// Whether the game has ended.
    #[must_use]
    pub fn is_over(&self, game: GameId) -> bool {
        self.games.get(&game).is_some_and(|history| history.is_over)
    }

    /// Whether a flag fell in this game.
    #[must_use]
    pub fn fell(&self, game: GameId) -> bool {
        self.games.get(&game).is_some_and(|history| history.is_flagged)
    }

    /// The time that the player to move has left, in ms, if known.
    #[must_use]
    pub fn left(&self, game: GameId, at: u64) -> Option<u64> {
        let history = self.games.get(&game).filter(|history| !history.is_over)?;
        let seq = history.top();
        let clocks = history.observed.get(&seq)?.clocks?;
        let left = u64::from(clocks[(seq as usize + 1) % 2]);
        Some(left.saturating_sub(history.since(seq, at, None)? / 1_000))
    }

    /// Whether this event was unknown before the last fault.
    #[must_use]
    pub fn is_newer_than_crash(&self, game: GameId, seq: u32) -> bool {
        self.games.get(&game).is_none_or(|history| seq > history.floor)
    }

    /// The last event that any client knows.
    #[must_use]
    pub fn top(&self, game: GameId) -> u32 {
        self.games.get(&game).map_or(0, GameHistory::top)
    }

    fn history(&mut self, game: GameId) -> &mut GameHistory {
        self.games.entry(game).or_default()
    }

    /// A move is sent, for the first time or again.
    pub fn sent(&mut self, game: GameId, on: u32, uci: Uci, at: u64) {
        self.history(game).sent.entry(on).or_insert(game_history::Sent { uci, at });
    }

    /// A move was answered with `ok`.
    pub fn acked(&mut self, game: GameId, on: u32, seq: Option<u32>) {
        let history = self.history(game);
        let due = on + 1;
        let Some(sent) = history.sent.get(&on).copied() else { return };
        let is_new = history.acked.insert(due, sent.uci).is_none() && !history.observed.contains_key(&due);
        let told = history.observed.get(&due).and_then(|told| told.uci());
        self.moves += u64::from(is_new);
        if seq != Some(due) {
            let seen = format!("{} sent on {on}", sent.uci);
            self.find(Kind::Doubled, game, due, seen, format!("acked as seq {seq:?}"));
        }
        if told.is_some_and(|uci| uci != sent.uci) {
            self.find(Kind::Lost, game, due, format!("{} acked", sent.uci), "another move".to_owned());
        }
    }

    /// A move was rejected, although it was legal and in turn, or had been played already.
    pub fn rejected(&mut self, game: GameId, on: u32, why: &str) {
        let uci =
            self.history(game).sent.get(&on).map_or_else(|| "a move".to_owned(), |sent| sent.uci.to_string());
        self.find(Kind::Lost, game, on + 1, format!("{uci} sent on {on}"), format!("rejected: {why}"));
    }

    /// An event was received on a connection that is at `cursor`. `excuse` says that this program
    /// was so late that a flag may have fallen rightly.
    pub fn received(&mut self, cursor: &mut Cursor, received: &ReceivedMessage, at: u64, excuse: bool) {
        let Some(event) = game_history::event(&received.message) else { return };
        let (game, seq) = (event.game, event.seq);
        if let Some(last) = cursor.0 {
            if seq <= last {
                let seen = format!("up to seq {last} on this connection");
                self.find(Kind::Doubled, game, seq, seen, format!("told again: {}", received.text));
            } else if seq > last + 1 {
                let there = format!("seq {seq} came next");
                self.find(Kind::Lost, game, last + 1, format!("up to seq {last} on this connection"), there);
            }
        }
        cursor.0 = Some(cursor.0.map_or(seq, |last| last.max(seq)));
        self.observe(game, seq, Observation::event(received, &event), at);
        match &received.message {
            ServerMessage::Started(started) => {
                self.history(game).increment = increment(&started.time_control);
            }
            ServerMessage::FlagFell(_) => self.flagged(game, seq, "flag_fell", excuse),
            ServerMessage::Ended(ended) => self.ended(game, seq, ended.outcome.reason, excuse),
            _ => {}
        }
    }

    /// A snapshot was received: the connection continues after it.
    pub fn snapshot(&mut self, cursor: &mut Cursor, snapshot: &Snapshot, at: u64, excuse: bool) {
        let (game, seq) = (snapshot.game, snapshot.seq);
        *cursor = Cursor::after(seq);
        if self.after_sent.is_none() {
            self.reaches(game, seq);
        }
        self.history(game).increment = increment(&snapshot.time_control);
        for ply in &snapshot.plies {
            self.observe(game, ply.ply + 1, Observation::ply(ply), at);
        }
        match &snapshot.state.outcome {
            Some(outcome) => self.ended(game, seq, outcome.reason, excuse),
            None => self.shown(game, seq, snapshot.white_ms, snapshot.black_ms, at),
        }
    }

    /// Clocks were shown in the position after event `seq`. A clock that is shown runs until the server
    /// has the move; what is charged for a move on its way is known with the event.
    pub fn shown(&mut self, game: GameId, seq: u32, white: Option<u32>, black: Option<u32>, at: u64) {
        let slack_ms = ROUNDING_MS + self.pause_ms;
        let history = self.history(game);
        let before = history.observed.get(&seq).and_then(|told| told.clocks);
        let (Some(before), Some(shown)) = (before, game_history::both(white, black)) else { return };
        if history.is_over {
            return;
        }
        let side = (seq as usize + 1) % 2;
        let turn = Turn { side, at_most: history.since(seq, at, None), slack_ms };
        if let Err(there) = turn.check(before, shown, 0) {
            self.find(Kind::Flagged, game, seq, format!("clocks {before:?} after this event"), there);
        }
    }

    /// Whether a server that shows the game up to event `last` lacks what was known before the last fault.
    #[must_use]
    pub fn is_behind(&self, game: GameId, last: u32) -> bool {
        self.games.get(&game).is_some_and(|history| last < history.floor)
    }

    /// A server showed the whole game; `last` is its last event.
    pub fn reaches(&mut self, game: GameId, last: u32) {
        let history = self.history(game);
        let gone: Vec<(u32, String)> =
            (last + 1..=history.floor).filter_map(|seq| Some((seq, history.seen(seq)?))).collect();
        for (seq, seen) in gone {
            self.find(Kind::Lost, game, seq, seen, format!("the game ends with seq {last}"));
        }
    }

    /// The archive has this game with these moves.
    pub fn archived(&mut self, game: GameId, moves: &[Uci]) {
        let known = self.history(game).moves();
        let differs = (0..known.len().max(moves.len())).find(|place| known.get(*place) != moves.get(*place));
        let Some(place) = differs else { return };
        let words = |uci: Option<&Uci>| uci.map_or_else(|| "no move".to_owned(), ToString::to_string);
        let (seen, there) = (words(known.get(place)), words(moves.get(place)));
        let kind = if place < known.len() { Kind::Lost } else { Kind::Doubled };
        let seq = u32::try_from(place + 2).unwrap_or(u32::MAX);
        self.find(kind, game, seq, format!("{seen} was played"), format!("the archive has {there}"));
    }

    /// The server does not know the game.
    pub fn missing(&mut self, game: GameId) {
        self.reaches(game, 0);
    }

    /// The server has ended and all clients have read what it sent: all of that must exist
    /// afterwards.
    pub fn crashed(&mut self) {
        for history in self.games.values_mut() {
            history.floor = history.top();
        }
    }

    /// Adds an event or a half-move that any client learned of.
    fn observe(&mut self, game: GameId, seq: u32, observation: Observation, at: u64) {
        let slack = (ROUNDING_MS + self.pause_ms, self.after_sent);
        let history = self.history(game);
        if let Some(known) = history.observed.get_mut(&seq) {
            if let Err((seen, there)) = known.merge(observation) {
                self.find(Kind::Lost, game, seq, seen, there);
            }
            return;
        }
        let (uci, is_move) = (observation.uci(), observation.is_move());
        let is_new_move = is_move && !history.acked.contains_key(&seq);
        let acked_another = history.acked.get(&seq).copied().filter(|acked| uci != Some(*acked));
        let there = observation.to_string();
        let wrong_clock = history.check_clocks(seq, &observation, at, slack).err();
        let mismatch = history.mismatch(seq, &observation);
        history.observed.insert(seq, observation);
        self.moves += u64::from(is_new_move);
        if let Some(acked) = acked_another {
            self.find(Kind::Lost, game, seq, format!("{acked} acked"), there.clone());
        }
        if let Some((kind, seen)) = mismatch {
            self.find(kind, game, seq, seen, there);
        }
        if let Some(wrong) = wrong_clock {
            self.find(Kind::Flagged, game, seq, "the clocks before this event".to_owned(), wrong);
        }
    }

    fn ended(&mut self, game: GameId, seq: u32, reason: WireReason, excuse: bool) {
        self.history(game).is_over = true;
        if reason != WireReason::Resignation {
            self.flagged(game, seq, &format!("{reason:?}"), excuse);
        }
    }

    fn flagged(&mut self, game: GameId, seq: u32, there: &str, excuse: bool) {
        let history = self.history(game);
        if history.is_flagged {
            return;
        }
        history.is_flagged = true;
        if excuse {
            self.excused += 1;
        } else {
            self.find(Kind::Flagged, game, seq, "a player with time left".to_owned(), there.to_owned());
        }
    }

    fn find(&mut self, kind: Kind, game: GameId, seq: u32, seen: String, there: String) {
        if self.reported.insert((kind, game, seq)) {
            self.findings.push(Finding { kind, game, seq, seen, there });
        }
    }
}

fn increment(time_control: &TimeControl) -> Option<u32> {
    match time_control {
        TimeControl::Clock { periods, .. } => periods.first().map(|period| period.increment_ms.unwrap_or(0)),
        TimeControl::Days { .. } | TimeControl::Unlimited => None,
    }
}
