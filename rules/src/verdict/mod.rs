//! What a position, or the history that led to it, means under the Laws.
//!
//! Pure questions: is the game over after this move ([`after_move()`]), how often has this position
//! stood ([`occurrences`]), can this side still checkmate ([`winnable()`]), is the position dead
//! ([`guard()`], then [`dead()`]), is it a draw on time under rule 14E. Deliberately absent:
//! clocks, offers and who may ask (that is [`crate::game`]), and any search without a bound.

mod after_move;
mod counters;
mod forced_win;
mod material;
mod outcome;
mod repetition;
mod us14e;
mod winnable;

pub use after_move::{AutomaticDraws, after_move};
pub use counters::{CLAIM_QUIET_PLIES, CLAIM_REPETITIONS};
pub use outcome::{Outcome, Proof, Reason, Score};
pub use repetition::{Fingerprint, occurrences};
pub use us14e::{FORCED_WIN_NODES, draw_on_time};
pub use winnable::{Dead, Guard, Limits, Winnable, cannot_checkmate, dead, guard, is_dead, winnable};
