//! Why the server closes a connection, and whether to reconnect.
//!
//! The number decides: after 1012 and 4000 to 4499 a client reconnects, after 4500 to 4999 it does
//! not. The text of the reason is JSON and says after how many milliseconds.

use serde::{Deserialize, Serialize};

macro_rules! close_codes {
    ($($(#[doc = $meaning:literal])+ $name:ident = $number:literal, $text:literal,)+) => {
        /// A close code that the server sends.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum CloseCode {
            $($(#[doc = $meaning])+ $name,)+
        }

        impl CloseCode {
            /// Every close code, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The number in the close frame.
            #[must_use]
            pub const fn number(self) -> u16 {
                match self {
                    $(Self::$name => $number,)+
                }
            }

            /// The close code of a number.
            #[must_use]
            pub const fn from_number(number: u16) -> Option<Self> {
                match number {
                    $($number => Some(Self::$name),)+
                    _ => None,
                }
            }

            /// The name in the reason's text.
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
    };
}

close_codes! {
    /// A frame was not UTF-8 (RFC 6455 section 8.1).
    NotUtf8 = 1007, "not_utf8",
    /// A message was longer than `frame_in_bytes`.
    TooBig = 1009, "too_big",
    /// The server stops or starts again.
    Restart = 1012, "restart",
    /// Frames came faster than you read them.
    SlowReader = 4000, "slow_reader",
    /// The server had too much to do to take your command; it may not have been looked at.
    Overloaded = 4001, "overloaded",
    /// No pong, or nothing at all, came for `pong_timeout_ms`.
    NoPong = 4002, "no_pong",
    /// No `hello` came within `hello_timeout_ms`, or none but an empty one and then neither `watch`
    /// nor `enter_lobby`.
    NoHello = 4003, "no_hello",
    /// A game of yours must be recovered from what is stored.
    GameReset = 4004, "game_reset",
    /// More than `bad_frames` unreadable frames came within `bad_frames_window_ms`.
    BadFrames = 4500, "bad_frames",
    /// The account has `connections_per_account` others open.
    TooManyConnections = 4501, "too_many_connections",
    /// More than `frames_over` frames came at once although the connection was at its rate.
    Flood = 4502, "flood",
    /// The token of this account was revoked or has expired: it names nobody any more.
    Revoked = 4503, "revoked",
    /// More than `bad_tokens_per_connection` tokens that no account has came in `hello`.
    BadTokens = 4504, "bad_tokens",
    /// Whoever runs the server does not answer your address for a time.
    CutOff = 4505, "cut_off",
}

impl CloseCode {
    /// Whether a client should connect again: 1012, and 4000 to 4499.
    #[must_use]
    pub const fn come_back(self) -> bool {
        matches!(self.number(), 1012 | 4000..=4499)
    }
}

/// The text of a close frame's reason, such as `{"code":"slow_reader","retry_ms":1830}`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct CloseReason {
    /// The code's name.
    pub code: CloseCode,
    /// After how many ms to connect again, drawn by lot so that not all clients come back at once.
    /// Absent: do not reconnect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub retry_ms: Option<u32>,
}

impl CloseReason {
    /// The reason for a code. `retry_ms` is left out where the code says not to reconnect.
    #[must_use]
    pub const fn new(code: CloseCode, retry_ms: u32) -> Self {
        Self { code, retry_ms: if code.come_back() { Some(retry_ms) } else { None } }
    }

    /// As JSON: at most 123 bytes, what a close frame can carry.
    #[must_use]
    pub fn to_text(self) -> String {
        serde_json::to_string(&self).expect("two plain fields always serialise")
    }
}
