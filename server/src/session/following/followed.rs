//! One followed game: how far it is written, and every step that writes more of it.
//!
//! Deliberately absent: which games are followed.

use zeitnot_protocol::{CloseCode, Code, CommandId, GameId, OkAnswer, Rejected, ServerMessage, Watchers};

use super::super::output::Output;
use super::super::{Outbox, ToSession};
use super::{Closing, Surroundings};
use crate::games::{ClockDue, Feed, News, Pull, Seat, SendRefused, Spectator, TailChunk};

/// The most notices of one game that are held back: more than a game says in the time a snapshot takes.
const HELD_MAX: usize = 64;

/// A game and how far it is written.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) game: GameId,
    pub(super) place: Place,
    stage: Stage,
    /// Which publication of the number of watchers was written last.
    watchers: u32,
    /// A `clock` is due after the next frames.
    wants_clock: bool,
    /// What waits for the cursor.
    held: Vec<News>,
}

/// How the session takes part.
#[derive(Debug)]
pub(super) enum Place {
    Seat(Seat),
    Spectator(Spectator),
    /// The game is not live; its tail is being written.
    Past,
}

/// How far the game is written.
#[derive(Debug)]
enum Stage {
    /// A snapshot comes next.
    Snapshot,
    /// Everything up to this event.
    At(u32),
    /// Everything up to `after`, and exactly what follows is asked for.
    Tail { after: u32, is_asked: bool, id: Option<Box<CommandId>> },
}

impl Place {
    /// The game's public events, if it is live.
    pub(super) fn feed(&self) -> Option<&Feed> {
        match self {
            Self::Seat(seat) => Some(seat.game().feed()),
            Self::Spectator(spectator) => Some(spectator.game().feed()),
            Self::Past => None,
        }
    }
}

/// Every step says whether the game is followed on.
pub(super) type GoesOn = Result<bool, Closing>;

impl Followed {
    /// A game that nothing is written of yet. `watchers` is the publication of their number that was written.
    pub(super) fn new(game: GameId, place: Place, watchers: u32) -> Self {
        Self { game, place, stage: Stage::Snapshot, watchers, wants_clock: false, held: Vec::new() }
    }

    /// Something may be new in the feed, or there is room again.
    pub(super) fn advance(&mut self, at: &mut Surroundings<'_>, outbox: &Outbox<ToSession>) -> GoesOn {
        // Asked before the pull: what was published before the end is pulled, then the game is left.
        let is_closed = self.place.feed().is_some_and(Feed::is_closed);
        match (&self.stage, &self.place) {
            (Stage::Snapshot, Place::Spectator(_)) if is_closed => {
                at.games.send_snapshot(self.game, None, outbox);
                return Ok(false);
            }
            (Stage::Snapshot, Place::Spectator(_)) => self.take_snapshot(at, outbox)?,
            (Stage::Snapshot, Place::Seat(_) | Place::Past) => {}
            (Stage::At(_), _) => self.pull(at, outbox)?,
            (Stage::Tail { .. }, _) => self.ask_for_tail(at, outbox),
        }
        if let Place::Spectator(spectator) = &self.place {
            let watchers = spectator.game().feed().watchers();
            if watchers.version != self.watchers && matches!(self.stage, Stage::At(_)) {
                self.watchers = watchers.version;
                at.output.message(&ServerMessage::Watchers(Watchers { game: self.game, count: watchers.count }));
            }
        }
        Ok(!(is_closed && matches!(self.stage, Stage::At(_)) && matches!(self.place, Place::Spectator(_))))
    }

    /// The game as it stands, then what follows.
    pub(super) fn snapshot(&mut self, at: &mut Surroundings<'_>, id: Option<CommandId>, outbox: &Outbox<ToSession>) -> GoesOn {
        self.stage = Stage::Snapshot;
        match &self.place {
            Place::Spectator(_) => self.advance(at, outbox),
            Place::Seat(seat) => resync(seat),
            Place::Past => {
                at.games.send_snapshot(self.game, id, outbox);
                Ok(false)
            }
        }
    }

    /// Exactly the events after `after`, then what follows.
    pub(super) fn exactly_after(
        &mut self,
        at: &mut Surroundings<'_>,
        after: u32,
        id: Option<CommandId>,
        outbox: &Outbox<ToSession>,
    ) -> GoesOn {
        if self.place.feed().is_some_and(|feed| after > feed.head()) {
            return self.snapshot(at, id, outbox);
        }
        self.stage = Stage::Tail { after, is_asked: false, id: id.map(Box::new) };
        self.catch_up(at, outbox)?;
        Ok(true)
    }

    /// Ends an exact tail in the feed if that reaches so far back, and asks the journal otherwise.
    fn catch_up(&mut self, at: &mut Surroundings<'_>, outbox: &Outbox<ToSession>) -> Result<(), Closing> {
        let Stage::Tail { after, .. } = self.stage else { return Ok(()) };
        self.wants_clock = true;
        match self.pull_from(at, after) {
            Some(Pull::Frames { cursor, .. }) => self.stands_at(at, cursor, outbox),
            Some(Pull::UpToDate) => self.stands_at(at, after, outbox),
            Some(Pull::Fell) | None => {
                self.ask_for_tail(at, outbox);
                Ok(())
            }
        }
    }

    fn ask_for_tail(&mut self, at: &mut Surroundings<'_>, outbox: &Outbox<ToSession>) {
        if let Stage::Tail { after, is_asked, id } = &mut self.stage
            && !*is_asked
            && at.output.has_room()
        {
            *is_asked = true;
            at.games.send_tail(self.game, *after, id.as_deref().copied(), outbox);
        }
    }

    fn take_snapshot(&mut self, at: &mut Surroundings<'_>, outbox: &Outbox<ToSession>) -> Result<(), Closing> {
        let Place::Spectator(spectator) = &self.place else { return Ok(()) };
        match spectator.snapshot() {
            Some(frame) => {
                at.output.framed(frame.framed());
                self.goes_on_behind(at, frame.seq(), outbox)
            }
            None => Ok(()),
        }
    }

    /// Everything up to `cursor` is written: the feed goes on, with the clocks.
    fn goes_on_behind(
        &mut self,
        at: &mut Surroundings<'_>,
        cursor: u32,
        outbox: &Outbox<ToSession>,
    ) -> Result<(), Closing> {
        self.stage = Stage::At(cursor);
        self.wants_clock = true;
        self.pull(at, outbox)?;
        match self.stage {
            Stage::At(cursor) => self.stands_at(at, cursor, outbox),
            Stage::Snapshot | Stage::Tail { .. } => Ok(()),
        }
    }

    /// The cursor is set: what was held back follows.
    fn stands_at(&mut self, at: &mut Surroundings<'_>, cursor: u32, outbox: &Outbox<ToSession>) -> Result<(), Closing> {
        self.stage = Stage::At(cursor);
        for news in std::mem::take(&mut self.held) {
            self.notice(at, news, outbox)?;
        }
        Ok(())
    }

    /// Writes the feed's frames after `cursor`, and the clocks where they are due; `None` without a feed.
    fn pull_from(&mut self, at: &mut Surroundings<'_>, cursor: u32) -> Option<Pull> {
        let output = &mut *at.output;
        let pulled = self.place.feed()?.pull(cursor, self.wants_clock, |frame| output.framed(frame.framed()));
        if let Pull::Frames { clock, .. } = pulled {
            self.wants_clock = clock == ClockDue::Later;
            if let ClockDue::Now(face) = clock {
                output.message(&ServerMessage::Clock(face.message(self.game, at.clock.now())));
            }
        }
        Some(pulled)
    }

    /// Writes what is new in the feed.
    fn pull(&mut self, at: &mut Surroundings<'_>, outbox: &Outbox<ToSession>) -> Result<(), Closing> {
        let Stage::At(cursor) = self.stage else { return Ok(()) };
        match self.pull_from(at, cursor) {
            Some(Pull::Frames { cursor, .. }) => self.stage = Stage::At(cursor),
            Some(Pull::Fell) => {
                self.stage = Stage::Snapshot;
                match &self.place {
                    Place::Seat(seat) => {
                        resync(seat)?;
                    }
                    Place::Spectator(_) => outbox.ring(),
                    Place::Past => {}
                }
            }
            Some(Pull::UpToDate) | None => {}
        }
        Ok(())
    }

    pub(super) fn notice(&mut self, at: &mut Surroundings<'_>, news: News, outbox: &Outbox<ToSession>) -> GoesOn {
        match news {
            News::Snapshot(frame) => {
                at.output.framed(frame.framed());
                self.goes_on_behind(at, frame.seq(), outbox)?;
            }
            News::Tail(chunk) => return self.tail(at, &chunk, outbox),
            News::Fence(fence) => {
                // A turn hands over everything it reads before it ends, so nothing that was read waits here.
                if let Place::Seat(seat) = &self.place {
                    seat.fenced(fence);
                }
            }
            News::Silent => return Err(CloseCode::Overloaded),
            News::Reset => return Err(CloseCode::GameReset),
            News::Gone => return Ok(false),
            News::Refused { id, code } if self.is_refused_tail(id.as_deref(), code) => {
                refuse(at.output, Some(self.game), id.map(|id| *id), code);
                return match self.place {
                    Place::Past => Ok(false),
                    Place::Seat(_) | Place::Spectator(_) => self.snapshot(at, None, outbox),
                };
            }
            News::Events | News::Message(_) | News::Done { .. } | News::Refused { .. } | News::Watchers(_) => {
                self.pull(at, outbox)?;
                if matches!(self.stage, Stage::At(_)) {
                    say(at.output, self.game, news);
                } else if self.held.len() < HELD_MAX {
                    self.held.push(news);
                } else {
                    return Err(CloseCode::SlowReader);
                }
            }
        }
        Ok(true)
    }

    /// Whether this refusal is the answer to the tail that was asked for, not to a command.
    fn is_refused_tail(&self, refused: Option<&CommandId>, code: Code) -> bool {
        matches!(&self.stage, Stage::Tail { is_asked: true, id, .. } if id.as_deref() == refused)
            && matches!(code, Code::UnknownGame | Code::Unavailable)
    }

    fn tail(&mut self, at: &mut Surroundings<'_>, chunk: &TailChunk, outbox: &Outbox<ToSession>) -> GoesOn {
        let Stage::Tail { after, is_asked, .. } = &mut self.stage else { return Ok(true) };
        // A chunk of an earlier request, which was given up since.
        if chunk.frames.first().is_some_and(|frame| frame.seq() != *after + 1) {
            return Ok(true);
        }
        for frame in &chunk.frames {
            at.output.framed(frame.framed());
            *after = frame.seq();
        }
        *is_asked = false;
        if chunk.more {
            self.ask_for_tail(at, outbox);
        } else if matches!(self.place, Place::Past) {
            return Ok(false);
        } else {
            self.catch_up(at, outbox)?;
        }
        Ok(true)
    }
}

/// Asks for a snapshot of one's own game.
fn resync(seat: &Seat) -> GoesOn {
    match seat.resync() {
        Ok(()) => Ok(true),
        Err(SendRefused::Full) => Err(CloseCode::Overloaded),
        Err(SendRefused::Gone) => Ok(false),
    }
}

/// Writes `rejected`.
pub(crate) fn refuse(output: &mut Output, game: Option<GameId>, id: Option<CommandId>, code: Code) {
    crate::telemetry::metrics().frames_refused.increment(1);
    let message = code.meaning().to_owned();
    output.message(&ServerMessage::Rejected(Rejected { id, game, code, message }));
}

/// Writes what a game says.
pub(super) fn say(output: &mut Output, game: GameId, news: News) {
    match news {
                News::Done { id, seq } => {
            let ok = OkAnswer { id: id.map(|id| *id), game: Some(game), seq: Some(seq) };
            output.message(&ServerMessage::Ok(ok));
        }
        News::Refused { id, code } => refuse(output, Some(game), id.map(|id| *id), code),
        News::Watchers(count) => output.message(&ServerMessage::Watchers(Watchers { game, count })),
        News::Message(frame) | News::Snapshot(frame) => output.framed(frame.framed()),
        News::Events
        | News::Tail(_)
        | News::Fence(_)
        | News::Silent
        | News::Reset
        | News::Gone => {}
    }
}
