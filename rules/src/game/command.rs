//! The inputs of a match: a player's commands, an arbiter's acts, the deadline, a verdict; and the
//! reasons to reject them.
//!
//! An input carries neither its time nor an identity beyond the seat: `decide` takes the instant as
//! a separate argument, and the server decides which account may act for a seat.

use thiserror::Error;

use super::Micros;
use crate::board::{ByColor, Color, Move};
use crate::verdict::{Outcome, Score};

/// The number of an event in its game: 1, 2, 3 … without gaps.
pub type Seq = u32;

/// Something that happens to a match from outside.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// A player's command.
    Player {
        /// The player.
        seat: Color,
        /// What the player asks for.
        command: Command,
    },
    /// An arbiter's act (article 12.9).
    Arbiter(ArbiterAct),
    /// The instant given by `Game::deadline` has passed, and every input stamped before it was
    /// decided.
    Deadline,
    /// The answer to the open [`Question`](super::Question).
    Answer {
        /// The seq of the event that raised the question.
        about: Seq,
        /// What follows from it; `None` when the game goes on (a position that is not dead).
        outcome: Option<Outcome>,
    },
}

/// What a player may ask for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Command {
    /// Plays a move (3, 4).
    PlayMove {
        /// The seq of the event that made the position on the board.
        on: Seq,
        /// The move.
        mv: Move,
    },
    /// Resigns (5.1.2).
    Resign,
    /// Offers a draw, or accepts the opponent's open offer (9.1).
    OfferDraw,
    /// Accepts the draw offer of that seq.
    AcceptDraw {
        /// The offer's seq.
        offer: Seq,
    },
    /// Declines the draw offer of that seq.
    DeclineDraw {
        /// The offer's seq.
        offer: Seq,
    },
    /// Claims a draw by repetition or move count, on the board or with the intended move (9.2,
    /// 9.3).
    ClaimDraw {
        /// The seq of the event that made the position on the board.
        on: Seq,
        /// The intended move, if the claim concerns the position after it.
        intended: Option<Move>,
    },
    /// Claims against an absent opponent (6.7, profile).
    ClaimAbsence {
        /// What is claimed.
        wish: AbsenceWish,
    },
    /// Ends the game without a result before each side has moved (profile).
    Abort,
    /// Asks to take moves back (profile): the requester's last move, with the opponent's answer to it
    /// if there is one.
    OfferTakeback,
    /// Accepts the takeback offer of that seq.
    AcceptTakeback {
        /// The offer's seq.
        offer: Seq,
    },
    /// Declines the takeback offer of that seq.
    DeclineTakeback {
        /// The offer's seq.
        offer: Seq,
    },
    /// Gives the opponent time (profile).
    GiveTime {
        /// How much: 1 s to 60 s.
        amount: Micros,
    },
    /// Asks for a draw on insufficient losing chances (profile option); counts as a draw offer.
    AskIlc,
}

/// What a player claims against an absent opponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AbsenceWish {
    /// The win; a draw if the claimant cannot checkmate.
    Win,
    /// A draw.
    Draw,
}

/// What an arbiter may do (12.9). Clocks mean the clocks as they are shown at that instant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ArbiterAct {
    /// Ends the game with this score.
    Declare(Score),
    /// Sets both clocks.
    SetClocks(ByColor<Micros>),
    /// Adds time to a side.
    AddTime {
        /// Whose clock.
        seat: Color,
        /// How much.
        amount: Micros,
    },
    /// Takes time from a side: never below 1 µs, so that a penalty alone never makes a flag fall.
    TakeTime {
        /// Whose clock.
        seat: Color,
        /// How much.
        amount: Micros,
    },
}

/// Why an input was rejected. Board and clock are untouched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum Rejection {
    /// The game has ended, or a flag fall, a resignation or an absence claim has stopped it and the
    /// verdict is missing.
    #[error("the game is over")]
    GameOver,
    /// It is the other side's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The move is not legal in this position (3, 4).
    #[error("the move is illegal")]
    IllegalMove,
    /// The command names a position or an offer that is not the current one.
    #[error("the command is about an earlier position")]
    Stale,
    /// Stamped at or after the flag's instant (6.9).
    #[error("the time is up")]
    TimeIsUp,
    /// The opponent has no such open offer.
    #[error("there is no such offer")]
    NoOffer,
    /// An offer is open, or the player has used up the offers allowed: one draw offer until the
    /// opponent has moved, one takeback offer in each position.
    #[error("it was already offered")]
    AlreadyOffered,
    /// Too few plies since the player's last offer, or too few moves before a first one.
    #[error("a draw may not be offered yet")]
    OfferTooEarly,
    /// Both sides must have moved (5.2.3).
    #[error("a draw cannot be agreed before both sides have moved")]
    BothMustMove,
    /// The profile does not have this command, or has it only with another time control.
    #[error("these rules do not allow it")]
    NotInProfile,
    /// A player may claim once in each position.
    #[error("a draw was already claimed on this move")]
    AlreadyClaimed,
    /// Both sides have moved.
    #[error("the game can no longer be aborted")]
    TooLateToAbort,
    /// The opponent is present, or the grace period has not passed.
    #[error("the opponent is not absent for long enough")]
    NotAbsent,
    /// The player has no move to take back.
    #[error("there is nothing to take back")]
    NothingToTakeBack,
    /// The amount is out of range, or would take a clock over its limit.
    #[error("the amount of time is out of range")]
    BadAmount,
    /// The conditions for insufficient losing chances do not hold, or the player has asked before.
    #[error("insufficient losing chances cannot be asked for now")]
    IlcNotPossible,
    /// The game has had [`EXTRA_EVENTS_MAX`](super::EXTRA_EVENTS_MAX) events beyond the half-moves on
    /// the board: nobody may offer or give anything more.
    #[error("the game has had too many events beyond its moves")]
    TooManyOffers,
    /// Nothing is due at this instant, or the question that was answered is not open.
    #[error("nothing is due")]
    NothingDue,
}
