//! The codes of every reason to reject a frame or a command.
//!
//! The table of codes in `docs/protocol.md` is this one, word for word; a test compares them. A
//! code never changes its meaning. New codes may be added, so a client treats an unknown code as a
//! rejection without a known reason.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use zeitnot_rules::game::Rejection;

/// The text is not a [`Code`] of this version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a code of this version")]
pub struct UnknownCode;

macro_rules! codes {
    ($($(#[doc = $meaning:literal])+ $name:ident = $text:literal,)+) => {
        /// Why a frame or a command was rejected. It changed nothing.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum Code {
            $($(#[doc = $meaning])+ $name,)+
        }

        impl Code {
            /// Every code, in the order of the document.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The code as it is written on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// The meaning, for people.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($($meaning),+).trim_ascii(),)+
                }
            }
        }

        impl FromStr for Code {
            type Err = UnknownCode;

            fn from_str(text: &str) -> Result<Self, UnknownCode> {
                match text {
                    $($text => Ok(Self::$name),)+
                    _ => Err(UnknownCode),
                }
            }
        }
    };
}

codes! {
    /// The frame is not JSON.
    NotJson = "not_json",
    /// The frame is JSON, but not an object with one string `t` and at most one `d`.
    NotAMessage = "not_a_message",
    /// There is no message of this type.
    UnknownType = "unknown_type",
    /// A field of `d` is missing, given twice, of the wrong type or out of range; `message` names
    /// it.
    BadField = "bad_field",
    /// Frames are text.
    BinaryFrame = "binary_frame",

    /// Say `hello` first.
    HelloFirst = "hello_first",
    /// The connection has said `hello`, or came with an identity; to change it, connect again.
    AlreadyIdentified = "already_identified",
    /// No account has this token.
    BadToken = "bad_token",
    /// This address has named too many tokens that no account has; try later. The token was not looked at.
    TooManyBadTokens = "too_many_bad_tokens",
    /// This address has made too many guests; try later.
    TooManyGuests = "too_many_guests",
    /// This connection only watches; this needs an account.
    NoAccount = "no_account",
    /// The token of this connection is not for this; `message` names the scope that it would need.
    MissingScope = "missing_scope",
    /// The server cannot do this now; send it again a little later.
    Unavailable = "unavailable",

    /// There is no such game.
    UnknownGame = "unknown_game",
    /// What is kept of this game is damaged. Asking again does not help; whoever runs the server can
    /// restore it.
    Damaged = "damaged",
    /// You do not play in this game.
    NotYourGame = "not_your_game",
    /// This connection watches as many games as it may.
    TooManyWatched = "too_many_watched",

    /// There is no such challenge, or no longer.
    UnknownChallenge = "unknown_challenge",
    /// Your own challenge is for others to accept.
    OwnChallenge = "own_challenge",
    /// Not your challenge to cancel or to decline, or addressed to somebody else.
    NotForYou = "not_for_you",
    /// There is no such account to challenge.
    UnknownAccount = "unknown_account",
    /// The time control cannot be played; `message` says why.
    BadTimeControl = "bad_time_control",
    /// The start position is not one a game can start from; `message` says why.
    BadPosition = "bad_position",
    /// These options do not go together; `message` says which.
    BadOptions = "bad_options",
    /// The game cannot be rated; `message` says why.
    NotRated = "not_rated",
    /// The seek is for players with other ratings than yours.
    OtherRating = "other_rating",
    /// The time of this challenge is over.
    ChallengeExpired = "challenge_expired",
    /// The player who offered this game has withdrawn it, or has gone.
    ChallengeCancelled = "challenge_cancelled",
    /// The player who was challenged has declined.
    ChallengeDeclined = "challenge_declined",
    /// Somebody else has accepted this challenge.
    ChallengeTaken = "challenge_taken",
    /// The pools of this server are for people: bots play by challenges.
    NotForBots = "not_for_bots",
    /// One of you has blocked the other.
    Blocked = "blocked",
    /// This player takes no such challenges, or none from you.
    NotAccepting = "not_accepting",
    /// You, your address, the one you challenge or all together have as many open challenges as
    /// may be.
    TooManyChallenges = "too_many_challenges",
    /// You have challenged this player, and that challenge is open.
    AlreadyChallenged = "already_challenged",
    /// You do this too often: wait a little.
    TooFast = "too_fast",
    /// You or the challenger have as many live games as one may.
    TooManyGames = "too_many_games",
    /// Too many games have begun lately: yours, the other player's or those from your address. Try a
    /// little later.
    TooManyNewGames = "too_many_new_games",
    /// The server has as many games in progress as it may; try later.
    ServerFull = "server_full",
    /// The game is not over: there is nothing to play again yet.
    NotOver = "not_over",

    /// The name is reserved, or has a length or a character that names do not have; `message` says which.
    BadName = "bad_name",
    /// Another account has this name.
    NameTaken = "name_taken",
    /// The line is empty, too long, or has control characters or too many combining marks; `message`
    /// says which.
    BadText = "bad_text",
    /// You post too much: wait a little.
    ChatTooFast = "chat_too_fast",
    /// You may not post for a time; `message` says until when.
    Muted = "muted",
    /// You are not in this room: players post in one, spectators in another.
    NotYourRoom = "not_your_room",

    /// The game is over, or waits for its verdict.
    GameOver = "game_over",
    /// It is the other side's turn.
    NotYourTurn = "not_your_turn",
    /// The move is not legal in this position.
    IllegalMove = "illegal_move",
    /// The command speaks of an earlier position, or an earlier offer.
    Stale = "stale",
    /// The command came when the flag had fallen.
    TimeIsUp = "time_is_up",
    /// There is no such open offer of the opponent.
    NoOffer = "no_offer",
    /// An offer of this kind is open, or the one you have until the opponent moves is used up.
    AlreadyOffered = "already_offered",
    /// Too few plies since your last offer, or before the move at which offers begin.
    OfferTooEarly = "offer_too_early",
    /// A draw cannot be agreed before both sides have moved.
    BothMustMove = "both_must_move",
    /// The game's rules do not know this command.
    NotInProfile = "not_in_profile",
    /// A draw was already claimed on this move.
    AlreadyClaimed = "already_claimed",
    /// Each side has moved: the game can no longer be aborted.
    TooLateToAbort = "too_late_to_abort",
    /// The opponent is here, or has not been away for long enough.
    NotAbsent = "not_absent",
    /// There is no move of yours to take back.
    NothingToTakeBack = "nothing_to_take_back",
    /// The amount of time is out of range, or would take a clock over its limit.
    BadAmount = "bad_amount",
    /// Insufficient losing chances cannot be asked for now.
    IlcNotPossible = "ilc_not_possible",
    /// The game has had as many events beyond its moves as it may: nobody offers or gives anything more.
    TooManyOffers = "too_many_offers",
    /// Nothing is due; no command of a player is answered with this today.
    NothingDue = "nothing_due",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<Rejection> for Code {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::GameOver => Self::GameOver,
            Rejection::NotYourTurn => Self::NotYourTurn,
            Rejection::IllegalMove => Self::IllegalMove,
            Rejection::Stale => Self::Stale,
            Rejection::TimeIsUp => Self::TimeIsUp,
            Rejection::NoOffer => Self::NoOffer,
            Rejection::AlreadyOffered => Self::AlreadyOffered,
            Rejection::OfferTooEarly => Self::OfferTooEarly,
            Rejection::BothMustMove => Self::BothMustMove,
            Rejection::NotInProfile => Self::NotInProfile,
            Rejection::AlreadyClaimed => Self::AlreadyClaimed,
            Rejection::TooLateToAbort => Self::TooLateToAbort,
            Rejection::NotAbsent => Self::NotAbsent,
            Rejection::NothingToTakeBack => Self::NothingToTakeBack,
            Rejection::BadAmount => Self::BadAmount,
            Rejection::IlcNotPossible => Self::IlcNotPossible,
            Rejection::TooManyOffers => Self::TooManyOffers,
            Rejection::NothingDue => Self::NothingDue,
        }
    }
}
