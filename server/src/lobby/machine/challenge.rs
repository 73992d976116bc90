//! One challenge: who offers which terms to whom.
//!
//! Deliberately absent: whether it can be accepted now (`challenges`), and what its terms mean (`terms`).

use std::sync::Arc;
use std::time::Duration;

use zeitnot_protocol::{
    AccountId, Challenge as ChallengeView, ChallengeId, Code, CommandId, CreateChallenge, GameId, Limits,
    PlayerView, TimeControl, WireColor,
};
use zeitnot_rules::game::ShownRating;

use crate::accounts::Person;
use crate::lobby::terms::{Terms, TermsError, may_be_rated};
use crate::seeded_bugs::bug;
use crate::time::ServiceInstant;

/// A challenge that an account has made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Challenge {
    /// Its id, which is also the id of the game that it becomes.
    pub(crate) id: ChallengeId,
    /// The account that made it, with the name that the account has at present.
    pub(crate) owner: Person,
    /// The owner's rating when it was made, in the category of the game; `None` for a guest, and after a restart.
    pub(crate) owner_rating: Option<ShownRating>,
    /// The only account that may accept it; `None`: any account but the owner's.
    pub(crate) to: Option<AccountId>,
    /// Who has accepted it while the owner was away. Nobody else can accept it then, and it waits for both to be connected.
    pub(crate) accepted_by: Option<Person>,
    /// The id of the command that made it.
    pub(crate) command: Option<CommandId>,
    /// The finished game that it offers a rematch of.
    pub(crate) rematch_of: Option<GameId>,
    /// Whether it is a seek: listed in the lobby for anybody, and never stored.
    pub(crate) seek: bool,
    /// From this instant on nobody can accept it. Set when it is made or restored; never for a seek.
    pub(crate) until: ServiceInstant,
    /// What would be played.
    pub(crate) terms: Arc<Terms>,
}

/// The lot of the challenge with this id: its owner's side. An id is drawn at random and kept, so the lot is, too.
pub(crate) fn lot_of(id: ChallengeId) -> WireColor {
    let bits = id.as_bytes().iter().fold(0_u8, |bits, byte| bits ^ byte.count_ones() as u8);
    if bits & 1 == 0 { WireColor::White } else { WireColor::Black }
}

impl Challenge {
    /// The challenge that this command makes.
    ///
    /// # Errors
    /// As [`Terms::read`].
    pub(crate) fn new(
        id: ChallengeId,
        owner: Person,
        wanted: CreateChallenge,
        rematch_of: Option<GameId>,
    ) -> Result<Self, TermsError> {
        let (to, command, seek) = (wanted.to, wanted.id, wanted.seek);
        let (owner_rating, terms) = (None, Arc::new(Terms::read(wanted)?));
        let until = ServiceInstant::NEVER;
        let accepted_by = None;
        Ok(Self { id, owner, owner_rating, to, accepted_by, command, rematch_of, seek, until, terms })
    }

    /// Whether `other`, who has this rating in the category of the game, may play on these terms.
    ///
    /// # Errors
    /// `other_rating`; `not_rated`, with a text that says why.
    pub(crate) fn admits(&self, other: Person, rating: Option<ShownRating>) -> Result<(), TermsError> {
        if self.terms.has_range() && !rating.is_some_and(|shown| self.terms.is_in_range(shown)) {
            return Err((Code::OtherRating, Code::OtherRating.meaning().to_owned()));
        }
        if self.terms.wanted.rated { may_be_rated(self.owner, other) } else { Ok(()) }
    }

    /// The owner's side, where the terms leave it to the lot and the lot is drawn when the challenge is made: for one that is
    /// addressed to somebody. Its players may be told.
    pub(crate) fn lot(&self) -> Option<WireColor> {
        let is_open = self.terms.wanted.color.is_none();
        self.to.filter(|_| is_open).map(|_| lot_of(self.id))
    }

    /// Whether it must be durable before anybody is told of it. A seek ends with its owner's last
    /// connection, so a restart ends it too.
    pub(crate) fn is_stored(&self) -> bool {
        !self.seek
    }

    /// How long it is open: longer where a move may take days. `None` for a seek, which its owner's connection keeps open.
    pub(crate) fn lifetime(&self, limits: &Limits) -> Option<Duration> {
        let ms = match self.terms.wanted.time_control {
            _ if self.seek => return None,
            TimeControl::Days { .. } => limits.challenge_by_days_lifetime_ms,
            _ => limits.challenge_lifetime_ms,
        };
        Some(Duration::from_millis(ms.into()))
    }

    /// Whether its time has come: the next sweep ends it.
    pub(crate) fn is_over(&self, at: ServiceInstant) -> bool {
        bug!(AcceptedAfterItsEnd => return false);
        self.until <= at
    }

    /// Whether its game has clocks that would run while a player is away.
    pub(crate) fn has_clocks(&self) -> bool {
        matches!(self.terms.wanted.time_control, TimeControl::Clock { .. })
    }

    /// The account to which it is addressed, or that has accepted it.
    pub(crate) fn other(&self) -> Option<AccountId> {
        self.to.or(self.accepted_by.map(|by| by.account))
    }

    /// The owner, then the other account that it concerns, if it is known.
    pub(crate) fn concerned(&self) -> impl Iterator<Item = AccountId> + use<> {
        [Some(self.owner.account), self.other()].into_iter().flatten()
    }

    /// The challenge as clients see it at `at`. `id` is the id of the command that this answers.
    pub(crate) fn view(&self, id: Option<CommandId>, at: ServiceInstant) -> ChallengeView {
        let wanted = &self.terms.wanted;
        let left = || u64::try_from(self.until.since(at).as_millis()).unwrap_or(u64::MAX);
        ChallengeView {
            challenge: self.id,
            id,
            by: PlayerView {
                rating: self.owner_rating.map(|shown| shown.rating.into()),
                provisional: self.owner_rating.is_some_and(|shown| shown.provisional),
                ..self.owner.view()
            },
            to: self.to,
            seek: self.seek,
            rematch_of: self.rematch_of,
            color: wanted.color,
            variant: wanted.variant,
            fen: self.terms.shown_fen(),
            time_control: wanted.time_control.clone(),
            options: wanted.options,
            rated: wanted.rated,
            rating_min: wanted.rating_min,
            rating_max: wanted.rating_max,
            accepted_by: self.accepted_by.map(|by| by.view()),
            ends_in_ms: (!self.seek).then(left),
        }
    }
}
