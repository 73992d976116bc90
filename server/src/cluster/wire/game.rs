//! What the mirror of a game and the owner of the game tell each other.
//!
//! Instants are not compared across nodes: those of the owner travel as the time since the turn of a position began, the
//! position being named by its `seq` (the *base*).

use serde::{Deserialize, Serialize};
use zeitnot_protocol::{Code, CommandId, GameId};
use zeitnot_rules::game::Seq;

use super::Act;
use crate::connections::{Frame, NoticeKind};

/// A message about one game, as links carry it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum GameMessage {
    ToOwner(GameId, FromMirror),
    ToMirror(GameId, FromOwner),
}

/// A color on the wire: whether it is White.
pub(crate) type IsWhite = bool;

/// From a mirror to the owner.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum FromMirror {
    /// The first message, and the first on every new link.
    Attach(Attach),
    /// Nobody follows the game there any more.
    Detach,
    Join(TakenSeat),
    Leave(u64),
    Resync(u64),
    RoundTrip {
        connection: u64,
        us: u64,
    },
    Watchers(u32),
    SnapshotWanted,
    Command(SentCommand),
    /// All that the sessions there had read before the fence of this number was due is handed over.
    Fenced(u32),
}

/// What a mirror begins with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Attach {
    /// The last event that it has; 0 for none.
    pub(crate) head: Seq,
    pub(crate) seats: Vec<TakenSeat>,
    pub(crate) watchers: u32,
    /// The commands without an answer, oldest first.
    pub(crate) again: Vec<SentCommand>,
}

/// A player's connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct TakenSeat {
    pub(crate) connection: u64,
    pub(crate) white: IsWhite,
    pub(crate) round_trip_us: Option<u64>,
}

/// Which start of a turn: a turn that stood and goes on has begun again.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct TurnStart {
    /// The position on the board.
    pub(crate) base: Seq,
    /// When it began, on the owner's clock. Elsewhere that is a name, from which nothing is worked out.
    pub(crate) at_us: u64,
}

/// A player's command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SentCommand {
    pub(crate) connection: u64,
    /// It was read so long after the mirror had this start of a turn for its sessions.
    pub(crate) start: TurnStart,
    pub(crate) since_us: u64,
    /// It was read so long before this is sent: a while, when it is sent again.
    pub(crate) age_us: u64,
    pub(crate) id: Option<CommandId>,
    pub(crate) act: Act,
}

/// From the owner to a mirror.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum FromOwner {
    Attached(Attached),
    /// The game is not owned here.
    NotHere,
    Frame(FrameText),
    Clock(Clock),
    /// A clock began to run without an event.
    ClockStarted,
    Watchers(u32),
    Snapshot(FrameText),
    Rated(FrameText),
    /// All that the sessions there have read before is wanted: a fence. It is due so long after the turn of `base` began.
    Fence {
        number: u32,
        base: Seq,
        since_us: u64,
    },
    /// For one connection, after this event.
    Tell {
        connection: u64,
        after: Seq,
        notice: SentNotice,
    },
    /// The owner has the game no longer; whether it goes on, here or elsewhere.
    Closed {
        comes_back: bool,
    },
}

/// The answer to [`Attach`], and how the owner starts over when the mirror is too far behind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Attached {
    pub(crate) head: Seq,
    /// The frames after the mirror's head. `None` when there are too many: the mirror's sessions take
    /// snapshots.
    pub(crate) frames: Option<Vec<FrameText>>,
    pub(crate) watchers: u32,
    pub(crate) clock: Clock,
    /// When this was said, as a start of no position: what is read before a turn has begun there counts from then.
    pub(crate) said: TurnStart,
}

/// What both clocks show.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Clock {
    /// The event that they stand after.
    pub(crate) seq: Seq,
    /// The position on the board.
    pub(crate) base: Seq,
    /// When its turn began, and how long it has gone on; `None` while it waits to begin, or to go on.
    pub(crate) turn: Option<(TurnStart, u64)>,
    /// White's and Black's, in a game with clocks.
    pub(crate) clocks_us: Option<(u64, u64)>,
    /// Whose clock runs, and how long after the beginning of the turn it shows 0.
    pub(crate) running: Option<(IsWhite, u64)>,
    /// How long after that a first move is late.
    pub(crate) first_move_us: Option<u64>,
    /// The position in FEN.
    pub(crate) board: String,
    pub(crate) last_move: Option<zeitnot_protocol::Uci>,
    pub(crate) ply_count: u32,
    pub(crate) has_ended: bool,
}

/// A frame for sockets: its text, from which the other node makes it again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct FrameText {
    pub(crate) seq: Seq,
    pub(crate) clock_follows: bool,
    pub(crate) text: String,
}

impl From<&Frame> for FrameText {
    fn from(frame: &Frame) -> Self {
        Self { seq: frame.seq(), clock_follows: frame.clock_follows(), text: frame.text().to_owned() }
    }
}

impl From<FrameText> for Frame {
    fn from(FrameText { seq, clock_follows, text }: FrameText) -> Self {
        let frame = Self::of_text(seq, &text);
        if clock_follows { frame.with_clock() } else { frame }
    }
}

/// A [`NoticeKind`] that an actor sends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum SentNotice {
    Events,
    Message(FrameText),
    Done { id: Option<CommandId>, seq: Seq },
    Rejected { id: Option<CommandId>, code: Code },
    Snapshot(FrameText),
    Watchers(u32),
    Silent,
}

impl SentNotice {
    /// `None` for what crosses in another way.
    pub(crate) fn of(kind: &NoticeKind) -> Option<Self> {
        let id = |id: &Option<Box<CommandId>>| id.as_deref().copied();
        Some(match kind {
            NoticeKind::Events => Self::Events,
            NoticeKind::Message(frame) => Self::Message(frame.into()),
            NoticeKind::Done { id: of, seq } => Self::Done { id: id(of), seq: *seq },
            NoticeKind::Rejected { id: of, code } => Self::Rejected { id: id(of), code: *code },
            NoticeKind::Snapshot(frame) => Self::Snapshot(frame.into()),
            NoticeKind::Watchers(count) => Self::Watchers(*count),
            NoticeKind::Silent => Self::Silent,
            // A fence and the end are for the mirror, which asks and tells its sessions; the others answer reads of storage.
            NoticeKind::Fence { .. }
            | NoticeKind::Reset
            | NoticeKind::Gone
            | NoticeKind::Tail(_)
            | NoticeKind::Answer(_)
            | NoticeKind::Live => return None,
        })
    }

    /// The same for a session.
    pub(crate) fn into_kind(self) -> NoticeKind {
        match self {
            Self::Events => NoticeKind::Events,
            Self::Message(frame) => NoticeKind::Message(frame.into()),
            Self::Done { id, seq } => NoticeKind::Done { id: id.map(Box::new), seq },
            Self::Rejected { id, code } => NoticeKind::Rejected { id: id.map(Box::new), code },
            Self::Snapshot(frame) => NoticeKind::Snapshot(frame.into()),
            Self::Watchers(count) => NoticeKind::Watchers(count),
            Self::Silent => NoticeKind::Silent,
        }
    }
}
