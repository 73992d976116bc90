//! The messages that a client may send.
//!
//! Every struct is the `d` of one message type; [`ClientMessage`] names the `t`. Unknown fields are
//! ignored.

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};

use crate::decode::readers;
use crate::object::{self, is_default};
use crate::{
    AccountId, ChallengeId, ChatRoom, CommandId, DeclineReason, DrawOrWin, GameId, GameOptions, Needs,
    PoolId, Scope, TimeControl, Uci, WireColor, WireVariant,
};

/// A message from a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "t", content = "d", rename_all = "snake_case")]
pub enum ClientMessage {
    /// Identifies the connection: as a spectator, a new guest, or the owner of a token.
    Hello(Hello),
    /// Asks for a game's events from now on, or after a seq.
    Watch(Watch),
    /// Ends watching.
    Unwatch(GameRef),
    /// Asks for plies, starting at a given one, at most 200 in a frame.
    History(HistoryRequest),
    /// Plays a move.
    Move(PlayMove),
    /// Resigns.
    Resign(GameCommand),
    /// Offers a draw, or accepts the open offer of the opponent.
    OfferDraw(GameCommand),
    /// Accepts a draw offer, also one that came with `ask_ilc` or a wrong claim.
    AcceptDraw(AnswerOffer),
    /// Declines a draw offer.
    DeclineDraw(AnswerOffer),
    /// Claims a draw by repetition or move count.
    ClaimDraw(ClaimDraw),
    /// Claims against an absent opponent.
    ClaimAbsence(ClaimAbsence),
    /// Ends the game without a result before each side has moved.
    Abort(GameCommand),
    /// Asks to take moves back.
    OfferTakeback(GameCommand),
    /// Accepts a takeback.
    AcceptTakeback(AnswerOffer),
    /// Declines a takeback.
    DeclineTakeback(AnswerOffer),
    /// Gives the opponent time.
    GiveTime(GiveTime),
    /// Asks for a draw on insufficient losing chances.
    AskIlc(GameCommand),
    /// Creates a challenge that others accept by its id.
    CreateChallenge(CreateChallenge),
    /// Accepts a challenge: the game begins.
    AcceptChallenge(ChallengeCommand),
    /// Withdraws a challenge that the client has created.
    CancelChallenge(ChallengeCommand),
    /// Declines a challenge addressed to the client.
    DeclineChallenge(DeclineChallenge),
    /// Offers the opponent of a finished game another one with colours swapped, or accepts that
    /// offer.
    OfferRematch(GameCommand),
    /// Chooses a name.
    SetName(SetName),
    /// Asks for the lobby, and for its changes from now on.
    EnterLobby(LobbyCommand),
    /// Ends the changes of the lobby.
    LeaveLobby(LobbyCommand),
    /// Waits in a pool for the next opponent.
    JoinPool(JoinPool),
    /// Stops waiting in a pool.
    LeavePool(LobbyCommand),
    /// Posts a chat message in a room of a game.
    Say(Say),
    /// Asks for a `pong`, for clients that cannot see WebSocket pings.
    Ping(Ping),
}

/// Gives [`ClientMessage`] its readers, and each message what it needs of the token that its connection came with. A message
/// without either does not compile.
macro_rules! messages {
    (ClientMessage { $($text:literal => $name:ident: $needs:expr,)+ }) => {
        readers!(ClientMessage { $($text => $name,)+ });

        impl ClientMessage {
            /// What it needs of the token that the connection came with. Without an account, a connection may send what
            /// needs [`Scope::Read`].
            #[must_use]
            pub const fn needs(&self) -> Needs {
                match self {
                    $(Self::$name(_) => $needs,)+
                }
            }
        }
    };
}

messages!(ClientMessage {
    "move" => Move: Needs::Scope(Scope::Play),
    "ping" => Ping: Needs::Scope(Scope::Read),
    "hello" => Hello: Needs::Scope(Scope::Read),
    "watch" => Watch: Needs::Scope(Scope::Read),
    "unwatch" => Unwatch: Needs::Scope(Scope::Read),
    "history" => History: Needs::Scope(Scope::Read),
    "resign" => Resign: Needs::Scope(Scope::Play),
    "offer_draw" => OfferDraw: Needs::Scope(Scope::Play),
    "accept_draw" => AcceptDraw: Needs::Scope(Scope::Play),
    "decline_draw" => DeclineDraw: Needs::Scope(Scope::Play),
    "claim_draw" => ClaimDraw: Needs::Scope(Scope::Play),
    "claim_absence" => ClaimAbsence: Needs::Scope(Scope::Play),
    "abort" => Abort: Needs::Scope(Scope::Play),
    "offer_takeback" => OfferTakeback: Needs::Scope(Scope::Play),
    "accept_takeback" => AcceptTakeback: Needs::Scope(Scope::Play),
    "decline_takeback" => DeclineTakeback: Needs::Scope(Scope::Play),
    "give_time" => GiveTime: Needs::Scope(Scope::Play),
    "ask_ilc" => AskIlc: Needs::Scope(Scope::Play),
    "create_challenge" => CreateChallenge: Needs::Scope(Scope::Challenge),
    "accept_challenge" => AcceptChallenge: Needs::Scope(Scope::Challenge),
    "cancel_challenge" => CancelChallenge: Needs::Scope(Scope::Challenge),
    "decline_challenge" => DeclineChallenge: Needs::Scope(Scope::Challenge),
    "offer_rematch" => OfferRematch: Needs::Scope(Scope::Challenge),
    "set_name" => SetName: Needs::Session,
    "enter_lobby" => EnterLobby: Needs::Scope(Scope::Read),
    "leave_lobby" => LeaveLobby: Needs::Scope(Scope::Read),
    "join_pool" => JoinPool: Needs::Scope(Scope::Play),
    "leave_pool" => LeavePool: Needs::Scope(Scope::Play),
    "say" => Say: Needs::Scope(Scope::Play),
});

impl ClientMessage {
    /// The id that the answer carries, if there is one.
    #[must_use]
    pub fn id(&self) -> Option<CommandId> {
        self.subject().0
    }

    /// The game that it is about, if it is about one.
    #[must_use]
    pub fn game(&self) -> Option<GameId> {
        self.subject().1
    }

    fn subject(&self) -> (Option<CommandId>, Option<GameId>) {
        match self {
            Self::Hello(_) | Self::Ping(_) => (None, None),
            Self::Watch(m) => (m.id, Some(m.game)),
            Self::Unwatch(m) => (None, Some(m.game)),
            Self::History(m) => (m.id, Some(m.game)),
            Self::Move(m) => (m.id, Some(m.game)),
            Self::Resign(m)
            | Self::OfferDraw(m)
            | Self::Abort(m)
            | Self::OfferTakeback(m)
            | Self::AskIlc(m)
            | Self::OfferRematch(m) => (m.id, Some(m.game)),
            Self::AcceptDraw(m)
            | Self::DeclineDraw(m)
            | Self::AcceptTakeback(m)
            | Self::DeclineTakeback(m) => (m.id, Some(m.game)),
            Self::ClaimDraw(m) => (m.id, Some(m.game)),
            Self::ClaimAbsence(m) => (m.id, Some(m.game)),
            Self::GiveTime(m) => (m.id, Some(m.game)),
            Self::Say(m) => (m.id, Some(m.game)),
            Self::CreateChallenge(m) => (m.id, None),
            Self::AcceptChallenge(m) | Self::CancelChallenge(m) => (m.id, None),
            Self::DeclineChallenge(m) => (m.id, None),
            Self::SetName(m) => (m.id, None),
            Self::EnterLobby(m) | Self::LeaveLobby(m) | Self::LeavePool(m) => (m.id, None),
            Self::JoinPool(m) => (m.id, None),
        }
    }
}

/// `hello`: identifies the connection. With neither field the connection only watches; both
/// together are rejected.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(default)]
pub struct Hello {
    /// Creates a new guest account; `welcome` shows its token once.
    #[serde(skip_serializing_if = "std::ops::Not::not", deserialize_with = "object::plain_or_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub guest: bool,
    /// The account's token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub token: Option<String>,
}

/// `watch`: asks for a game's events from now on, or after a seq.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Watch {
    /// The game.
    pub game: GameId,
    /// The last seq the client has: exactly the events after it follow. Absent: a snapshot and what
    /// follows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub after: Option<u32>,
    /// Comes back in the `clock` that ends the answer, or in `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// A reference to a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct GameRef {
    /// The game.
    pub game: GameId,
}

/// `history`: asks for plies, starting at a given one, at most 200 in a frame.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct HistoryRequest {
    /// The game.
    pub game: GameId,
    /// The first ply wanted, from 1.
    #[serde(deserialize_with = "from_one")]
    pub from: u32,
    /// Comes back in `history` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// `move`: plays a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct PlayMove {
    /// The game.
    pub game: GameId,
    /// The seq that made the position on the board, from `turn`.
    pub on: u32,
    /// The move in UCI, such as `e2e4` or `e7e8q`.
    pub uci: Uci,
    /// Comes back in `ok` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// A command about a game that has no other field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct GameCommand {
    /// The game.
    pub game: GameId,
    /// Comes back in `ok` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// An answer to an offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct AnswerOffer {
    /// The game.
    pub game: GameId,
    /// The seq of the offer.
    pub offer: u32,
    /// Comes back in `ok` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// `claim_draw`: claims a draw by repetition or move count.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ClaimDraw {
    /// The game.
    pub game: GameId,
    /// The seq that made the position on the board.
    pub on: u32,
    /// The intended move in UCI, if the claim concerns the position after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub uci: Option<Uci>,
    /// Comes back in `ok` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// `claim_absence`: claims against an absent opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ClaimAbsence {
    /// The game.
    pub game: GameId,
    /// What is claimed.
    pub result: DrawOrWin,
    /// Comes back in `ok` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// `give_time`: gives the opponent time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct GiveTime {
    /// The game.
    pub game: GameId,
    /// How much, in milliseconds: 1,000 to 60,000.
    pub ms: u32,
    /// Comes back in `ok` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// `create_challenge`: creates a challenge that others accept by its id.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct CreateChallenge {
    /// The clocks.
    #[serde(deserialize_with = "object::one")]
    pub time_control: TimeControl,
    /// The challenger's colour; absent: drawn by lot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub color: Option<WireColor>,
    /// Standard or Chess960.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "object::plain_or_default")]
    #[cfg_attr(test, ts(optional, as = "Option<WireVariant>"))]
    pub variant: WireVariant,
    /// A start position in FEN. Absent: the standard one, or a Chess960 position by lot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub fen: Option<String>,
    /// Rules and their options.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "object::or_default")]
    #[cfg_attr(test, ts(optional, type = "Partial<GameOptions>"))]
    pub options: GameOptions,
    /// Only this account may accept. Absent: anybody who has the id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub to: Option<AccountId>,
    /// The same, by the name of the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub to_name: Option<String>,
    /// Lists it in the lobby for anybody until its owner disconnects: a seek.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "object::plain_or_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub seek: bool,
    /// Whether the game counts for ratings.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "object::plain_or_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub rated: bool,
    /// With `seek`: the lowest rating of a player who may accept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rating_min: Option<u32>,
    /// With `seek`: the highest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rating_max: Option<u32>,
    /// Comes back in `challenge` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

impl CreateChallenge {
    /// The plainest challenge: standard chess from the start for anybody, colours by lot.
    #[must_use]
    pub fn with(time_control: TimeControl) -> Self {
        Self {
            time_control,
            color: None,
            variant: WireVariant::default(),
            fen: None,
            options: GameOptions::default(),
            to: None,
            to_name: None,
            seek: false,
            rated: false,
            rating_min: None,
            rating_max: None,
            id: None,
        }
    }
}

/// A command about a challenge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ChallengeCommand {
    /// The challenge.
    pub challenge: ChallengeId,
    /// Comes back in `ok` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// `decline_challenge`: declines a challenge addressed to the client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct DeclineChallenge {
    /// The challenge.
    pub challenge: ChallengeId,
    /// Why.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "object::plain_or_default")]
    #[cfg_attr(test, ts(optional, as = "Option<DeclineReason>"))]
    pub reason: DeclineReason,
    /// Comes back in `ok` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// `set_name`: chooses a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct SetName {
    /// 2 to 20 ASCII letters, digits, `-` and `_`, beginning with a letter. Upper and lower case
    /// count as equal when names are compared.
    pub name: String,
    /// Comes back in `ok` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// A command about the lobby that has no other field.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct LobbyCommand {
    /// Comes back in the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// `join_pool`: waits in a pool for the next opponent, and leaves any other pool.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct JoinPool {
    /// The pool.
    pub pool: PoolId,
    /// Comes back in `ok` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// `say`: posts a chat message in a room of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Say {
    /// The game.
    pub game: GameId,
    /// The room that it is for.
    pub room: ChatRoom,
    /// One line of at most 200 characters, none of them a control character.
    pub text: String,
    /// Comes back in `ok` or `rejected`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
}

/// `ping`: asks for a `pong`, for clients that cannot see WebSocket pings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Ping {
    /// Comes back in `pong`.
    pub n: u32,
}

fn from_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        0 => Err(de::Error::invalid_value(de::Unexpected::Unsigned(0), &"a ply, counted from 1")),
        ply => Ok(ply),
    }
}
