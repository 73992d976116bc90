//! A match as a deterministic state machine: decided, then evolved.
//!
//! [`Game`] has four kinds of methods. [`Game::decide`] says what an [`Input`] at an instant leads
//! to: a list of [`Event`]s, or a [`Rejection`]; it only reads, draws no random number, and does no
//! search. [`Game::evolve`] folds an event that is recorded: it is the only writer of recorded
//! state, live and in replay. [`Game::observe`] takes a [`Fact`] that is never recorded: when a
//! turn started, who is present, how long a round trip takes. Everything else reads.
//!
//! The order of calls: [`Game::start`] gives the first event, [`Game::replay`] the game. For each
//! input: `decide`, make the events durable, `evolve` each, then, while
//! [`Game::awaits_turn_start`], observe [`Fact::TurnStarted`] once the position is on its way to
//! the player. Decide [`Input::Deadline`] at [`Game::deadline`], after every input stamped before
//! it. While [`Game::question`] is open, find its [`answer`](Question::answer) and decide
//! [`Input::Answer`]: a flag fall, a resignation and an absence claim end the game only with their
//! verdict.
//!
//! ```
//! use zeitnot_rules::board::{ByColor, Color, Move};
//! use zeitnot_rules::game::{
//!     Command, Fact, Game, GameInstant, GameSetup, Input, Micros, Profile, Rejection, TimeControl,
//! };
//!
//! let time_control = TimeControl::fischer(Micros::from_secs(180), Micros::from_secs(2));
//! let players = ByColor { white: 1, black: 2 };
//! let setup = GameSetup::casual(players, time_control, Profile::fide_board(), 0);
//! let mut record = Game::start(&setup)?;
//! let mut game = Game::replay(&record);
//! game.observe(Fact::TurnStarted { at: GameInstant::START });
//!
//! let mv = Move::new("e2".parse()?, "e4".parse()?);
//! let input = Input::Player { seat: Color::White, command: Command::PlayMove { on: game.position_seq(), mv } };
//! let at = GameInstant::START + Micros::from_secs(5);
//! for event in game.decide(at, &input)? {
//!     // Here the events are made durable, all of them together.
//!     game.evolve(&event);
//!     record.push(event);
//! }
//! assert_eq!(game.turn(), Color::Black);
//! assert_eq!(game.clocks(), Some(ByColor { white: Micros::from_secs(177), black: Micros::from_secs(180) }));
//! assert_eq!(Game::replay(&record).recorded(), game.recorded());
//!
//! // The same command again names a position that is no longer on the board.
//! assert_eq!(game.decide(at, &input), Err(Rejection::Stale));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A rule marked "our choice" is not in the Laws of Chess: docs/laws.md lists the choices of this
//! server.
//!
//! Deliberately absent: clock reading, randomness, I/O, accounts (a seat is a colour), and who is
//! notified of what.
//!
//! Invariants: the events are the only truth, so a replayed game equals the live one in every
//! recorded field ([`Game::recorded`]). What `decide` returns is never empty. Clocks are counted in
//! whole microseconds, and for every side clock + elapsed time changes only by credits, increments,
//! delays, bases and recorded acts. A clock is zero only when its flag fell.

mod absence;
mod arbiter;
mod category;
mod charge;
mod claims;
mod clock;
mod command;
mod deadline;
mod decide;
mod event;
mod evolve;
mod give_time;
mod ilc;
mod instant;
mod lag;
mod move_history;
mod moves;
mod name;
mod offers;
mod profile;
mod question;
mod setup;
mod state;
mod tags;
mod takeback;
mod time_control;
mod transient;
mod turn_clock;

pub use category::Category;
pub use command::{AbsenceWish, ArbiterAct, Command, Input, Rejection, Seq};
pub use event::{AdjustmentCause, Charge, Event, GameSetup, ShownRating, Variant};
pub use give_time::{GIVE_TIME_MAX, GIVE_TIME_MIN, GIVEN_TOTAL_MAX};
pub use instant::{GameInstant, Micros};
pub use move_history::{MoveTime, PlayedMove};
pub use name::{PlayerName, PlayerNameError};
pub use offers::{DrawOffer, EXTRA_EVENTS_MAX, TakebackOffer};
pub use profile::{
    ClaimRule, CountRule, DrawOfferRule, FlagRule, IlcRule, Profile, ProfileError, ProfileName,
    ResignationRule, WrongClaimRule,
};
pub use question::{Answer, Question, QuestionKind};
pub use setup::StartError;
pub use state::{Game, Recorded};
pub use tags::Tags;
pub use time_control::{Bonus, Period, Periods, Speed, TimeControl, TimeControlError};
pub use transient::Fact;
