//! The terms of a game: read from the wire, checked whole, and turned into a setup when the game starts.
//!
//! Invariant: a game can be played on all terms that were read. Only the lots are still open: who
//! plays White, and which Chess960 position it is.

use zeitnot_protocol::{AccountId, Code, CreateChallenge, GameOptions, WireColor, WireVariant};
use zeitnot_rules::board::{ByColor, Position};
use zeitnot_rules::game::{self, Category, GameSetup, Profile, ProfileName, ShownRating, StartError};
use zeitnot_rules::notation::fen;

use crate::accounts::Person;
use crate::entropy::Entropy;
use crate::storage::Kind;

/// What is played, and by which rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Terms {
    /// The command that named them.
    pub(crate) wanted: CreateChallenge,
    /// The first position; `None`: the standard one, or a Chess960 position drawn by lot.
    start: Option<Position>,
    time_control: game::TimeControl,
    profile: Profile,
}

/// Why no game can be played on such terms: the code, and a text for people.
pub(crate) type TermsError = (Code, String);

impl Terms {
    /// Reads and checks the terms that a client wants.
    ///
    /// # Errors
    /// `bad_time_control`, `bad_position`, `bad_options` or `not_rated`, with a text that says why.
    pub(crate) fn read(wanted: CreateChallenge) -> Result<Self, TermsError> {
        let time_control = game::TimeControl::try_from(&wanted.time_control)
            .map_err(|error| (Code::BadTimeControl, error.to_string()))?;
        let start = wanted.fen.as_deref().map(fen::parse).transpose();
        let start = start.map_err(|error| (Code::BadPosition, error.to_string()))?;
        let profile = profile(wanted.options)?;
        let terms = Self { wanted, start, time_control, profile };
        // A game can start from every position that can be drawn, so checking one is enough.
        if wanted_range_is_bad(&terms.wanted) {
            let why = "rating_min and rating_max go with seek, and rating_min is not above rating_max";
            return Err((Code::BadOptions, why.to_owned()));
        }
        if let Some(why) = terms.wanted.rated.then(|| terms.why_not_rated()).flatten() {
            return Err((Code::NotRated, why.to_owned()));
        }
        let nobody = ByColor::both(Person::guest(AccountId::from_u128(0)));
        terms
            .setup_from(terms.start.clone().unwrap_or_else(Position::standard), nobody, 0)
            .validate()
            .map_err(rejection)?;
        Ok(terms)
    }

    /// The setup of a game between challenger and accepter. `lot` is the challenger's side, if it was drawn before. Draws the
    /// other lots.
    pub(crate) fn setup(
        &self,
        challenger: Person,
        accepter: Person,
        lot: Option<WireColor>,
        entropy: &Entropy,
        began_unix_ms: u64,
    ) -> GameSetup {
        let color = self.wanted.color.or(lot);
        let is_white = color.map_or_else(|| entropy.coin(), |color| color == WireColor::White);
        let (white, black) = if is_white { (challenger, accepter) } else { (accepter, challenger) };
        let seats = ByColor { white, black };
        let start = self.start.clone().unwrap_or_else(|| match self.wanted.variant {
            WireVariant::Standard => Position::standard(),
            WireVariant::Chess960 => Position::chess960(entropy.chess960()),
        });
        self.setup_from(start, seats, began_unix_ms)
    }

    /// The first position as clients see it, if it was given: written anew, so that one position has
    /// one FEN.
    pub(crate) fn shown_fen(&self) -> Option<String> {
        self.start.as_ref().map(fen::write)
    }

    /// The category of the game.
    pub(crate) fn category(&self) -> Category {
        Category::of(self.wanted.variant.into(), &self.time_control)
    }

    /// Whether they are for players within some ratings only.
    pub(crate) fn has_range(&self) -> bool {
        self.wanted.rating_min.is_some() || self.wanted.rating_max.is_some()
    }

    /// Whether they are for players with this rating.
    pub(crate) fn is_in_range(&self, shown: ShownRating) -> bool {
        let rating = u32::from(shown.rating);
        self.wanted.rating_min.is_none_or(|least| rating >= least)
            && self.wanted.rating_max.is_none_or(|most| rating <= most)
    }

    /// Whether they say nothing but these clocks, for anybody and any side, and whether the game is rated.
    pub(crate) fn has_only(&self, clocks: &game::TimeControl) -> bool {
        let CreateChallenge { id, seek, rated, .. } = self.wanted;
        let plain =
            CreateChallenge { id, seek, rated, ..CreateChallenge::with(self.wanted.time_control.clone()) };
        self.time_control == *clocks && self.wanted == plain
    }

    /// Why no game on these terms is rated, whoever plays it.
    fn why_not_rated(&self) -> Option<&'static str> {
        let has_odds =
            matches!(&self.time_control, game::TimeControl::Clock(sides) if sides.white != sides.black);
        match () {
            () if self.start.is_some() => {
                Some("a rated game starts from the usual position, or from one of the 960 by lot")
            }
            () if self.profile.name == ProfileName::Casual => Some("a game by the casual rules is not rated"),
            () if self.time_control == game::TimeControl::Unlimited => {
                Some("a rated game has a clock or days per move")
            }
            () if has_odds => Some("in a rated game both sides have the same time"),
            () => None,
        }
    }

    fn setup_from(&self, start: Position, seats: ByColor<Person>, began_unix_ms: u64) -> GameSetup {
        GameSetup {
            variant: self.wanted.variant.into(),
            start,
            time_control: self.time_control.clone(),
            profile: self.profile.clone(),
            players: seats.map(|player| player.account.as_u128()),
            names: seats.map(|player| player.name),
            by_lot: self.start.is_none() && self.wanted.variant == WireVariant::Chess960,
            rated: self.wanted.rated,
            ratings: ByColor::default(),
            bots: seats.map(|player| player.kind == Kind::Bot),
            imported: None,
            began_unix_ms,
        }
    }
}

/// Whether these two may play a rated game.
///
/// # Errors
/// `not_rated`, with a text that says why not.
pub(crate) fn may_be_rated(one: Person, other: Person) -> Result<(), TermsError> {
    let why = match () {
        () if !one.kind.is_registered() || !other.kind.is_registered() => {
            "a rated game is between registered accounts: guests play casual games"
        }
        () if one.kind != other.kind => "a rated game is between two people or between two bots",
        () => return Ok(()),
    };
    Err((Code::NotRated, why.to_owned()))
}

fn wanted_range_is_bad(wanted: &CreateChallenge) -> bool {
    let has_range = wanted.rating_min.is_some() || wanted.rating_max.is_some();
    let is_empty = wanted.rating_min.zip(wanted.rating_max).is_some_and(|(least, most)| least > most);
    has_range && !wanted.seek || is_empty
}

fn profile(options: GameOptions) -> Result<Profile, TermsError> {
    let moves = u16::try_from(options.no_draw_offer_before_move)
        .map_err(|_| (Code::BadOptions, "no_draw_offer_before_move is too large".to_owned()))?;
    Ok(Profile::named(options.profile.into())
        .with_no_draw_offer_before_move(moves)
        .with_ilc(options.ilc.into()))
}

fn rejection(error: StartError) -> TermsError {
    let code = match error {
        StartError::TimeControl(_) => Code::BadTimeControl,
        StartError::Profile(_) | StartError::IlcInBlitz => Code::BadOptions,
        StartError::AlreadyOver(_) | StartError::CastlingNeedsChess960 => Code::BadPosition,
    };
    (code, error.to_string())
}

#[cfg(test)]
mod tests;
