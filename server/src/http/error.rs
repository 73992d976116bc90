//! Every way in which an HTTP request can fail, and the one place that maps each to a status and a
//! code. What the client gets is written in `failure`.

use std::fmt;
use std::time::Duration;

use http::StatusCode;
use zeitnot_protocol::{Code, Needs};
use zeitnot_rules::notation::fen::FenError;

use crate::accounts::{AccountError, BadName, BadPassword};
use crate::admin::NotDone;
use crate::analysis::position::NotPlayable;
use crate::archive::Busy;
use crate::net::{NotCut, TooMany};
use crate::tasks::Overloaded;

/// Why a request failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ApiError {
    /// No such path.
    #[error("there is nothing here; the API is described in docs/protocol.md")]
    NotFound,
    /// The path does not know this method.
    #[error("this path does not know that method")]
    MethodNotAllowed,
    /// No such game, or what was asked for is not an id.
    #[error("there is no such game")]
    UnknownGame,
    /// What should be a position is none.
    #[error("start is not the FEN of a possible position: {0}")]
    BadFen(FenError),
    /// A move of those that were sent cannot be played.
    #[error("move {} cannot be played: {}", .0.ply, .0.why)]
    BadMove(NotPlayable),
    /// No such open challenge, or what was asked for is not an id.
    #[error("there is no such challenge, or no longer")]
    UnknownChallenge,
    /// The challenge is over: why.
    #[error("{}", .0.meaning())]
    ChallengeOver(Code),
    /// No account has this id or this name.
    #[error("there is no such account")]
    UnknownAccount,
    /// The value of `before=` was not the `next` of a page.
    #[error("before is not the next of a page")]
    BadCursor,
    /// A parameter of the query has a value that it cannot have, comes twice, or needs another one.
    #[error("the parameter {0} has no value that it can have here; docs/protocol.md says which there are")]
    BadParameter(&'static str),
    /// A parameter of the query that the path does not know.
    #[error("this path does not know the parameter {0}; docs/protocol.md says which there are")]
    UnknownParameter(Quoted),
    /// `/ws` without a WebSocket upgrade, or with a broken one.
    #[error("this path is for WebSocket clients: {0}")]
    BadUpgrade(&'static str),
    /// A WebSocket version other than 13 (RFC 6455, 4.4).
    #[error("only version 13 of the WebSocket protocol is spoken here")]
    BadWebSocketVersion,
    /// None of the offered subprotocols is one of ours.
    #[error("the offered subprotocols are not spoken here; offer zeitnot.v1.json, or none")]
    UnknownSubprotocol,
    /// `Authorization` is there and is not `Bearer` with one token.
    #[error("the Authorization header is not `Bearer` and a token")]
    BadAuthorization,
    /// No account has this token.
    #[error("no account has this token")]
    BadToken,
    /// The token is not for this.
    #[error("{}", missing(*.0))]
    MissingScope(Needs),
    /// Neither a bearer token nor a cookie.
    #[error("this needs a token or a cookie; POST /api/guest makes a guest")]
    NoIdentity,
    /// A browser's request from another site's page.
    #[error("this is not for pages of other sites")]
    BadOrigin,
    /// The body is longer than any that is needed.
    #[error("the body is longer than any that this path reads")]
    BodyTooLong,
    /// The body takes too long.
    #[error("the body did not come in time")]
    BodyTooSlow,
    /// The body is not what the path reads.
    #[error("the body is not a JSON object, or not a form")]
    BadBody,
    /// A field is missing, or is of another type.
    #[error("the field {0} is missing, or is not what it should be")]
    BadField(&'static str),
    /// Nobody can have this name.
    #[error("{0}")]
    BadName(BadName),
    /// Somebody has this name, or had it when the account was closed.
    #[error("somebody has this name; choose another one")]
    NameTaken,
    /// Nobody can have this password.
    #[error("{0}")]
    BadPassword(BadPassword),
    /// No account has this name and this password.
    #[error("no account has this name and this password")]
    WrongPassword,
    /// No account has this name and this recovery code.
    #[error("no account has this name and this recovery code")]
    WrongCode,
    /// The account has a second factor, which was not shown.
    #[error("this account has a second factor; send its code as second_factor")]
    SecondFactorNeeded,
    /// It is no code of the second factor now, or was used already.
    #[error("this is no code of the second factor, or no longer, or it was used already")]
    WrongSecondFactor,
    /// The account has a second factor already.
    #[error("this account has a second factor already; take it away first")]
    HasSecondFactor,
    /// The account has no second factor.
    #[error("this account has no second factor")]
    NoSecondFactor,
    /// The account has not the role.
    #[error("this account is no admin's")]
    NotAdmin,
    /// The account that it is about has the role.
    #[error("this account is an admin's: only whoever runs the server can do this to it")]
    IsAdmin,
    /// Not over HTTP.
    #[error("only whoever runs the server can do this, with `zeitnot admin`")]
    ConsoleOnly,
    /// The account may post.
    #[error("this account is not muted")]
    NotMuted,
    /// The network cannot be cut.
    #[error("{0}")]
    BadNetwork(NotCut),
    /// The network is answered.
    #[error("this network is not cut")]
    NotCut,
    /// As many mutes or cuts are in force as there may be.
    #[error("as many of them are in force as there may be")]
    TooManyInForce,
    /// The network of the client was cut.
    #[error("whoever runs this server does not answer your address for a time")]
    CutOff,
    /// The body is no act of an admin.
    #[error("this is no act that this server knows")]
    BadAct,
    /// The account is a guest's.
    #[error("this needs a registered account")]
    NotRegistered,
    /// The account is registered already.
    #[error("this account is registered already; sign out first")]
    AlreadyRegistered,
    /// The account has played rated games as a person.
    #[error("only an account that has not played a rated game can become a bot")]
    HasRatedGames,
    /// A game of the account has not ended.
    #[error("a game of yours has not ended; this can be done when none is played")]
    HasLiveGames,
    /// The account has as many API tokens as it may.
    #[error("you have as many API tokens as one may have; revoke one first")]
    TooManyTokens,
    /// It has blocked as many others as one may, or all together have.
    #[error("as many accounts are blocked as may be; unblock one first")]
    TooManyBlocks,
    /// No report waits with this number.
    #[error("no report waits with this number")]
    UnknownReport,
    /// The game goes on.
    #[error("this game has not ended")]
    NotEnded,
    /// The game was played elsewhere.
    #[error("this game was imported; only the results of games that were played here are corrected")]
    ImportedGame,
    /// The game has this result.
    #[error("this game counts as that already")]
    SameResult,
    /// The game was corrected too often.
    #[error("this game was corrected as often as a game may be")]
    TooManyCorrections,
    /// As many reports wait as there may be.
    #[error("as many reports wait as there may be; try again when the admins have read some")]
    TooManyReports,
    /// What is asked for is about another account.
    #[error("this is your own account")]
    OwnAccount,
    /// The account has no such API token.
    #[error("you have no such API token")]
    UnknownToken,
    /// The account has no such session.
    #[error("there is no such session")]
    UnknownSession,
    /// There were too many tries.
    #[error("there were too many tries; try again after Retry-After seconds")]
    TooManyAttempts {
        /// The seconds until the next one is allowed.
        after_s: u32,
    },
    /// Too many wait for the hash of a password.
    #[error("too many sign in just now; try again in a moment")]
    TooManySignIns,
    /// The address has as many connections as it may.
    #[error("there are too many connections from your address")]
    TooManyConnections,
    /// The address connects too often.
    #[error("your address connects too often")]
    TooManyNewConnections,
    /// The address has made too many guests.
    #[error("your address has made too many guests; try later")]
    TooManyGuests,
    /// The requests of the address or of the account cost too much.
    #[error(
        "there are too many requests from your address or your account; ask again after Retry-After seconds"
    )]
    TooManyRequests {
        /// The seconds until this very request is allowed.
        after_s: u32,
    },
    /// The address has named too many tokens that no account has.
    #[error("your address has named too many tokens that no account has; try later")]
    TooManyBadTokens,
    /// There is no `Host` in the request, or more than one, or something that is no host.
    #[error("a request names its host in one Host header")]
    BadHost,
    /// The server stops, or has not started.
    #[error("the server is stopping; connect again in a moment")]
    NotReady,
    /// The disk takes no appends.
    #[error("the disk has taken nothing for seconds; games wait for it")]
    DiskHangs,
    /// What is asked for cannot be read now.
    #[error("this cannot be answered now; ask again a little later")]
    Unavailable,
    /// What is kept of what is asked for is not as it was written.
    #[error("what is kept of this is damaged; whoever runs the server can restore it")]
    Damaged,
    /// The connection cannot be upgraded: a bug of ours.
    #[error("something went wrong here")]
    Internal,
}

fn missing(needs: Needs) -> String {
    match needs {
        Needs::Scope(scope) => format!("this needs a token with the scope {scope}"),
        Needs::Session => "this needs a session; no scope is enough".to_owned(),
    }
}

/// The beginning of what a client wrote, for a message: letters, digits and underscores of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quoted {
    text: [u8; Self::CHARS_MAX],
    length: usize,
}

impl Quoted {
    const CHARS_MAX: usize = 24;

    /// Of no text.
    const NOTHING: Self = Self { text: [0; Self::CHARS_MAX], length: 0 };

    /// Of this text.
    pub(crate) fn of(text: &str) -> Self {
        let mut quoted = Self::NOTHING;
        let plain = text.bytes().filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        for (place, byte) in quoted.text.iter_mut().zip(plain) {
            *place = byte;
            quoted.length += 1;
        }
        quoted
    }
}

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.text[..self.length]).unwrap_or_default())
    }
}

impl fmt::Debug for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Quoted({self})")
    }
}

impl ApiError {
    /// The code in the body of the answer.
    pub(crate) const fn code(self) -> &'static str {
        self.status_and_code().1
    }

    /// The status of the answer.
    pub(crate) const fn status(self) -> StatusCode {
        self.status_and_code().0
    }

    /// The status that answers with this code have; `None`: no answer of the API has it.
    pub(crate) fn status_of(code: &str) -> Option<StatusCode> {
        Self::OF_THE_API
            .iter()
            .map(|error| error.status_and_code())
            .find(|known| known.1 == code)
            .map(|(status, _)| status)
    }

    /// One error for each code that an operation of the API can give.
    const OF_THE_API: [Self; 64] = [
        Self::NotFound,
        Self::UnknownGame,
        Self::BadFen(FenError::RankCount),
        Self::BadMove(NotPlayable { ply: 1, why: "" }),
        Self::UnknownChallenge,
        Self::ChallengeOver(Code::ChallengeExpired),
        Self::ChallengeOver(Code::ChallengeCancelled),
        Self::ChallengeOver(Code::ChallengeDeclined),
        Self::ChallengeOver(Code::ChallengeTaken),
        Self::UnknownAccount,
        Self::BadCursor,
        Self::BadParameter(""),
        Self::UnknownParameter(Quoted::NOTHING),
        Self::BadAuthorization,
        Self::BadToken,
        Self::MissingScope(Needs::Session),
        Self::NoIdentity,
        Self::BadOrigin,
        Self::BodyTooLong,
        Self::BodyTooSlow,
        Self::BadBody,
        Self::BadField(""),
        Self::BadName(BadName::Reserved),
        Self::NameTaken,
        Self::BadPassword(BadPassword::TooShort),
        Self::WrongPassword,
        Self::WrongCode,
        Self::SecondFactorNeeded,
        Self::WrongSecondFactor,
        Self::HasSecondFactor,
        Self::NoSecondFactor,
        Self::NotAdmin,
        Self::IsAdmin,
        Self::ConsoleOnly,
        Self::BadAct,
        Self::NotMuted,
        Self::BadNetwork(NotCut::Unreadable),
        Self::NotCut,
        Self::TooManyInForce,
        Self::CutOff,
        Self::NotRegistered,
        Self::AlreadyRegistered,
        Self::HasRatedGames,
        Self::HasLiveGames,
        Self::TooManyTokens,
        Self::TooManyBlocks,
        Self::OwnAccount,
        Self::TooManyReports,
        Self::UnknownReport,
        Self::NotEnded,
        Self::ImportedGame,
        Self::SameResult,
        Self::TooManyCorrections,
        Self::UnknownToken,
        Self::UnknownSession,
        Self::TooManyAttempts { after_s: 1 },
        Self::TooManySignIns,
        Self::TooManyGuests,
        Self::TooManyRequests { after_s: 1 },
        Self::TooManyBadTokens,
        Self::BadHost,
        Self::Unavailable,
        Self::Damaged,
        Self::Internal,
    ];

    /// The status of the answer, and the code in its body.
    const fn status_and_code(self) -> (StatusCode, &'static str) {
        match self {
            Self::NotFound => (StatusCode::NOT_FOUND, "not_found"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"),
            Self::UnknownGame => (StatusCode::NOT_FOUND, "unknown_game"),
            Self::BadFen(_) => (StatusCode::BAD_REQUEST, "bad_fen"),
            Self::BadMove(_) => (StatusCode::BAD_REQUEST, "illegal_move"),
            Self::UnknownChallenge => (StatusCode::NOT_FOUND, "unknown_challenge"),
            Self::ChallengeOver(why) => (StatusCode::GONE, why.as_str()),
            Self::UnknownAccount => (StatusCode::NOT_FOUND, "unknown_account"),
            Self::BadCursor => (StatusCode::BAD_REQUEST, "bad_cursor"),
            Self::BadParameter(_) => (StatusCode::BAD_REQUEST, "bad_parameter"),
            Self::UnknownParameter(_) => (StatusCode::BAD_REQUEST, "unknown_parameter"),
            Self::BadUpgrade(_) => (StatusCode::BAD_REQUEST, "bad_upgrade"),
            Self::BadWebSocketVersion => (StatusCode::UPGRADE_REQUIRED, "bad_websocket_version"),
            Self::UnknownSubprotocol => (StatusCode::BAD_REQUEST, "unknown_subprotocol"),
            Self::BadAuthorization => (StatusCode::BAD_REQUEST, "bad_authorization"),
            Self::BadToken => (StatusCode::UNAUTHORIZED, "bad_token"),
            Self::MissingScope(_) => (StatusCode::FORBIDDEN, "missing_scope"),
            Self::NoIdentity => (StatusCode::UNAUTHORIZED, "no_identity"),
            Self::BadOrigin => (StatusCode::FORBIDDEN, "bad_origin"),
            Self::BodyTooLong => (StatusCode::PAYLOAD_TOO_LARGE, "body_too_long"),
            Self::BodyTooSlow => (StatusCode::REQUEST_TIMEOUT, "body_too_slow"),
            Self::BadBody => (StatusCode::BAD_REQUEST, "bad_body"),
            Self::BadField(_) => (StatusCode::BAD_REQUEST, "bad_field"),
            Self::BadName(_) => (StatusCode::BAD_REQUEST, "bad_name"),
            Self::NameTaken => (StatusCode::CONFLICT, "name_taken"),
            Self::BadPassword(_) => (StatusCode::BAD_REQUEST, "bad_password"),
            Self::WrongPassword => (StatusCode::FORBIDDEN, "wrong_password"),
            Self::WrongCode => (StatusCode::FORBIDDEN, "wrong_code"),
            Self::SecondFactorNeeded => (StatusCode::FORBIDDEN, "second_factor_needed"),
            Self::WrongSecondFactor => (StatusCode::FORBIDDEN, "wrong_second_factor"),
            Self::HasSecondFactor => (StatusCode::CONFLICT, "has_second_factor"),
            Self::NoSecondFactor => (StatusCode::CONFLICT, "no_second_factor"),
            Self::NotAdmin => (StatusCode::FORBIDDEN, "not_admin"),
            Self::IsAdmin => (StatusCode::FORBIDDEN, "is_admin"),
            Self::ConsoleOnly => (StatusCode::FORBIDDEN, "console_only"),
            Self::BadAct => (StatusCode::BAD_REQUEST, "bad_act"),
            Self::NotMuted => (StatusCode::CONFLICT, "not_muted"),
            Self::BadNetwork(_) => (StatusCode::BAD_REQUEST, "bad_network"),
            Self::NotCut => (StatusCode::CONFLICT, "not_cut"),
            Self::TooManyInForce => (StatusCode::CONFLICT, "too_many_in_force"),
            Self::CutOff => (StatusCode::FORBIDDEN, "cut_off"),
            Self::NotRegistered => (StatusCode::FORBIDDEN, "not_registered"),
            Self::AlreadyRegistered => (StatusCode::CONFLICT, "already_registered"),
            Self::HasRatedGames => (StatusCode::CONFLICT, "has_rated_games"),
            Self::HasLiveGames => (StatusCode::CONFLICT, "has_live_games"),
            Self::TooManyTokens => (StatusCode::CONFLICT, "too_many_tokens"),
            Self::TooManyBlocks => (StatusCode::CONFLICT, "too_many_blocks"),
            Self::UnknownReport => (StatusCode::NOT_FOUND, "unknown_report"),
            Self::NotEnded => (StatusCode::CONFLICT, "not_ended"),
            Self::ImportedGame => (StatusCode::CONFLICT, "imported_game"),
            Self::SameResult => (StatusCode::CONFLICT, "same_result"),
            Self::TooManyCorrections => (StatusCode::CONFLICT, "too_many_corrections"),
            Self::TooManyReports => (StatusCode::CONFLICT, "too_many_reports"),
            Self::OwnAccount => (StatusCode::BAD_REQUEST, "own_account"),
            Self::UnknownToken => (StatusCode::NOT_FOUND, "unknown_token"),
            Self::UnknownSession => (StatusCode::NOT_FOUND, "unknown_session"),
            Self::TooManyAttempts { .. } => (StatusCode::TOO_MANY_REQUESTS, "too_many_attempts"),
            Self::TooManySignIns => (StatusCode::TOO_MANY_REQUESTS, "too_many_sign_ins"),
            Self::TooManyConnections => (StatusCode::TOO_MANY_REQUESTS, "too_many_connections"),
            Self::TooManyNewConnections => (StatusCode::TOO_MANY_REQUESTS, "too_many_new_connections"),
            Self::TooManyGuests => (StatusCode::TOO_MANY_REQUESTS, "too_many_guests"),
            Self::TooManyRequests { .. } => (StatusCode::TOO_MANY_REQUESTS, "too_many_requests"),
            Self::TooManyBadTokens => (StatusCode::TOO_MANY_REQUESTS, "too_many_bad_tokens"),
            Self::BadHost => (StatusCode::BAD_REQUEST, "bad_host"),
            Self::NotReady | Self::DiskHangs => (StatusCode::SERVICE_UNAVAILABLE, "not_ready"),
            Self::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
            Self::Damaged => (StatusCode::INTERNAL_SERVER_ERROR, "damaged"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }
}

impl ApiError {
    /// Why something kept was not read.
    pub(crate) const fn of_read(code: Code) -> Self {
        match code {
            Code::Damaged => Self::Damaged,
            _ => Self::Unavailable,
        }
    }

    /// Why a token was not looked up.
    pub(crate) const fn of_token(code: Code) -> Self {
        match code {
            Code::TooManyBadTokens => Self::TooManyBadTokens,
            _ => Self::Unavailable,
        }
    }
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::BadName(why) => Self::BadName(why),
            AccountError::NameTaken => Self::NameTaken,
            AccountError::BadPassword(why) => Self::BadPassword(why),
            AccountError::WrongPassword => Self::WrongPassword,
            AccountError::WrongCode => Self::WrongCode,
            AccountError::SecondFactorNeeded => Self::SecondFactorNeeded,
            AccountError::WrongSecondFactor => Self::WrongSecondFactor,
            AccountError::HasSecondFactor => Self::HasSecondFactor,
            AccountError::NoSecondFactor => Self::NoSecondFactor,
            AccountError::NotAdmin => Self::NotAdmin,
            AccountError::IsAdmin => Self::IsAdmin,
            AccountError::NotRegistered => Self::NotRegistered,
            AccountError::AlreadyRegistered => Self::AlreadyRegistered,
            AccountError::HasRatedGames => Self::HasRatedGames,
            AccountError::TooManyTokens => Self::TooManyTokens,
            AccountError::TooManyReports => Self::TooManyReports,
            AccountError::TooManyBlocks => Self::TooManyBlocks,
            AccountError::TooManyAttempts(wait) => Self::TooManyAttempts { after_s: whole_seconds(wait) },
            AccountError::TooManyGuests => Self::TooManyGuests,
            AccountError::Busy => Self::TooManySignIns,
            AccountError::Unavailable => Self::Unavailable,
            AccountError::Damaged => Self::Damaged,
        }
    }
}

impl From<NotDone> for ApiError {
    fn from(why: NotDone) -> Self {
        match why {
            NotDone::UnknownName(_) => Self::UnknownAccount,
            NotDone::Guest(_) | NotDone::GuestName(_) | NotDone::Bot(_) => Self::NotRegistered,
            NotDone::BadName(why) => Self::BadName(why),
            NotDone::NameTaken(_) => Self::NameTaken,
            NotDone::NotAdmin(_) => Self::NotAdmin,
            NotDone::IsAdmin(_) | NotDone::IsAnAdmin(_) => Self::IsAdmin,
            NotDone::Plays(_) => Self::HasLiveGames,
            NotDone::HasRatedGames(_) => Self::HasRatedGames,
            NotDone::TooManyTokens(_) => Self::TooManyTokens,
            NotDone::ConsoleOnly => Self::ConsoleOnly,
            NotDone::NotMuted(_) => Self::NotMuted,
            NotDone::NotCut(why) => Self::BadNetwork(why),
            NotDone::NoCut(_) => Self::NotCut,
            NotDone::TooMany(_) => Self::TooManyInForce,
            NotDone::NoReport(_) => Self::UnknownReport,
            NotDone::UnknownGame(_) => Self::UnknownGame,
            NotDone::NotEnded(_) => Self::NotEnded,
            NotDone::Imported(_) => Self::ImportedGame,
            NotDone::SameResult(..) => Self::SameResult,
            NotDone::TooManyCorrections(_) => Self::TooManyCorrections,
            NotDone::DamagedGame(_) => Self::Damaged,
            NotDone::Unavailable => Self::Unavailable,
        }
    }
}

/// At least one: a client that waits so long is let through.
pub(crate) fn whole_seconds(wait: Duration) -> u32 {
    u32::try_from(wait.as_millis().div_ceil(1_000)).unwrap_or(u32::MAX).max(1)
}

impl From<Overloaded> for ApiError {
    fn from(_: Overloaded) -> Self {
        Self::Unavailable
    }
}

impl From<Busy> for ApiError {
    fn from(busy: Busy) -> Self {
        match busy {
            Busy::Payer => Self::TooManyRequests { after_s: 1 },
            Busy::Archive => Self::Unavailable,
            Busy::Died => Self::Internal,
        }
    }
}

impl From<TooMany> for ApiError {
    fn from(why: TooMany) -> Self {
        match why {
            TooMany::Connections => Self::TooManyConnections,
            TooMany::NewConnections => Self::TooManyNewConnections,
        }
    }
}
