//! Whole games in portable game notation, read and written.
//!
//! [`games`] reads the games of a text one after the other. It accepts what archives contain: NAGs,
//! `;` and `%` lines, comments, variations at any depth (all skipped), missing or wrong move
//! numbers, CRLF, a byte order mark, escaped quotes, and moves as tolerantly as
//! [`san::parse`](super::san::parse). A game that cannot be read is an error that names the line,
//! and the next game is still read. Moves are checked against articles 3 and 4 only: play past a
//! dead position, a repetition or move 50 is no error.
//!
//! [`write()`] writes one [`PgnGame`] in export format. [`time_control_tags`] and [`ending_tags`]
//! give the tags that say how much time there was and how the game ended.
//!
//! [`ImportedGame::time_control`] and [`ImportedGame::outcome`] read those tags back.
//!
//! Deliberately absent: comments (but for the clocks in them) and variations of games that are read,
//! and dates, which the server adds.
//!
//! ```
//! use zeitnot_rules::notation::pgn;
//!
//! let text = "[Event \"Skittles\"]\n\n1. e4 {best by test} e5 (1... c5) 2. Nf3 $1 *\n";
//! let game = pgn::games(text).next().expect("there is a game")?;
//! assert_eq!(game.tag("Event"), Some("Skittles"));
//! assert_eq!(game.moves.len(), 3);
//! # Ok::<(), pgn::PgnError>(())
//! ```

mod clock;
mod error;
mod read_tags;
mod reader;
mod result;
mod tags;
mod token;
mod writer;

pub use error::{PgnError, PgnProblem};
pub use read_tags::UnreadableTimeControl;
pub use reader::{Games, ImportedGame, games};
pub use result::PgnResult;
pub use tags::{ending_tags, ending_text, time_control_tags};
pub use writer::{PgnGame, PgnMove, write};
