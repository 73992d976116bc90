//! What the owner of a game and the nodes that follow the game tell each other about its chat.
//!
//! Messages of the protocol travel as their text: their form leaves out what is not there, which this encoding cannot.

use serde::{Deserialize, Serialize};
use zeitnot_protocol::{AccountId, ChatRoom, Code, CommandId, GameId};

use super::FrameText;

/// A message about the chat of one game, as links carry it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct ChatMessage {
    pub(crate) game: GameId,
    pub(crate) news: ChatNews,
}

/// What it says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum ChatNews {
    /// To the owner: a line that was posted under another owner, and that this one may lack.
    Known(SentLine),
    /// To the owner, after all that the sender knows: it follows the game, and has the lines of each room up to these.
    Follow { heads: [u32; 2] },
    /// To the owner: a line is to be posted. `number` names it in the answer.
    Post { number: u64, post: SentPost },
    /// From the owner: the number of the line in its room, or why nobody heard it. The line itself came before.
    Posted { number: u64, answer: Result<u32, Code> },
    /// From the owner: the next line of a room.
    Line(SentLine),
}

/// A line that is to be posted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SentPost {
    /// The author, as the text of a `PlayerView`.
    pub(crate) by: String,
    pub(crate) room: ChatRoom,
    pub(crate) text: String,
    pub(crate) id: Option<CommandId>,
    /// In seconds of Unix time.
    pub(crate) unix: u32,
    /// How many lines at once, and how often one more, in µs.
    pub(crate) rate: (u32, u64),
    /// Whether the author's session watches the game.
    pub(crate) is_in: bool,
    /// Whether the author and a player have nothing to do with each other.
    pub(crate) is_blocked: bool,
}

/// A line that was posted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SentLine {
    pub(crate) room: ChatRoom,
    pub(crate) by: AccountId,
    pub(crate) id: Option<CommandId>,
    /// Its `said`.
    pub(crate) said: FrameText,
}
