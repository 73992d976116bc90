//! What goes into the machine and what comes out.

use std::time::Duration;

use zeitnot_protocol::{
    Challenge, ChallengeId, ClientMessage, CloseReason, CommandId, GameId, History, OkAnswer, ServerMessage,
};

use crate::clocks::Reading;
use crate::{Error, Event, GameEvent};

/// What names a request of a caller in its answer.
pub(crate) type Key = u64;

/// One who is told of the account's events.
pub(crate) type Subscriber = u64;

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    /// The WebSocket that the last [`Effect::Open`] asked for is open.
    Opened,
    /// It could not be opened.
    Failed(Failure),
    /// A message came.
    Received(Box<ServerMessage>),
    /// A frame came that this version cannot read.
    Unreadable(Unreadable),
    /// Something else came, such as a WebSocket ping.
    Heard,
    /// The connection ended.
    Ended(Ending),
    /// A caller wants something.
    Request(Key, Request),
    /// So many events of this game wait for its caller.
    Unread(GameId, usize),
    /// Nobody has this game open any more.
    Dropped(GameId),
    /// The caller of this request waits no longer. Only who waits for a game is forgotten: a command goes on.
    Abandoned(Key),
    /// A subscriber had no room: it is to be told of all that is open now.
    Overflowed(Subscriber),
    /// Time has passed.
    Tick,
}

/// Why a connection could not be opened.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// The next attempt may succeed, after this time at the least.
    Again { why: String, not_before: Duration },
    /// Every further attempt would fail as well.
    ForGood(Error),
}

/// What can be read of a frame that this version cannot read: which command it answers, or which event it is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unreadable {
    pub(crate) id: Option<CommandId>,
    pub(crate) event: Option<(GameId, u32)>,
}

/// How a connection ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ending {
    /// The number of the close frame; none if the connection was lost.
    pub(crate) number: Option<u16>,
    /// The server's reason.
    pub(crate) reason: Option<CloseReason>,
}

/// What a caller wants.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    /// To be told when the first connection is open.
    Connect,
    /// A command, without an id.
    Command(Box<ClientMessage>),
    /// To follow a game.
    Follow(GameId),
    /// To be told when the challenge has become a game.
    GameOf(ChallengeId),
    /// To be told of the account's events.
    Subscribe(Subscriber),
    /// To enter the lobby, or to leave it.
    Lobby(bool),
    /// To end it all.
    Stop,
}

/// What the driver is to do.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    /// Open a connection.
    Open,
    /// Drop the connection, or the attempt to open it.
    Drop,
    /// Send a message.
    Send(ClientMessage),
    /// Answer a request.
    Answer(Key, Result<Answer, Error>),
    /// Tell the caller of a game.
    Game(GameId, Delivery),
    /// The server gives this game no longer: its caller is told why.
    Lost(GameId, Error),
    /// Tell one subscriber, or all of them.
    Event(Option<Subscriber>, Event),
    /// Nothing more will happen.
    Stopped(Error),
}

/// What the caller of a game is told.
#[derive(Clone, Debug)]
pub(crate) enum Delivery {
    Event(GameEvent),
    /// Both clocks, as they stand from now on.
    Clocks(Reading),
}

/// The answer to a request.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Answer {
    /// What was wanted has been done, and there is nothing to say of it.
    Done,
    Ok(OkAnswer),
    Challenge(Box<Challenge>),
    History(Box<History>),
    /// The challenge has become this game.
    Game(GameId),
}
