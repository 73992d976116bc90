//! One game in the checker: what was sent, acked and told, and whether a new event fits it.

use std::collections::BTreeMap;
use std::fmt;

use zeitnot_protocol::{GameId, MoveEvent, PlyView, ServerMessage, Uci};

use super::clocks::{Clocks, Turn};
use super::finding::Kind;
use crate::client::ReceivedMessage;

/// A command that went out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    pub(super) uci: Uci,
    /// When, for the first time.
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
    pub(super) told: BTreeMap<u32, Observation>,
    /// What every server shows from now on goes at least to here.
    pub(super) floor: u32,
    pub(super) increment: Option<u32>,
    pub(super) is_over: bool,
    pub(super) is_flagged: bool,
}

impl GameHistory {
    pub(super) fn top(&self) -> u32 {
        let last = |seq: Option<&u32>| seq.copied().unwrap_or(0);
        last(self.told.keys().next_back()).max(last(self.acked.keys().next_back()))
    }

    /// What was seen of an event, if anything.
    pub(super) fn seen(&self, seq: u32) -> Option<String> {
        let acked = self.acked.get(&seq).map(|uci| format!("{uci} acked"));
        let told = self.told.get(&seq).map(ToString::to_string);
        match (acked, told) {
            (Some(acked), Some(told)) => Some(format!("{acked}, {told}")),
            (seen, None) | (None, seen) => seen,
        }
    }

    /// The most service time that the turn behind event `seq` can have taken by now.
    pub(super) fn since(&self, seq: u32, at: u64) -> Option<u64> {
        let sent = self.sent.get(&seq.checked_sub(1)?)?;
        Some(at.saturating_sub(sent.at))
    }

    /// Whether the clocks after event `seq` can have come from those before it.
    pub(super) fn check_clocks(
        &self,
        seq: u32,
        told: &Observation,
        at: u64,
        slack_ms: u64,
    ) -> Result<(), String> {
        let before = seq.checked_sub(1).and_then(|before| self.told.get(&before));
        let clocks = before.and_then(|before| before.clocks).zip(told.clocks);
        let (Some((before, after)), Some(increment)) = (clocks, self.increment) else { return Ok(()) };
        // The first move of each side costs and earns nothing; what is no move earns nothing.
        let earned = if told.is_move() && seq > 3 { increment } else { 0 };
        let turn = Turn { side: seq as usize % 2, at_most: self.since(seq - 1, at), slack_ms };
        if told.is_end { Ok(()) } else { turn.check(before, after, earned) }
    }

    /// Whether this is something else than what was sent at this place; and then, what.
    pub(super) fn foreign(&self, seq: u32, told: &Observation) -> Option<(Kind, String)> {
        let ply = told.ply.as_ref()?;
        let before = seq.checked_sub(1).and_then(|before| self.told.get(&before));
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

/// One event as somebody heard of it.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    /// The frame, unless it is known from a snapshot only.
    text: Option<Box<str>>,
    /// For a move: as a snapshot shows it.
    ply: Option<PlyView>,
    pub(super) clocks: Option<Clocks>,
    is_end: bool,
}

impl Observation {
    pub(super) fn event(heard: &ReceivedMessage, event: &PublicEvent<'_>) -> Self {
        Self {
            text: Some(heard.text.as_str().into()),
            ply: event.played.map(PlyView::from),
            clocks: event.clocks,
            is_end: matches!(heard.message, ServerMessage::Ended(_)),
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

    /// Takes in what the other knows more of the same event.
    ///
    /// # Errors
    /// When they differ: what was seen, and what is there.
    pub(super) fn agree(&mut self, other: Self) -> Result<(), (String, String)> {
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

/// A public event: where it stands and what it says.
#[derive(Clone, Copy, Debug)]
pub(super) struct PublicEvent<'m> {
    pub(super) game: GameId,
    pub(super) seq: u32,
    pub(super) played: Option<&'m MoveEvent>,
    pub(super) clocks: Option<Clocks>,
}

/// The event in a message, if it is one that a crash test can lead to.
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
