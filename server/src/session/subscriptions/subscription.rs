//! One followed game: how far it is written, and every step that writes more of it.
//!
//! Deliberately absent: which games are followed.
//!
//! Invariant: a snapshot or tail that is asked for is a stage, not a queue, so repeated requests
//! add to the output only while there is room.

use zeitnot_protocol::{CloseCode, Code, CommandId, GameId, OkAnswer, Rejected, ServerMessage, Watchers};

use super::super::output::Output;
use super::GamesContext;
use super::journal_reads::JournalReads;
use crate::connections::{NoticeKind, SendError, TailChunk};
use crate::games::{ClockDue, Feed, Pull, Seat, Spectator};

/// The most notices of one game that are held back: more than a game says in the time a snapshot takes.
const HELD_MAX: usize = 64;

/// A game and how far it is written.
#[derive(Debug)]
pub(super) struct Subscription {
    pub(super) game: GameId,
    pub(super) place: Place,
    stage: Stage,
    /// Which publication of the number of watchers was written last.
    watchers: u32,
    /// Whether what the end has done to ratings was written.
    has_rated: bool,
    /// A `clock` is due after the next frames.
    wants_clock: bool,
    /// Which start of a clock without an event was written last.
    clock_starts: u32,
    /// The `watch` that the next `clock` answers.
    watch_id: Option<Box<CommandId>>,
    /// What waits for the cursor.
    held: Vec<NoticeKind>,
}

/// How the session takes part.
#[derive(Debug)]
pub(super) enum Place {
    Seat(Seat),
    Spectator(Spectator),
    /// The game is not live, or no longer: what is wanted of it comes from the journal.
    Archived,
}

/// How far the game is written.
#[derive(Debug)]
enum Stage {
    /// A snapshot comes next.
    Snapshot,
    /// Everything up to this event.
    At(u32),
    /// Everything up to `after`; exactly what follows comes next, and the journal is asked for it if the feed does not
    /// reach so far back.
    Tail { after: u32, is_asked: bool },
}

impl Place {
    /// The game's public events, if it is live.
    pub(super) fn feed(&self) -> Option<&Feed> {
        match self {
            Self::Seat(seat) => Some(seat.game().feed()),
            Self::Spectator(spectator) => Some(spectator.game().feed()),
            Self::Archived => None,
        }
    }
}

/// Whether a step was the last one of a subscription.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    /// The subscription goes on.
    Continue,
    /// Nothing more is written of the game.
    Unsubscribe,
}

impl Subscription {
    /// A game that nothing is written of yet. `watchers` is the publication of their number that was written.
    pub(super) fn new(game: GameId, place: Place, watchers: u32) -> Self {
        Self {
            game,
            place,
            stage: Stage::Snapshot,
            watchers,
            has_rated: false,
            wants_clock: false,
            clock_starts: 0,
            watch_id: None,
            held: Vec::new(),
        }
    }

    /// The next `clock` answers the `watch` with this `id`. Returns the one that it replaces: that one
    /// gets no other answer.
    pub(super) fn answer_with_clock(&mut self, id: Option<Box<CommandId>>) -> Option<Box<CommandId>> {
        let replaced = std::mem::replace(&mut self.watch_id, id)?;
        (self.watch_id.as_ref() != Some(&replaced)).then_some(replaced)
    }

    /// Takes the `watch` that still waits for its answer.
    pub(super) fn take_watch_id(&mut self) -> Option<Box<CommandId>> {
        self.watch_id.take()
    }

    /// The game as it stands comes next, then what follows it.
    ///
    /// # Errors
    /// As for [`Subscription::advance`].
    pub(super) fn want_snapshot(&mut self) -> Result<(), CloseCode> {
        match (&self.place, &self.stage) {
            // One is on its way.
            (Place::Seat(_), Stage::Snapshot) => Ok(()),
            (Place::Seat(seat), _) => {
                let asked = seat.resync();
                self.stage = Stage::Snapshot;
                match asked {
                    Ok(()) => Ok(()),
                    Err(SendError::Full) => Err(CloseCode::Overloaded),
                    Err(SendError::Closed) => {
                        self.place = Place::Archived;
                        Ok(())
                    }
                }
            }
            (Place::Spectator(_) | Place::Archived, _) => {
                self.stage = Stage::Snapshot;
                Ok(())
            }
        }
    }

    /// Exactly the events after `after` come next, then what follows them.
    ///
    /// # Errors
    /// As for [`Subscription::advance`].
    pub(super) fn want_tail(&mut self, after: u32) -> Result<(), CloseCode> {
        if self.place.feed().is_some_and(|feed| after > feed.head()) {
            return self.want_snapshot();
        }
        self.stage = Stage::Tail { after, is_asked: false };
        Ok(())
    }

    /// Writes what is there, and asks for what is not. To be called when there is room.
    ///
    /// # Errors
    /// When the socket must be closed.
    pub(super) fn advance(
        &mut self,
        at: &mut GamesContext<'_>,
        journal_reads: &mut JournalReads,
    ) -> Result<Flow, CloseCode> {
        // Read before the pull: what was published before the end is pulled, then the game is left.
        let is_closed = self.place.feed().is_some_and(Feed::is_closed);
        // Before the pull, too, so that the end is written before it.
        let rated = self.place.feed().and_then(|feed| feed.rated()).filter(|_| !self.has_rated).cloned();
        match &self.stage {
            Stage::Snapshot => self.take_snapshot(at)?,
            Stage::At(_) => self.pull(at)?,
            Stage::Tail { .. } => self.catch_up(at, journal_reads)?,
        }
        let Place::Spectator(spectator) = &self.place else { return Ok(Flow::Continue) };
        let feed = spectator.game().feed();
        let watchers = feed.watchers();
        if watchers.version != self.watchers && matches!(self.stage, Stage::At(_)) {
            self.watchers = watchers.version;
            at.output.message(&ServerMessage::Watchers(Watchers { game: self.game, count: watchers.count }));
        }
        if let Some(rated) = rated.filter(|_| matches!(self.stage, Stage::At(_))) {
            self.has_rated = true;
            at.output.framed(rated.framed());
        }
        match self.stage {
            _ if !is_closed => Ok(Flow::Continue),
            _ if feed.comes_back() => Err(CloseCode::GameReset),
            Stage::At(_) => Ok(Flow::Unsubscribe),
            // The journal has what the feed no longer gives.
            Stage::Snapshot => {
                self.place = Place::Archived;
                Ok(Flow::Continue)
            }
            Stage::Tail { .. } => Ok(Flow::Continue),
        }
    }

    /// Whether a snapshot is wanted that only the journal has.
    pub(super) fn wants_archived_snapshot(&self) -> bool {
        matches!((&self.place, &self.stage), (Place::Archived, Stage::Snapshot))
    }

    /// The answers to commands that wait for the cursor. Other held notices belong to a game that
    /// goes on.
    pub(super) fn take_answers(&mut self) -> Vec<NoticeKind> {
        let mut held = std::mem::take(&mut self.held);
        held.retain(|news| matches!(news, NoticeKind::Done { .. } | NoticeKind::Rejected { .. }));
        held
    }

    /// Ends an exact tail in the feed if that reaches so far back, and asks the journal otherwise.
    fn catch_up(
        &mut self,
        at: &mut GamesContext<'_>,
        journal_reads: &mut JournalReads,
    ) -> Result<(), CloseCode> {
        let Stage::Tail { after, is_asked: false } = self.stage else { return Ok(()) };
        self.wants_clock = true;
        match self.pull_from(at, after) {
            Some(Pull::Frames { cursor, .. }) => self.set_cursor(at, cursor),
            Some(Pull::UpToDate) => self.set_cursor(at, after),
            Some(Pull::Fell) | None => {
                self.stage = Stage::Tail { after, is_asked: true };
                let published = self.place.feed().filter(|feed| !feed.is_closed()).map(Feed::head);
                journal_reads.ask_for_tail(self.game, after, published, self.watch_id.clone());
                Ok(())
            }
        }
    }

    fn take_snapshot(&mut self, at: &mut GamesContext<'_>) -> Result<(), CloseCode> {
        let Place::Spectator(spectator) = &self.place else { return Ok(()) };
        match spectator.snapshot() {
            Some(frame) => {
                at.output.framed(frame.framed());
                self.continue_after(at, frame.seq())
            }
            None => Ok(()),
        }
    }

    /// Everything up to `cursor` is written: the feed goes on, with the clocks.
    fn continue_after(&mut self, at: &mut GamesContext<'_>, cursor: u32) -> Result<(), CloseCode> {
        self.stage = Stage::At(cursor);
        self.wants_clock = true;
        self.pull(at)?;
        match self.stage {
            Stage::At(cursor) => self.set_cursor(at, cursor),
            Stage::Snapshot | Stage::Tail { .. } => Ok(()),
        }
    }

    /// The cursor is set: what was held back follows.
    fn set_cursor(&mut self, at: &mut GamesContext<'_>, cursor: u32) -> Result<(), CloseCode> {
        self.stage = Stage::At(cursor);
        for news in std::mem::take(&mut self.held) {
            say(at.output, self.game, news);
        }
        Ok(())
    }

    /// Writes the feed's frames after `cursor`, and the clocks where they are due; `None` without a feed.
    fn pull_from(&mut self, at: &mut GamesContext<'_>, cursor: u32) -> Option<Pull> {
        let output = &mut *at.output;
        let feed = self.place.feed()?;
        let clock_starts = feed.clock_starts();
        self.wants_clock |= std::mem::replace(&mut self.clock_starts, clock_starts) != clock_starts;
        let pulled = feed.pull(cursor, self.wants_clock, |frame| output.framed(frame.framed()));
        if let Pull::Frames { clock, .. } = pulled {
            self.wants_clock = clock == ClockDue::Later;
            if let ClockDue::Now(face) = clock {
                let id = self.watch_id.take().map(|id| *id);
                output.message(&ServerMessage::Clock(face.message(id, self.game, at.clock.now())));
            }
        }
        Some(pulled)
    }

    /// Writes what is new in the feed. A cursor that fell out of it takes a snapshot.
    fn pull(&mut self, at: &mut GamesContext<'_>) -> Result<(), CloseCode> {
        let Stage::At(cursor) = self.stage else { return Ok(()) };
        match self.pull_from(at, cursor) {
            Some(Pull::Frames { cursor, .. }) => self.stage = Stage::At(cursor),
            Some(Pull::Fell) => {
                self.want_snapshot()?;
                // The answer is written in the next step, not in this one.
                at.line.outbox.notify();
            }
            Some(Pull::UpToDate) | None => {}
        }
        Ok(())
    }

    /// Handles a notice of the game. `is_rejected_tail`: it rejects the tail that was asked for.
    ///
    /// # Errors
    /// When the socket must be closed.
    pub(super) fn notice(
        &mut self,
        at: &mut GamesContext<'_>,
        news: NoticeKind,
        is_rejected_tail: bool,
    ) -> Result<Flow, CloseCode> {
        match news {
            NoticeKind::Snapshot(frame) => {
                at.output.framed(frame.framed());
                // The journal has sent it in place of a tail: there is nothing to follow.
                if matches!(self.place, Place::Archived) {
                    return Ok(Flow::Unsubscribe);
                }
                self.continue_after(at, frame.seq())?;
            }
            NoticeKind::Tail(chunk) => return Ok(self.tail(at, &chunk)),
            NoticeKind::Fence { number, .. } => {
                // A turn hands over everything it reads before it ends, so nothing that was read waits here.
                if let Place::Seat(seat) = &self.place {
                    seat.fenced(number);
                }
            }
            NoticeKind::Silent => return Err(CloseCode::Overloaded),
            NoticeKind::Reset => return Err(CloseCode::GameReset),
            NoticeKind::Gone => return self.gone(at),
            // Acted on before.
            NoticeKind::Answer(_) | NoticeKind::Live => {}
            rejected @ NoticeKind::Rejected { .. } if is_rejected_tail => {
                self.watch_id = None;
                say(at.output, self.game, rejected);
                return if matches!(self.place, Place::Archived) {
                    Ok(Flow::Unsubscribe)
                } else {
                    self.want_snapshot().map(|()| Flow::Continue)
                };
            }
            NoticeKind::Events
            | NoticeKind::Message(_)
            | NoticeKind::Done { .. }
            | NoticeKind::Rejected { .. }
            | NoticeKind::Watchers(_) => {
                self.pull(at)?;
                if matches!(self.stage, Stage::At(_)) {
                    say(at.output, self.game, news);
                } else if self.held.len() < HELD_MAX {
                    self.held.push(news);
                } else {
                    return Err(CloseCode::SlowReader);
                }
            }
        }
        Ok(Flow::Continue)
    }

    /// The game has ended, and nothing more comes of it from here. A snapshot or a tail that was asked for does not come either:
    /// the journal has it.
    fn gone(&mut self, at: &mut GamesContext<'_>) -> Result<Flow, CloseCode> {
        self.pull(at)?;
        match &mut self.stage {
            Stage::At(_) => return Ok(Flow::Unsubscribe),
            Stage::Snapshot => {}
            Stage::Tail { is_asked, .. } => *is_asked = false,
        }
        self.place = Place::Archived;
        // It is asked in the next step, not in this one.
        at.line.outbox.notify();
        Ok(Flow::Continue)
    }

    /// Writes a piece of the tail.
    fn tail(&mut self, at: &mut GamesContext<'_>, chunk: &TailChunk) -> Flow {
        let Stage::Tail { after, is_asked } = &mut self.stage else { return Flow::Continue };
        // A piece of an earlier tail, which is no longer wanted.
        if chunk.frames.first().is_some_and(|frame| frame.seq() != *after + 1) {
            return Flow::Continue;
        }
        for frame in &chunk.frames {
            at.output.framed(frame.framed());
            *after = frame.seq();
        }
        *is_asked = false;
        if chunk.more || !matches!(self.place, Place::Archived) { Flow::Continue } else { Flow::Unsubscribe }
    }
}

/// Writes `rejected`.
pub(crate) fn reject(output: &mut Output, game: Option<GameId>, id: Option<CommandId>, code: Code) {
    crate::telemetry::metrics().frames_rejected.count(&[("code", code.as_str())]);
    let message = code.meaning().to_owned();
    output.message(&ServerMessage::Rejected(Rejected { id, game, code, message }));
}

/// Writes a notice.
pub(super) fn say(output: &mut Output, game: GameId, news: NoticeKind) {
    match news {
        NoticeKind::Done { id, seq } => {
            let ok = OkAnswer { id: id.map(|id| *id), game: Some(game), seq: Some(seq) };
            output.message(&ServerMessage::Ok(ok));
        }
        NoticeKind::Rejected { id, code } => reject(output, Some(game), id.map(|id| *id), code),
        NoticeKind::Watchers(count) => output.message(&ServerMessage::Watchers(Watchers { game, count })),
        NoticeKind::Message(frame) | NoticeKind::Snapshot(frame) => output.framed(frame.framed()),
        NoticeKind::Events
        | NoticeKind::Tail(_)
        | NoticeKind::Fence { .. }
        | NoticeKind::Silent
        | NoticeKind::Reset
        | NoticeKind::Answer(_)
        | NoticeKind::Live
        | NoticeKind::Gone => {}
    }
}
