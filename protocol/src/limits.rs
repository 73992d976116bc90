//! Every limit of the protocol, with its reason.
//!
//! `welcome` shows this table, and the table of limits in `docs/protocol.md` is this one, word for
//! word; a test compares them. The server enforces the limits. Its flags may raise those per
//! address, so a client reads `welcome`.

use serde::{Deserialize, Serialize};

macro_rules! limits {
    ($($(#[doc = $reason:literal])+ $name:ident = $value:literal,)+) => {
        /// The limits that hold for a connection. A limit that an older server does not send has
        /// its standard value.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
        #[serde(default)]
        pub struct Limits {
            $($(#[doc = $reason])+ pub $name: u32,)+
        }

        impl Limits {
            /// The limits that hold unless the server's flags change them.
            pub const STANDARD: Self = Self { $($name: $value,)+ };

            /// Name, standard value and reason of each, in the order of the document.
            pub const TABLE: &[(&str, u32, &str)] = &[
                $((stringify!($name), $value, concat!($($reason),+).trim_ascii()),)+
            ];
        }
    };
}

limits! {
    /// A longer message closes the connection with 1009. The longest useful one is a challenge with
    /// 16 periods, under 2 KiB.
    frame_in_bytes = 4096,
    /// The server sends none longer, so a client may read into a buffer of this size.
    frame_out_bytes = 32768,
    /// Plies in a `snapshot` or `history`: what fits in a frame.
    plies_per_frame = 200,
    /// How often the server sends a WebSocket ping: often enough for a round trip per move.
    ping_every_ms = 5000,
    /// A connection without a pong for this long is closed with 4002: two pings went unanswered, the
    /// first for 5 s. So a player whose line is dead is seen away within that time.
    pong_timeout_ms = 10000,
    /// A connection without an identity says `hello` within this time, and `watch` or `enter_lobby`
    /// if it only watches, or is closed with 4003.
    hello_timeout_ms = 10000,
    /// Unreadable frames within `bad_frames_window_ms` that are answered; the next one closes with
    /// 4500.
    bad_frames = 10,
    /// The window in which `bad_frames` are counted: it lets a person try things by hand.
    bad_frames_window_ms = 10000,
    /// Frames per second that are read from a connection on average; more wait in the network. A
    /// bot in 50 fast games stays under it. A flag sets it.
    frames_per_second = 100,
    /// Frames that are read at once after a quiet time. A flag sets it.
    frames_burst = 200,
    /// Frames beyond the rate that may come at once; more is a flood and closes with 4502. One for
    /// each game a bot plays.
    frames_over = 64,
    /// Open connections of one account: browser tabs, a phone and a bot. One more is closed with
    /// 4501.
    connections_per_account = 8,
    /// Games a connection may watch beside the account's own: a wall of boards.
    watched_games = 64,
    /// Open challenges of one account.
    challenges_per_account = 16,
    /// How many of them may be seeks, so that nobody fills the lobby alone.
    seeks_per_account = 3,
    /// Open challenges of one account to another, rematches included: one stranger fills nobody's
    /// list. One more gets `already_challenged`.
    challenges_per_pair = 1,
    /// Challenges, seeks and rematches that an account makes in a minute, all at once if need be:
    /// others are told of each. More get `too_fast`. A flag sets it.
    challenges_per_account_per_minute = 30,
    /// Those of them that go to the same account: enough to agree on terms, and for rematches of the
    /// shortest games. More get `too_fast`.
    challenges_per_pair_per_minute = 6,
    /// Live games of one account: each connection gets all their snapshots.
    live_games_per_account = 64,
    /// Games of one account that begin in a minute, all at once if need be: an exhibition on as many
    /// boards as one may have. More get `too_many_new_games`. A flag sets it.
    games_per_account_per_minute = 64,
    /// Games that begin in a minute for players at one address, who accept them or get them from a
    /// pool: a school of 240 pupils begins a round at once. One with the server's own computer counts
    /// for the person alone, who made the challenge. More get `too_many_new_games`. A flag sets it.
    games_per_address_per_minute = 120,
    /// Those of them that begin in a day: a school of 240 pupils plays twenty games each. More get
    /// `too_many_new_games`. A flag sets it.
    games_per_address_per_day = 5000,
    /// A challenge that is no seek is open this long, whether or not its owner is connected: a day.
    challenge_lifetime_ms = 86400000,
    /// The same where moves may take days: a week.
    challenge_by_days_lifetime_ms = 604800000,
    /// A game with clocks can begin this long after the last connection of its challenge's owner
    /// closed: time to come back. Accepted later, it begins when its owner is back.
    challenge_grace_ms = 30000,
    /// Answers kept for each player of a game, so that its last commands may be sent again.
    answers_kept = 16,
    /// Characters in an `id`: a UUID without hyphens.
    command_id_chars = 32,
    /// Seeks that `lobby` shows: what a person looks through.
    lobby_seeks = 50,
    /// Games that `lobby` shows.
    lobby_live_games = 12,
    /// Characters of a name; the least is 2.
    name_chars = 20,
    /// Names that an account asks for in a minute with `set_name`; more get `too_fast`. Each is
    /// written at once, also one that is taken.
    names_per_account_per_minute = 10,
    /// Characters of one line of chat.
    chat_chars = 200,
    /// Combining marks on one letter of a line of chat: Burmese takes five and Tibetan more, and a
    /// pile of them covers the lines around it.
    chat_marks = 8,
    /// Chat lines that are sent to a client that joins a room late.
    chat_lines_kept = 50,
    /// Lines that an account may say at once in a game after a quiet time; more get
    /// `chat_too_fast`.
    chat_burst = 5,
    /// One line more in each such time.
    chat_every_ms = 2000,
    /// The least time `give_time` gives.
    give_time_ms_min = 1000,
    /// The most time `give_time` gives at once.
    give_time_ms_max = 60000,
    /// Open connections from one address (IPv6: one /64); one more gets HTTP 429. A flag sets it.
    connections_per_address = 256,
    /// New connections from one address in a minute, four times those it may have open; more get
    /// HTTP 429. A flag sets it.
    new_connections_per_address_per_minute = 1024,
    /// Guests made from one address in a minute; more get `too_many_guests`. A flag sets it.
    guests_per_address_per_minute = 60,
    /// Characters of a password, at the least.
    password_chars_min = 10,
    /// Characters of a password, at the most.
    password_chars_max = 128,
    /// Passwords and recovery codes that are tried or set from one address in a minute: a class signs
    /// in at once. More get `too_many_attempts`.
    sign_ins_per_address_per_minute = 60,
    /// Those of them for one name in an hour, from one address, unless it shows a token of that
    /// account. More get `too_many_attempts`.
    sign_ins_per_name_per_hour = 20,
    /// Tokens that no account has, from one address in a minute; then no token from there is looked
    /// at for a while: `too_many_bad_tokens`. A flag sets it.
    bad_tokens_per_address_per_minute = 60,
    /// Tokens that no account has, on one connection; one more closes it with 4504.
    bad_tokens_per_connection = 5,
    /// What HTTP requests may cost in a minute, for each address, and for each account whose token
    /// comes with the request; more get HTTP 429. A flag sets it.
    http_cost_per_minute = 6000,
    /// Requests on one HTTP connection; the last answer says `Connection: close`.
    http_requests_per_connection = 1000,
    /// The least `retry_ms` of a close after which the client should reconnect.
    retry_ms_min = 500,
    /// The most: it spreads the reconnects of a full server.
    retry_ms_max = 5000,
}

impl Default for Limits {
    fn default() -> Self {
        Self::STANDARD
    }
}
