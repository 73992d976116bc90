//! The history of one game: which moves were sent and acknowledged, which events were received, and
//! whether a new event fits.

use std::collections::BTreeMap;
use std::fmt;

use zeitnot_protocol::{GameId, MoveEvent, PlyView, ServerMessage, Uci};

use super::clocks::{Clocks, Turn};
use super::finding::Kind;
use crate::client::ReceivedMessage;

/// A move that was sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    pub(super) uci: Uci,
    /// When it was first sent.
    pub(super) at: u64,
}

/// What is known of one game.
#[derive(Debug, Default)]
pub(super) struct GameHistory {
    /// By `on`.
    pub(super) sent: BTreeMap<u32, Sent>,
    /// By `seq`.
    pub(super) acked: BTreeMap<u32, Uci>,
    /// By `seq`.
    pub(super) observed: BTreeMap<u32, Observation>,
    /// The last event that every later server must have.
    pub(super) floor: u32,
    pub(super) increment: Option<u32>,
    pub(super) is_over: bool,
    pub(super) is_flagged: bool,
}

impl GameHistory {
    pub(super) fn top(&self) -> u32 {
        let last = |seq: Option<&u32>| seq.copied().unwrap_or(0);
        last(self.observed.keys().next_back()).max(last(self.acked.keys().next_back()))
    }

    /// The moves that were told.
    pub(super) fn moves(&self) -> Vec<Uci> {
        self.observed.values().filter_map(Observation::uci).collect()
    }

    /// What is known of an event, if anything.
    pub(super) fn seen(&self, seq: u32) -> Option<String> {
        let acked = self.acked.get(&seq).map(|uci| format!("{uci} acked"));
        let told = self.observed.get(&seq).map(ToString::to_string);
        match (acked, told) {
            (Some(acked), Some(told)) => Some(format!("{acked}, {told}")),
            (seen, None) | (None, seen) => seen,
        }
    }

    /// The most service time that the turn after event `seq` can have taken by now: if its move was
    /// sent, until then and `after_sent` beyond.
    pub(super) fn since(&self, seq: u32, at: u64, after_sent: Option<u64>) -> Option<u64> {
        let sent = self.sent.get(&seq.checked_sub(1)?)?;
        let moved = after_sent.and_then(|most| Some(self.sent.get(&seq)?.at.saturating_add(most)));
        Some(at.min(moved.unwrap_or(u64::MAX)).saturating_sub(sent.at))
    }

    /// Whether the clocks after event `seq` can follow from those before it.
    pub(super) fn check_clocks(
        &self,
        seq: u32,
        observation: &Observation,
        at: u64,
        (slack_ms, after_sent): (u64, Option<u64>),
    ) -> Result<(), String> {
        let before = seq.checked_sub(1).and_then(|before| self.observed.get(&before));
        let clocks = before.and_then(|before| before.clocks).zip(observation.clocks);
        let (Some((before, after)), Some(increment)) = (clocks, self.increment) else { return Ok(()) };
        // The first move of each side costs no time and gains no increment; only moves gain one.
        let earned = if observation.is_move() && seq > 3 { increment } else { 0 };
        let turn = Turn { side: seq as usize % 2, at_most: self.since(seq - 1, at, after_sent), slack_ms };
        if observation.is_end { Ok(()) } else { turn.check(before, after, earned) }
    }

    /// Checks that an event is the move that was sent for its number; otherwise, what it should
    /// have been.
    pub(super) fn mismatch(&self, seq: u32, observation: &Observation) -> Option<(Kind, String)> {
        let ply = observation.ply.as_ref()?;
        let before = seq.checked_sub(1).and_then(|before| self.observed.get(&before));
        let repeats = before.and_then(Observation::uci) == Some(ply.uci);
        let kind = if repeats { Kind::Doubled } else { Kind::Lost };
        if ply.ply + 1 != seq {
            let kind = if ply.ply + 1 < seq { Kind::Doubled } else { Kind::Lost };
            return Some((kind, format!("event {seq} is half-move {}", seq - 1)));
        }
        match self.sent.get(&(seq - 1)) {
            Some(sent) if sent.uci == ply.uci => None,
            Some(sent) => Some((kind, format!("{} sent on {}", sent.uci, seq - 1))),
            None => Some((kind, format!("nothing was sent on {}", seq - 1))),
        }
    }
}

/// One event as a client received it.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    /// The frame, unless the event is known only from a snapshot.
    text: Option<Box<str>>,
    /// A move as a snapshot shows it.
    ply: Option<PlyView>,
    pub(super) clocks: Option<Clocks>,
    is_end: bool,
}

impl Observation {
    pub(super) fn event(received: &ReceivedMessage, event: &PublicEvent<'_>) -> Self {
        Self {
            text: Some(received.text.as_str().into()),
            ply: event.played.map(PlyView::from),
            clocks: event.clocks,
            is_end: matches!(received.message, ServerMessage::Ended(_)),
        }
    }

    pub(super) fn ply(ply: &PlyView) -> Self {
        Self { text: None, ply: Some(*ply), clocks: both(ply.white_ms, ply.black_ms), is_end: false }
    }

    pub(super) fn is_move(&self) -> bool {
        self.ply.is_some()
    }

    pub(super) fn uci(&self) -> Option<Uci> {
        self.ply.as_ref().map(|ply| ply.uci)
    }

    /// Adds what another observation of the same event knows.
    ///
    /// # Errors
    /// When they differ: both, in words.
    pub(super) fn merge(&mut self, other: Self) -> Result<(), (String, String)> {
        let texts_differ = other.text.is_some() && self.text.is_some() && self.text != other.text;
        if texts_differ || self.ply != other.ply {
            return Err((self.to_string(), other.to_string()));
        }
        if self.text.is_none() {
            self.text = other.text;
        }
        Ok(())
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.text, &self.ply) {
            (Some(text), _) => write!(f, "told {text}"),
            (None, Some(ply)) => write!(f, "in a snapshot {ply:?}"),
            (None, None) => f.write_str("told"),
        }
    }
}

/// A public event of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct PublicEvent<'m> {
    pub(super) game: GameId,
    pub(super) seq: u32,
    pub(super) played: Option<&'m MoveEvent>,
    pub(super) clocks: Option<Clocks>,
}

/// The event in a message, if it is of a kind that occurs in a crash test.
pub(super) fn event(message: &ServerMessage) -> Option<PublicEvent<'_>> {
    let event =
        |game, seq, white, black| Some(PublicEvent { game, seq, played: None, clocks: both(white, black) });
    match message {
        ServerMessage::Started(started) => {
            event(started.game, started.seq, started.white_ms, started.black_ms)
        }
        ServerMessage::Move(played) => event(played.game, played.seq, played.white_ms, played.black_ms)
            .map(|event| PublicEvent { played: Some(played), ..event }),
        ServerMessage::FlagFell(stop) | ServerMessage::Resigned(stop) => {
            event(stop.game, stop.seq, stop.white_ms, stop.black_ms)
        }
        ServerMessage::Ended(ended) => event(ended.game, ended.seq, ended.white_ms, ended.black_ms),
        _ => None,
    }
}

pub(super) fn both(white: Option<u32>, black: Option<u32>) -> Option<Clocks> {
    Some([white?, black?])
}
