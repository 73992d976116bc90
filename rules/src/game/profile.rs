//! The four rule profiles as data.
//!
//! A profile is a row of the table of profiles in `docs/laws.md`, and nothing more: the code that
//! reads a field is where the rule is (`claims`, `offers`, `clock`, `question`). A game carries its
//! profile in its first event, so changing a row here never changes a game that was started under
//! the old one.

use thiserror::Error;

use super::Micros;
use crate::verdict::AutomaticDraws;

/// The name of a profile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProfileName {
    /// FIDE Online regulations: draws by count are automatic. The default.
    FideOnline,
    /// FIDE Laws over the board: draws are claimed.
    FideBoard,
    /// US Chess rules, 14E included.
    UsChess,
    /// Friendly play with takebacks.
    Casual,
}

/// At which count a repetition or a move count is a draw, and whether it has to be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CountRule {
    /// The count at which the game is drawn without a claim (3 or 5 occurrences; 100 or 150 plies).
    pub automatic: u16,
    /// Whether the player to move may claim the draw at the lower count.
    pub claim: ClaimRule,
}

/// Which claims a profile allows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClaimRule {
    /// None: the count is automatic.
    None,
    /// On the position on the board only.
    OnBoard,
    /// On the board, or with the intended move.
    WithMove,
}

/// What a flag fall leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FlagRule {
    /// Article 6.9: a draw if the opponent cannot checkmate by any series of legal moves.
    Article6_9,
    /// US Chess 14E: a draw on insufficient material to win on time.
    Us14E,
}

/// What a resignation leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResignationRule {
    /// Article 5.1.2: a draw if the opponent cannot checkmate by any series of legal moves.
    Article5_1_2,
    /// The opponent wins.
    Loses,
}

/// What a wrong claim costs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WrongClaimRule {
    /// Nothing.
    None,
    /// Article 9.5.3 and its rapid and blitz forms: 120 s to the opponent, 60 s when base + 60 x
    /// bonus is under 60 min.
    Fide,
    /// A fixed amount to the opponent.
    Fixed(Micros),
}

/// When a player may offer a draw again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DrawOfferRule {
    /// Plies that must lie between two offers of one player; 0 for no such rule.
    pub plies_apart: u16,
}

/// How insufficient losing chances are handled (Guidelines III of the Laws; US Chess 14H).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum IlcRule {
    /// Not at all.
    #[default]
    Off,
    /// `fide_board` only, and not in blitz: if declined, 5 s a move for both and 2 min to the
    /// opponent.
    FideIii4,
    /// `us_chess` only: if declined, a 5 s delay is set and the requester's time is halved.
    Us14H,
}

/// The rules a game is played under.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Profile {
    /// Which row of the table this is.
    pub name: ProfileName,
    /// Repetition: 9.2 and 9.6.1.
    pub repetition: CountRule,
    /// Plies without pawn move or capture: 9.3 and 9.6.2.
    pub quiet_plies: CountRule,
    /// 6.9 or 14E.
    pub flag: FlagRule,
    /// 5.1.2 or plain loss.
    pub resignation: ResignationRule,
    /// 9.5.3 or its replacement.
    pub wrong_claim: WrongClaimRule,
    /// 9.1.
    pub draw_offer: DrawOfferRule,
    /// How many moves a player must have made before a first draw offer; 0 for no such rule. An
    /// option of `fide_board` only.
    pub no_draw_offer_before_move: u16,
    /// Whether either player may abort until each has moved, first moves are limited to 30 s, and
    /// the clocks first run on each side's second move.
    pub soft_start: bool,
    /// Whether takebacks and giving time are possible.
    pub friendly: bool,
    /// Whether an absent opponent can be claimed against, after a grace by speed.
    pub absence_claim: bool,
    /// Insufficient losing chances.
    pub ilc: IlcRule,
}

/// Why a profile is not one of the four rows with options that the row allows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum ProfileError {
    /// A field that is not an option differs from its row.
    #[error("the rules differ from those of their name")]
    NotItsRow,
    /// `no_draw_offer_before_move` is an option of `fide_board` only.
    #[error("a first move for draw offers goes with fide_board only")]
    DrawOfferMoveNotInProfile,
    /// `no_draw_offer_before_move` is over [`Profile::DRAW_OFFER_MOVE_MAX`].
    #[error("the first move for draw offers is at most 200")]
    DrawOfferMove,
    /// This profile does not allow that rule for insufficient losing chances.
    #[error("this rule for insufficient losing chances does not go with these rules")]
    IlcNotInProfile,
}

impl Profile {
    /// The highest `no_draw_offer_before_move`.
    pub const DRAW_OFFER_MOVE_MAX: u16 = 200;

    /// The row of a name, without options.
    #[must_use]
    pub const fn named(name: ProfileName) -> Self {
        match name {
            ProfileName::FideOnline => Self::fide_online(),
            ProfileName::FideBoard => Self::fide_board(),
            ProfileName::UsChess => Self::us_chess(),
            ProfileName::Casual => Self::casual(),
        }
    }

    /// FIDE Online regulations: draws by count are automatic. The default.
    #[must_use]
    pub const fn fide_online() -> Self {
        Self {
            name: ProfileName::FideOnline,
            repetition: CountRule { automatic: 3, claim: ClaimRule::None },
            quiet_plies: CountRule { automatic: 100, claim: ClaimRule::None },
            flag: FlagRule::Article6_9,
            resignation: ResignationRule::Article5_1_2,
            wrong_claim: WrongClaimRule::None,
            draw_offer: DrawOfferRule { plies_apart: 20 },
            no_draw_offer_before_move: 0,
            soft_start: true,
            friendly: false,
            absence_claim: true,
            ilc: IlcRule::Off,
        }
    }

    /// FIDE Laws over the board: draws are claimed.
    #[must_use]
    pub const fn fide_board() -> Self {
        Self {
            name: ProfileName::FideBoard,
            repetition: CountRule { automatic: 5, claim: ClaimRule::WithMove },
            quiet_plies: CountRule { automatic: 150, claim: ClaimRule::WithMove },
            flag: FlagRule::Article6_9,
            resignation: ResignationRule::Article5_1_2,
            wrong_claim: WrongClaimRule::Fide,
            draw_offer: DrawOfferRule { plies_apart: 0 },
            no_draw_offer_before_move: 0,
            soft_start: false,
            friendly: false,
            absence_claim: false,
            ilc: IlcRule::Off,
        }
    }

    /// US Chess rules, 14E included.
    #[must_use]
    pub const fn us_chess() -> Self {
        Self {
            name: ProfileName::UsChess,
            flag: FlagRule::Us14E,
            resignation: ResignationRule::Loses,
            wrong_claim: WrongClaimRule::Fixed(Micros::from_secs(120)),
            ..Self::fide_board()
        }
    }

    /// Friendly play with takebacks.
    #[must_use]
    pub const fn casual() -> Self {
        Self {
            name: ProfileName::Casual,
            repetition: CountRule { automatic: 5, claim: ClaimRule::OnBoard },
            friendly: true,
            ..Self::fide_online()
        }
    }

    /// The same rules with the option that a player must have made `moves` moves before a first
    /// draw offer.
    #[must_use]
    pub const fn with_no_draw_offer_before_move(self, moves: u16) -> Self {
        Self { no_draw_offer_before_move: moves, ..self }
    }

    /// The same rules with a way to handle insufficient losing chances.
    #[must_use]
    pub const fn with_ilc(self, ilc: IlcRule) -> Self {
        Self { ilc, ..self }
    }

    /// Whether this is one of the four rows, with options that the row allows.
    ///
    /// # Errors
    /// The first field or option that does not fit.
    pub fn validate(&self) -> Result<(), ProfileError> {
        let row = Self::named(self.name)
            .with_no_draw_offer_before_move(self.no_draw_offer_before_move)
            .with_ilc(self.ilc);
        if *self != row {
            return Err(ProfileError::NotItsRow);
        }
        if self.no_draw_offer_before_move > 0 && self.name != ProfileName::FideBoard {
            return Err(ProfileError::DrawOfferMoveNotInProfile);
        }
        if self.no_draw_offer_before_move > Self::DRAW_OFFER_MOVE_MAX {
            return Err(ProfileError::DrawOfferMove);
        }
        match (self.ilc, self.name) {
            (IlcRule::Off, _)
            | (IlcRule::FideIii4, ProfileName::FideBoard)
            | (IlcRule::Us14H, ProfileName::UsChess) => Ok(()),
            (IlcRule::FideIii4 | IlcRule::Us14H, _) => Err(ProfileError::IlcNotInProfile),
        }
    }

    /// The counts at which this profile draws a game without a claim.
    #[must_use]
    pub const fn automatic_draws(&self) -> AutomaticDraws {
        AutomaticDraws { repetitions: self.repetition.automatic, quiet_plies: self.quiet_plies.automatic }
    }
}
