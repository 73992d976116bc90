//! What a challenge offers: read from the wire, checked whole, and turned into a game when it is accepted.
//!
//! Invariant: terms that were read can be played: only the lots are still open (who plays White, which Chess960 position).

use std::sync::Arc;

use zeitnot_protocol::{
    AccountId, Challenge, Code, CommandId, CreateChallenge, GameOptions, TimeControl, WireColor, WireVariant,
};
use zeitnot_rules::board::{ByColor, Color, Position};
use zeitnot_rules::game::{self, GameSetup, Profile, StartError, Variant};
use zeitnot_rules::notation::fen;

use super::challenges::Offer;
use crate::accounts::Person;
use crate::entropy::Entropy;

/// The terms of a challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Terms {
    /// The challenger's colour; `None`: by lot.
    color: Option<Color>,
    variant: Variant,
    /// The first position; `None`: the standard one, or a Chess960 position by lot.
    start: Option<Position>,
    time_control: game::TimeControl,
    profile: Profile,
    /// The same as they were written, for whoever sees the challenge.
    shown: Shown,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Shown {
    fen: Option<String>,
    time_control: TimeControl,
    options: GameOptions,
}

/// Why terms cannot be played: the code and what is wrong.
pub(crate) type TermsError = (Code, String);

impl Terms {
    /// Reads and checks.
    ///
    /// # Errors
    /// `bad_time_control`, `bad_position` or `bad_options`, with a text that says why.
    pub(crate) fn read(wanted: &CreateChallenge) -> Result<Self, TermsError> {
        let time_control = game::TimeControl::try_from(&wanted.time_control)
            .map_err(|error| (Code::BadTimeControl, error.to_string()))?;
        let start = wanted.fen.as_deref().map(fen::parse).transpose();
        let start = start.map_err(|error| (Code::BadPosition, error.to_string()))?;
        let shown = Shown {
            // As we write it, not as it came: one position has one FEN.
            fen: start.as_ref().map(fen::write),
            time_control: wanted.time_control.clone(),
            options: wanted.options,
        };
        let terms = Self {
            color: wanted.color.map(Into::into),
            variant: wanted.variant.into(),
            start,
            time_control,
            profile: profile(wanted.options)?,
            shown,
        };
        // Every position that a lot can give is a good start, so one stands for all.
        let nobody = ByColor::both(Person::guest(AccountId::from_u128(0)));
        terms
            .setup_from(terms.start.clone().unwrap_or_else(Position::standard), nobody, 0)
            .validate()
            .map_err(refusal)?;
        Ok(terms)
    }

    /// The game between challenger and accepter, with the lots drawn.
    pub(crate) fn setup(
        &self,
        challenger: Person,
        accepter: Person,
        entropy: &Entropy,
        began_unix_ms: u64,
    ) -> GameSetup {
        let color = self.color.unwrap_or_else(|| if entropy.coin() { Color::White } else { Color::Black });
        let seats = match color {
            Color::White => ByColor { white: challenger, black: accepter },
            Color::Black => ByColor { white: accepter, black: challenger },
        };
        let start = self.start.clone().unwrap_or_else(|| match self.variant {
            Variant::Standard => Position::standard(),
            Variant::Chess960 => Position::chess960(entropy.chess960()),
        });
        self.setup_from(start, seats, began_unix_ms)
    }

    fn setup_from(&self, start: Position, seats: ByColor<Person>, began_unix_ms: u64) -> GameSetup {
        GameSetup {
            variant: self.variant,
            start,
            time_control: self.time_control.clone(),
            profile: self.profile.clone(),
            players: seats.map(|player| player.account.as_u128()),
            names: seats.map(|player| player.name),
            by_lot: self.start.is_none() && self.variant == Variant::Chess960,
            began_unix_ms,
        }
    }
}

impl Offer<Arc<Terms>> {
    /// The challenge as people see it. `id` is that of the command it answers.
    pub(crate) fn view(&self, id: Option<CommandId>) -> Challenge {
        let terms = &self.terms;
        Challenge {
            challenge: self.id,
            id,
            by: self.owner().view(),
            to: self.to,
            seek: self.seek,
            rematch_of: self.rematch_of,
            color: terms.color.map(WireColor::from),
            variant: WireVariant::from(terms.variant),
            fen: terms.shown.fen.clone(),
            time_control: terms.shown.time_control.clone(),
            options: terms.shown.options,
        }
    }
}

fn profile(options: GameOptions) -> Result<Profile, TermsError> {
    let moves = u16::try_from(options.no_draw_offer_before_move)
        .map_err(|_| (Code::BadOptions, "no_draw_offer_before_move is too large".to_owned()))?;
    Ok(Profile::named(options.profile.into())
        .with_no_draw_offer_before_move(moves)
        .with_ilc(options.ilc.into()))
}

fn refusal(error: StartError) -> TermsError {
    let code = match error {
        StartError::TimeControl(_) => Code::BadTimeControl,
        StartError::Profile(_) | StartError::IlcInBlitz => Code::BadOptions,
        StartError::AlreadyOver(_) | StartError::CastlingNeedsChess960 => Code::BadPosition,
    };
    (code, error.to_string())
}

#[cfg(test)]
#[path = "terms_tests.rs"]
mod tests;
