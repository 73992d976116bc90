//! What has happened in a match: the recorded truth.
//!
//! Events are facts, in the past tense, complete enough that `evolve` needs nothing else: no clock,
//! no search, no profile table of a later version. Each event has its own seq; the events of one
//! accepted input are one record.

use super::Micros;
use super::name::PlayerName;
use super::profile::Profile;
use super::tags::Tags;
use super::time_control::TimeControl;
use crate::board::{ByColor, Color, Move, Position};
use crate::game::AbsenceWish;
use crate::verdict::{Outcome, Reason};

/// Whether castling is standard or Chess960 (it decides notation, not legality).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Standard chess, possibly from a given position.
    #[default]
    Standard,
    /// Chess960.
    Chess960,
}

impl Variant {
    /// The move as the rules know it: in standard chess castling may also be written as the king's two steps.
    #[must_use]
    pub fn normalized(self, mv: Move, position: &Position) -> Move {
        match self {
            Self::Standard => position.castling_onto_rook(mv),
            Self::Chess960 => mv,
        }
    }
}

/// A player's rating as it was shown when a game began.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ShownRating {
    /// In whole points.
    pub rating: u16,
    /// Whether too little was known of the player to rely on it.
    pub provisional: bool,
}

/// What a game starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSetup {
    /// Standard or Chess960.
    pub variant: Variant,
    /// The first position; its counters are kept.
    pub start: Position,
    /// The clocks.
    pub time_control: TimeControl,
    /// The rules.
    pub profile: Profile,
    /// The players, as the server's 128-bit account numbers: opaque here.
    pub players: ByColor<u128>,
    /// The names that the players had when the game began.
    pub names: ByColor<Option<PlayerName>>,
    /// Whether the first position was drawn by lot: opaque here, for rematches.
    pub by_lot: bool,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The ratings that the players had when the game began, in the category of the game: opaque here.
    pub ratings: ByColor<Option<ShownRating>>,
    /// Which players are programs. In `casual` the game claims a repetition for them.
    pub bots: ByColor<bool>,
    /// What is known of it if it was played elsewhere.
    pub imported: Option<Tags>,
    /// When the game began, in milliseconds of Unix time: opaque here, for PGN and lists.
    pub began_unix_ms: u64,
}

impl GameSetup {
    /// Whether a person plays a program, and for no rating: then no person waits for the other.
    #[must_use]
    pub fn is_practice(&self) -> bool {
        !self.rated && self.bots.white != self.bots.black
    }

    /// The name of a player of a game that was played elsewhere, if it is known.
    #[must_use]
    pub fn name_elsewhere(&self, seat: Color) -> Option<&str> {
        let name = match seat {
            Color::White => "White",
            Color::Black => "Black",
        };
        self.imported.as_ref()?.get(name)
    }

    /// A casual game of standard chess from the usual position, between players without names.
    #[must_use]
    pub fn casual(
        players: ByColor<u128>,
        time_control: TimeControl,
        profile: Profile,
        began_unix_ms: u64,
    ) -> Self {
        Self {
            variant: Variant::Standard,
            start: Position::standard(),
            time_control,
            profile,
            players,
            names: ByColor::default(),
            by_lot: false,
            rated: false,
            ratings: ByColor::default(),
            bots: ByColor::default(),
            imported: None,
            began_unix_ms,
        }
    }
}

/// Time charged to a side whose clock was running.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Charge {
    /// Whose clock was running.
    pub seat: Color,
    /// From the start of the turn (or of its uncharged part) to the stamp.
    pub took: Micros,
    /// How much of it was forgiven for the network.
    pub credit: Micros,
    /// Both clocks afterwards, with the increment or period base that a move earned.
    pub remaining: ByColor<Micros>,
    /// That side's lag bank afterwards.
    pub bank: Micros,
}

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The game began. Always seq 1, and only there.
    Started(Box<GameSetup>),
    /// A move was played.
    MovePlayed {
        /// The move.
        mv: Move,
        /// What it cost; `None` without a clock.
        charge: Option<Charge>,
    },
    /// A draw was offered (9.1).
    DrawOffered {
        /// By whom.
        by: Color,
    },
    /// The open draw offer was declined by command; a move that declines it has no event of its
    /// own.
    DrawDeclined {
        /// By whom.
        by: Color,
    },
    /// A draw was claimed (9.2, 9.3).
    DrawClaimed {
        /// By whom.
        by: Color,
        /// The intended move: recorded, and played only if the claim was wrong.
        intended: Option<Move>,
        /// The reason that holds, or `None` for a wrong claim.
        found: Option<Reason>,
    },
    /// A player claimed against an absent opponent.
    AbsenceClaimed {
        /// By whom.
        by: Color,
        /// What was claimed.
        wish: AbsenceWish,
        /// What the running clock was charged: it stops here.
        charge: Option<Charge>,
    },
    /// A takeback was asked for.
    TakebackOffered {
        /// By whom.
        by: Color,
        /// How many plies it would take back: 1 or 2.
        plies: u8,
    },
    /// The open takeback offer was declined by command.
    TakebackDeclined {
        /// By whom.
        by: Color,
    },
    /// Moves were taken back by consent.
    TakenBack {
        /// How many plies.
        plies: u8,
        /// What the running clock was charged up to here.
        charge: Option<Charge>,
    },
    /// A clock was changed by an act, not by playing.
    TimeAdjusted {
        /// Why.
        cause: AdjustmentCause,
        /// Both clocks after the act, as of the start of the running turn's uncharged part.
        remaining: ByColor<Micros>,
    },
    /// A draw on insufficient losing chances was asked for; counts as a draw offer.
    IlcAsked {
        /// By whom.
        by: Color,
    },
    /// The request for a draw on insufficient losing chances was declined, and the rule's remedy
    /// took effect.
    IlcRemedied {
        /// The side that had asked.
        by: Color,
        /// What the running clock was charged up to here.
        charge: Option<Charge>,
        /// The bonus of every later move, for both sides.
        bonus: ByColor<super::time_control::Bonus>,
        /// Both clocks afterwards.
        remaining: ByColor<Micros>,
    },
    /// A flag fell (6.9): the clock has stopped, the verdict follows.
    FlagFell {
        /// Whose.
        seat: Color,
        /// What the clock was charged: its remaining is 0.
        charge: Option<Charge>,
    },
    /// A player resigned (5.1.2): the clock has stopped, the verdict follows.
    Resigned {
        /// Who.
        seat: Color,
        /// What the running clock was charged.
        charge: Option<Charge>,
    },
    /// The game ended. Always the last event.
    Ended {
        /// How.
        outcome: Outcome,
        /// What the running clock was charged, if this event stopped it.
        charge: Option<Charge>,
    },
}

impl Event {
    /// What the running clock was charged by this event.
    #[must_use]
    pub const fn charge(&self) -> Option<&Charge> {
        match self {
            Self::MovePlayed { charge, .. }
            | Self::AbsenceClaimed { charge, .. }
            | Self::TakenBack { charge, .. }
            | Self::IlcRemedied { charge, .. }
            | Self::FlagFell { charge, .. }
            | Self::Resigned { charge, .. }
            | Self::Ended { charge, .. } => charge.as_ref(),
            Self::Started(_)
            | Self::DrawOffered { .. }
            | Self::DrawDeclined { .. }
            | Self::DrawClaimed { .. }
            | Self::TakebackOffered { .. }
            | Self::TakebackDeclined { .. }
            | Self::TimeAdjusted { .. }
            | Self::IlcAsked { .. } => None,
        }
    }
}

/// Why a clock was changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AdjustmentCause {
    /// The opponent gave it (profile).
    GiveTime {
        /// Who gave.
        by: Color,
    },
    /// The opponent of this side claimed wrongly (9.5.3).
    WrongClaim {
        /// Who had claimed.
        by: Color,
    },
    /// The arbiter's act (12.9).
    Arbiter,
}
