//! What a caller is told: of the account, and of one game.
//!
//! Deliberately absent: what is only an answer, and what the client uses up itself.

use std::time::Duration;

use zeitnot_protocol::{
    AbsenceClaimed, ByEvent, Challenge, ChallengeGone, DrawClaimed, Ended, GameId, IlcRemedied, Lobby,
    LobbyNews, MoveEvent, Presence, Rated, Said, ServerMessage, Snapshot, Started, StoppedBy,
    TakebackOffered, TakenBack, TimeAdjusted, Turn, Waiting, Watchers, WireColor,
};

/// Something about the account, from [`Events`](crate::Events).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The connection is open. Everything that was followed is being resumed.
    Connected,
    /// The connection was lost, and the client will try again.
    Disconnected {
        /// After how long.
        retry_in: Duration,
    },
    /// A challenge of the account, to it, or accepted by it, is open, or has changed.
    Challenge(Box<Challenge>),
    /// A challenge is gone. It says `game` if it became one.
    ChallengeGone(ChallengeGone),
    /// A game of the account is in progress: [`Client::game`](crate::Client::game) opens it.
    Game(GameId),
    /// In which pool the account waits, or that it no longer does.
    Waiting(Waiting),
    /// The name of the account.
    Name(String),
    /// The lobby as it stands, after [`Client::enter_lobby`](crate::Client::enter_lobby), after each reconnect since,
    /// and in place of news that were missed.
    Lobby(Box<Lobby>),
    /// What changed in the lobby.
    LobbyNews(Box<LobbyNews>),
    /// More came than there was room for. Forget challenges, games and pool: all that is open now follows.
    Missed,
}

macro_rules! game_events {
    (
        $($(#[doc = $doc:literal])+ $name:ident($body:ty),)+
        $(; $(#[doc = $other_doc:literal])+ $other:ident($other_body:ty))+
    ) => {
        /// Something about a game, from [`Game`](crate::Game).
        ///
        /// The ones with a `seq` are the game's own events: each comes once and in order, over reconnects too. The
        /// others tell how things stand: of each of them only the last one is kept for a caller that does not read.
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum GameEvent {
            /// The game as it stands. It comes first; and once more if the server's data were restored from a copy:
            /// forget then what you knew.
            Snapshot(Box<Snapshot>),
            $($(#[doc = $doc])+ $name($body),)+
            $($(#[doc = $other_doc])+ $other($other_body),)+
        }

        impl GameEvent {
            /// The number of the event; none if it is not one of the game's own.
            #[must_use]
            pub fn seq(&self) -> Option<u32> {
                match self {
                    Self::Snapshot(snapshot) => Some(snapshot.seq),
                    $(Self::$name(event) => Some(event.seq),)+
                    $(Self::$other(_) => None,)+
                }
            }

            /// The game that this message is about, if it would be one of the game's own events.
            pub(crate) fn game_of(message: &ServerMessage) -> Option<GameId> {
                match message {
                    ServerMessage::Snapshot(snapshot) => Some(snapshot.game),
                    $(ServerMessage::$name(event) => Some(event.game),)+
                    _ => None,
                }
            }

            /// A public event of a game.
            pub(crate) fn public(message: &ServerMessage) -> Option<(GameId, Self)> {
                match message {
                    $(ServerMessage::$name(event) => Some((event.game, Self::$name(event.clone()))),)+
                    _ => None,
                }
            }
        }
    };
}

game_events! {
    /// The game began: its first event, for a caller that knows nothing of it.
    Started(Started),
    /// A move was played.
    Move(MoveEvent),
    /// A draw was offered.
    DrawOffered(ByEvent),
    /// A draw offer was declined.
    DrawDeclined(ByEvent),
    /// A draw was claimed.
    DrawClaimed(DrawClaimed),
    /// An absence was claimed.
    AbsenceClaimed(AbsenceClaimed),
    /// A takeback was asked for.
    TakebackOffered(TakebackOffered),
    /// A takeback was declined.
    TakebackDeclined(ByEvent),
    /// Moves were taken back.
    TakenBack(TakenBack),
    /// Clocks were changed by an act.
    TimeAdjusted(TimeAdjusted),
    /// A draw on insufficient losing chances was asked for; it is a draw offer.
    IlcAsked(ByEvent),
    /// That request was declined, and the remedy took effect.
    IlcRemedied(IlcRemedied),
    /// A flag fell; `Ended` follows with the verdict.
    FlagFell(StoppedBy),
    /// A player resigned; `Ended` follows with the verdict.
    Resigned(StoppedBy),
    /// The game ended. It is the last one with a number.
    Ended(Ended),
    ;
    /// It is the account's move. It comes once for each position, after all events up to it have been read, and
    /// not for one that has passed meanwhile.
    Turn(Turn);
    /// What the end has done to the ratings of the players.
    Rated(Rated);
    /// A player came or went.
    Presence(Presence);
    /// How many watch.
    Watchers(Watchers);
    /// A line of chat, each once. A gap in its numbers `n` shows lines that were missed.
    Said(Said)
}

impl GameEvent {
    /// Whether it stops the turn that was running: the position is another one, or the clocks have stopped.
    pub(crate) fn ends_turn(&self) -> bool {
        matches!(
            self,
            Self::Snapshot(_)
                | Self::Move(_)
                | Self::TakenBack(_)
                | Self::FlagFell(_)
                | Self::Resigned(_)
                | Self::AbsenceClaimed(_)
                | Self::Ended(_)
        )
    }

    /// Both clocks after it in ms, where it says so: White's, Black's.
    pub(crate) fn clocks(&self) -> Option<[Option<u32>; 2]> {
        let (white, black) = match self {
            Self::Snapshot(event) => (event.white_ms, event.black_ms),
            Self::Started(event) => (event.white_ms, event.black_ms),
            Self::Move(event) => (event.white_ms, event.black_ms),
            Self::AbsenceClaimed(event) => (event.white_ms, event.black_ms),
            Self::TakenBack(event) => (event.white_ms, event.black_ms),
            Self::TimeAdjusted(event) => (event.white_ms, event.black_ms),
            Self::IlcRemedied(event) => (event.white_ms, event.black_ms),
            Self::FlagFell(event) | Self::Resigned(event) => (event.white_ms, event.black_ms),
            Self::Ended(event) => (event.white_ms, event.black_ms),
            _ => return None,
        };
        Some([white, black])
    }
}

/// The side to move in a position in FEN.
pub(crate) fn to_move(fen: &str) -> WireColor {
    match fen.split(' ').nth(1) {
        Some("b") => WireColor::Black,
        _ => WireColor::White,
    }
}

/// The place of a side in an array of two.
pub(crate) const fn index(color: WireColor) -> usize {
    match color {
        WireColor::White => 0,
        WireColor::Black => 1,
    }
}
