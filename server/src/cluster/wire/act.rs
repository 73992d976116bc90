//! A player's command, as it travels to the owner of a game.

use serde::{Deserialize, Serialize};
use zeitnot_rules::board::{Move, Role, Square};
use zeitnot_rules::game::{AbsenceWish, Command, Micros, Seq};

/// A [`Command`] of the rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Act {
    Move { on: Seq, mv: SentMove },
    Resign,
    OfferDraw,
    AcceptDraw { offer: Seq },
    DeclineDraw { offer: Seq },
    ClaimDraw { on: Seq, intended: Option<SentMove> },
    ClaimAbsence { wins: bool },
    Abort,
    OfferTakeback,
    AcceptTakeback { offer: Seq },
    DeclineTakeback { offer: Seq },
    GiveTime { us: u64 },
    AskIlc,
}

/// A move as the client wrote it: two squares and a role, each by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "(u8, u8, Option<u8>)", into = "(u8, u8, Option<u8>)")]
pub(crate) struct SentMove(Move);

impl From<SentMove> for (u8, u8, Option<u8>) {
    fn from(SentMove(mv): SentMove) -> Self {
        (mv.from.index() as u8, mv.to.index() as u8, mv.promotion.map(|role| role.index() as u8))
    }
}

impl TryFrom<(u8, u8, Option<u8>)> for SentMove {
    type Error = &'static str;

    fn try_from((from, to, promotion): (u8, u8, Option<u8>)) -> Result<Self, Self::Error> {
        let square = |index: u8| (index < 64).then(|| Square::from_index(index.into())).ok_or("not a square");
        let role = |index: u8| Role::ALL.get(usize::from(index)).copied().ok_or("not a role");
        let promotion = promotion.map(role).transpose()?;
        Ok(Self(Move { from: square(from)?, to: square(to)?, promotion }))
    }
}

impl From<&Command> for Act {
    fn from(command: &Command) -> Self {
        match *command {
            Command::PlayMove { on, mv } => Self::Move { on, mv: SentMove(mv) },
            Command::Resign => Self::Resign,
            Command::OfferDraw => Self::OfferDraw,
            Command::AcceptDraw { offer } => Self::AcceptDraw { offer },
            Command::DeclineDraw { offer } => Self::DeclineDraw { offer },
            Command::ClaimDraw { on, intended } => Self::ClaimDraw { on, intended: intended.map(SentMove) },
            Command::ClaimAbsence { wish } => Self::ClaimAbsence { wins: wish == AbsenceWish::Win },
            Command::Abort => Self::Abort,
            Command::OfferTakeback => Self::OfferTakeback,
            Command::AcceptTakeback { offer } => Self::AcceptTakeback { offer },
            Command::DeclineTakeback { offer } => Self::DeclineTakeback { offer },
            Command::GiveTime { amount } => Self::GiveTime { us: amount.0 },
            Command::AskIlc => Self::AskIlc,
        }
    }
}

impl From<Act> for Command {
    fn from(act: Act) -> Self {
        match act {
            Act::Move { on, mv: SentMove(mv) } => Self::PlayMove { on, mv },
            Act::Resign => Self::Resign,
            Act::OfferDraw => Self::OfferDraw,
            Act::AcceptDraw { offer } => Self::AcceptDraw { offer },
            Act::DeclineDraw { offer } => Self::DeclineDraw { offer },
            Act::ClaimDraw { on, intended } => {
                Self::ClaimDraw { on, intended: intended.map(|SentMove(mv)| mv) }
            }
            Act::ClaimAbsence { wins } => {
                Self::ClaimAbsence { wish: if wins { AbsenceWish::Win } else { AbsenceWish::Draw } }
            }
            Act::Abort => Self::Abort,
            Act::OfferTakeback => Self::OfferTakeback,
            Act::AcceptTakeback { offer } => Self::AcceptTakeback { offer },
            Act::DeclineTakeback { offer } => Self::DeclineTakeback { offer },
            Act::GiveTime { us } => Self::GiveTime { amount: Micros(us) },
            Act::AskIlc => Self::AskIlc,
        }
    }
}

impl Act {
    /// Whether sending it again after a lost answer needs an id: nothing in it says which position or
    /// offer it is about.
    pub(crate) fn needs_id(&self) -> bool {
        match self {
            Self::Move { .. }
            | Self::ClaimDraw { .. }
            | Self::AcceptDraw { .. }
            | Self::DeclineDraw { .. }
            | Self::AcceptTakeback { .. }
            | Self::DeclineTakeback { .. } => false,
            Self::Resign
            | Self::OfferDraw
            | Self::ClaimAbsence { .. }
            | Self::Abort
            | Self::OfferTakeback
            | Self::GiveTime { .. }
            | Self::AskIlc => true,
        }
    }
}
