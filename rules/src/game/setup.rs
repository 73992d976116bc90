//! What a game may start from.

use thiserror::Error;

use super::{ClaimRule, Event, Game, GameSetup, IlcRule, ProfileError, Speed, TimeControlError, Variant};
use crate::board::{CastlingSide, Color, File, Position};
use crate::verdict::{AutomaticDraws, CLAIM_REPETITIONS, Reason, after_move};

/// Why a game cannot start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum StartError {
    /// The time control cannot be played.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// The rules are none of the four profiles, or the profile does not allow their options.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// `fide_iii4` is for rapid and slower games (Guidelines III.2.1 of the Laws), not for blitz or
    /// bullet.
    #[error("insufficient losing chances by the Guidelines III.4 do not go with blitz")]
    IlcInBlitz,
    /// The game would be over in its first position: checkmate, stalemate, a dead position, or a
    /// move count at which these rules draw automatically.
    #[error("the game would be over before it began")]
    AlreadyOver(Reason),
    /// A castling right of a king that is not on the e file, or of a rook that is not on the a or h
    /// file, needs Chess960: standard notation could not write that castling.
    #[error("castling from these squares needs Chess960")]
    CastlingNeedsChess960,
}

impl GameSetup {
    /// Whether a game can start from this.
    ///
    /// # Errors
    /// The first reason why it cannot.
    pub fn validate(&self) -> Result<(), StartError> {
        self.time_control.validate()?;
        self.profile.validate()?;
        if self.profile.ilc == IlcRule::FideIii4 && self.time_control.speed() <= Speed::Blitz {
            return Err(StartError::IlcInBlitz);
        }
        if self.variant == Variant::Standard && !has_standard_castling(&self.start) {
            return Err(StartError::CastlingNeedsChess960);
        }
        match after_move(&self.start, || 1, self.profile.automatic_draws()) {
            Some(outcome) => Err(StartError::AlreadyOver(outcome.reason)),
            None => Ok(()),
        }
    }

    /// The counts at which the game is drawn without a command, with this side to move. Where a claim
    /// is for the board alone, the game claims a repetition for a program: the Lichess API has no
    /// call for it.
    pub(super) fn automatic_draws_for(&self, to_move: Color) -> AutomaticDraws {
        let mut automatic = self.profile.automatic_draws();
        if self.bots[to_move] && self.profile.repetition.claim == ClaimRule::OnBoard {
            automatic.repetitions = CLAIM_REPETITIONS;
        }
        automatic
    }
}

fn has_standard_castling(position: &Position) -> bool {
    let rights = position.castling_rights();
    Color::ALL.into_iter().all(|color| {
        let king = rights.rook_file(color, CastlingSide::King);
        let queen = rights.rook_file(color, CastlingSide::Queen);
        let none = king.is_none() && queen.is_none();
        let from_corners =
            king.is_none_or(|file| file == File::H) && queen.is_none_or(|file| file == File::A);
        none || from_corners && position.king(color).file() == File::E
    })
}

impl Game {
    /// The record with which a game begins.
    ///
    /// # Errors
    /// The [`StartError`] that says why it cannot begin.
    pub fn start(setup: &GameSetup) -> Result<Vec<Event>, StartError> {
        setup.validate()?;
        Ok(vec![Event::Started(Box::new(setup.clone()))])
    }

    /// The game after its events, the first of which is [`Event::Started`]. No fact is observed
    /// yet.
    ///
    /// # Panics
    /// When the first event is not [`Event::Started`], or when the events do not follow from one
    /// another. Both mean that the record was not made by `decide`.
    #[must_use]
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Self {
        let mut events = events.into_iter();
        let mut game = Self::from_started(events.next().expect("a game's first event is `Started`"));
        for event in events {
            game.evolve(event);
        }
        game
    }
}
