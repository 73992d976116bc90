//! The messages of the server.
//!
//! There are three kinds: public game events, which carry the game's `seq` and are the same for all
//! clients (in `events`); messages for one account, which carry none; and answers to a command.
//! [`ServerMessage`] names the `t`; each struct is the `d` of one message, or of several that have
//! the same fields.

use serde::{Deserialize, Serialize};

use crate::decode::readers;
use crate::object::is_default;
use crate::{
    AbsenceClaimed, AccountId, BootId, ByColor, ByEvent, ChallengeId, ChatRoom, Code, CommandId,
    DeclineReason, DrawClaimed, Ended, EpochId, GameId, GameOptions, IlcRemedied, Limits, Lobby, LobbyNews,
    MoveEvent, Opening, Origin, PlayerView, PlyView, PoolId, Started, StateView, StoppedBy, TakebackOffered,
    TakenBack, TimeAdjusted, TimeControl, Uci, WireColor, WireVariant,
};

/// A message from the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "t", content = "d", rename_all = "snake_case")]
pub enum ServerMessage {
    /// Answers `hello`, or comes unasked when the upgrade carried an identity.
    Welcome(Welcome),
    /// A game as it stands, with at most its last 200 plies.
    Snapshot(Snapshot),
    /// Plies of a game, at most 200.
    History(History),

    /// Seq 1: the game began.
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
    /// A flag fell; `ended` follows with the verdict.
    FlagFell(StoppedBy),
    /// A player resigned; `ended` follows with the verdict.
    Resigned(StoppedBy),
    /// The game ended.
    Ended(Ended),
    /// What a rated game has done to the ratings of its players.
    Rated(Rated),

    /// Your move.
    Turn(Turn),
    /// Your command took effect and is durable.
    Ok(OkAnswer),
    /// Your command or frame was rejected, and changed nothing.
    Rejected(Rejected),
    /// The clocks now.
    Clock(Clock),
    /// A player of your game came or went.
    Presence(Presence),
    /// How many connections watch a game.
    Watchers(Watchers),
    /// A challenge as it stands: the answer to `create_challenge`, and notice of your own
    /// challenges and those addressed to you.
    Challenge(Challenge),
    /// A challenge is gone: accepted (then with the game), declined, withdrawn, or its owner
    /// disconnected.
    ChallengeGone(ChallengeGone),
    /// The name of the account of this connection now.
    Name(Name),
    /// The lobby as it stands.
    Lobby(Lobby),
    /// What changed in the lobby.
    LobbyNews(LobbyNews),
    /// The pool in which the account waits.
    Waiting(Waiting),
    /// A chat message in a room of a game.
    Said(Said),
    /// Answers `ping`.
    Pong(Pong),
}

readers!(ServerMessage {
    "move" => Move,
    "turn" => Turn,
    "ok" => Ok,
    "clock" => Clock,
    "welcome" => Welcome,
    "snapshot" => Snapshot,
    "history" => History,
    "started" => Started,
    "draw_offered" => DrawOffered,
    "draw_declined" => DrawDeclined,
    "draw_claimed" => DrawClaimed,
    "absence_claimed" => AbsenceClaimed,
    "takeback_offered" => TakebackOffered,
    "takeback_declined" => TakebackDeclined,
    "taken_back" => TakenBack,
    "time_adjusted" => TimeAdjusted,
    "ilc_asked" => IlcAsked,
    "ilc_remedied" => IlcRemedied,
    "flag_fell" => FlagFell,
    "resigned" => Resigned,
    "ended" => Ended,
    "rated" => Rated,
    "rejected" => Rejected,
    "presence" => Presence,
    "watchers" => Watchers,
    "challenge" => Challenge,
    "challenge_gone" => ChallengeGone,
    "name" => Name,
    "lobby" => Lobby,
    "lobby_news" => LobbyNews,
    "waiting" => Waiting,
    "said" => Said,
    "pong" => Pong,
});

/// `welcome`: answers `hello`, or comes unasked when the upgrade carried an identity.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Welcome {
    /// The account of this connection; null for one that only watches.
    pub account: Option<AccountId>,
    /// The account's name; absent for one that only watches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
    /// The new guest's token: shown this once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub token: Option<String>,
    /// Changes at each start of the server.
    pub boot: BootId,
    /// Changes when the server's data were restored from a copy: what a client remembers may no
    /// longer be true.
    pub epoch: EpochId,
    /// The limits that hold for this connection.
    pub limits: Limits,
}

/// `snapshot`: a game as it stands, with at most its last 200 plies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Snapshot {
    /// The game.
    pub game: GameId,
    /// The seq of the last event in it.
    pub seq: u32,
    /// The seq that made the position on the board.
    pub on: u32,
    /// Standard or Chess960.
    pub variant: WireVariant,
    /// The position the game started from, in FEN.
    pub start_fen: String,
    /// The position on the board, in FEN.
    pub fen: String,
    /// The players.
    pub players: ByColor<PlayerView>,
    /// The clocks' rules.
    pub time_control: TimeControl,
    /// The game's rules.
    pub options: GameOptions,
    /// How many plies were played in all.
    pub ply_count: u32,
    /// The last plies, at most 200, oldest first.
    pub plies: Vec<PlyView>,
    /// What is open: offers, check, the outcome.
    pub state: StateView,
    /// White's clock at the start of the turn, in ms, rounded up; null without a clock.
    pub white_ms: Option<u32>,
    /// Black's.
    pub black_ms: Option<u32>,
    /// When the game began, in seconds of Unix time.
    pub began: u32,
    /// Whether it counts for ratings.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub rated: bool,
    /// Whether it was played elsewhere and imported.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub imported: bool,
    /// What is known of it if it was imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub origin: Option<Box<Origin>>,
    /// What it has done to the ratings of its players, with its corrections; present when it is over and has changed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub ratings: Option<ByColor<RatingStep>>,
    /// The opening of its last position that has a name; only over HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub opening: Option<Box<Opening>>,
}

/// What a game has done to a rating, in whole points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct RatingStep {
    /// The rating before the game.
    pub before: u32,
    /// The rating after it.
    pub after: u32,
    /// Whether too little is known of the player to rely on it.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub provisional: bool,
}

/// `rated`: what a rated game has done to the ratings of its players. It follows `ended`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Rated {
    /// The game.
    pub game: GameId,
    /// White's rating.
    pub white: RatingStep,
    /// Black's.
    pub black: RatingStep,
}

/// `history`: plies of a game, at most 200.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct History {
    /// The id of the `history` this answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
    /// The game.
    pub game: GameId,
    /// The first ply in it, from 1.
    pub from: u32,
    /// How many plies were played in all.
    pub ply_count: u32,
    /// The plies.
    pub plies: Vec<PlyView>,
}

/// `turn`: your move. A bot need handle no other message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Turn {
    /// The game.
    pub game: GameId,
    /// What to send back as `on`.
    pub on: u32,
    /// The position on the board.
    pub fen: String,
    /// Every legal move in UCI.
    pub legal: Vec<Uci>,
    /// White's clock in ms.
    pub white_ms: Option<u32>,
    /// Black's.
    pub black_ms: Option<u32>,
}

/// `ok`: your command took effect and is durable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct OkAnswer {
    /// The command's id; null if it had none.
    pub id: Option<CommandId>,
    /// The game, for a command about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub game: Option<GameId>,
    /// The seq of the first event the command led to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub seq: Option<u32>,
}

/// `rejected`: your command or frame was rejected, and changed nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Rejected {
    /// The command's id; null if it had none or could not be read.
    pub id: Option<CommandId>,
    /// The game, for a command about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub game: Option<GameId>,
    /// The reason; a code never changes its meaning.
    pub code: Code,
    /// The reason in English, for people.
    pub message: String,
}

/// `clock`: the clocks now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Clock {
    /// The id of the `watch` that is answered with this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
    /// The game.
    pub game: GameId,
    /// The event the clocks stand after.
    pub seq: u32,
    /// White's clock now, in ms, rounded up; null without one.
    pub white_ms: Option<u32>,
    /// Black's.
    pub black_ms: Option<u32>,
    /// The side whose clock runs; null if none does.
    pub running: Option<WireColor>,
    /// For how many ms from now the running clock does not count yet: the rest of a delay and of
    /// the lag compensation.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<u32>"))]
    pub stands_ms: u32,
    /// After how many ms the first move of the side to move is late, and the game ends without a
    /// result; present while such a move is awaited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub first_move_ms: Option<u32>,
}

/// `presence`: a player of your game came or went.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Presence {
    /// The game.
    pub game: GameId,
    /// The side of the player.
    pub color: WireColor,
    /// Whether any connection of that player is open.
    pub here: bool,
    /// After how many ms the absence can be claimed; present when it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub claim_in_ms: Option<u32>,
}

/// `watchers`: how many connections watch a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Watchers {
    /// The game.
    pub game: GameId,
    /// How many connections watch, players not counted.
    pub count: u32,
}

/// `challenge`: a challenge as it stands: the answer to `create_challenge`, and notice of your own
/// challenges and those addressed to you.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Challenge {
    /// The id to accept.
    pub challenge: ChallengeId,
    /// The id of the `create_challenge` this answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
    /// The player who offers it.
    pub by: PlayerView,
    /// Only this account may accept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub to: Option<AccountId>,
    /// Whether it is listed in the lobby: a seek.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub seek: bool,
    /// The finished game that this offers a rematch of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rematch_of: Option<GameId>,
    /// The challenger's colour; null: drawn by lot at acceptance.
    pub color: Option<WireColor>,
    /// Standard or Chess960.
    pub variant: WireVariant,
    /// The start position, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub fen: Option<String>,
    /// The clocks.
    pub time_control: TimeControl,
    /// The rules.
    pub options: GameOptions,
    /// Whether the game counts for ratings.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub rated: bool,
    /// The lowest rating of a player who may accept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rating_min: Option<u32>,
    /// The highest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rating_max: Option<u32>,
    /// Who has accepted it while its owner was away: the game begins when both are connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub accepted_by: Option<PlayerView>,
    /// How long it is open from now on, in ms; none for a seek, which ends with its owner's last connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub ends_in_ms: Option<u64>,
}

/// `challenge_gone`: a challenge is gone: it has become a game (then with the game), was declined or withdrawn, or its
/// time has come.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ChallengeGone {
    /// The challenge.
    pub challenge: ChallengeId,
    /// The game it became, if it was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub game: Option<GameId>,
    /// Why it was declined, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub declined: Option<DeclineReason>,
}

/// `name`: the name of the account of this connection now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Name {
    /// The name.
    pub name: String,
}

/// `waiting`: the pool in which the account waits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Waiting {
    /// The pool; null if the account waits in none.
    pub pool: Option<PoolId>,
    /// The game that began, if the account was paired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub game: Option<GameId>,
}

/// `said`: a chat message in a room of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Said {
    /// The game.
    pub game: GameId,
    /// The room.
    pub room: ChatRoom,
    /// The line's number in its room: 1, 2, 3 and so on. The first one that a client gets may be a
    /// later one.
    pub n: u32,
    /// The author.
    pub by: PlayerView,
    /// The text.
    pub text: String,
    /// When, in seconds of Unix time.
    pub at: u32,
}

/// `pong`: answers `ping`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Pong {
    /// The `n` of the `ping`.
    pub n: u32,
    /// When the server wrote this, in seconds of Unix time.
    pub at: u32,
    /// The milliseconds that had passed in that second, 0 to 999.
    pub ms: u32,
}
