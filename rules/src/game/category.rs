//! The categories of games: in each of them a player has a rating of its own.
//!
//! Deliberately absent: ratings.

use super::{GameSetup, Speed, TimeControl, Variant};

/// A kind of games that are alike enough for one rating: Chess960 at any speed, else the speed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Category {
    /// Standard chess at [`Speed::Bullet`].
    Bullet,
    /// Standard chess at [`Speed::Blitz`].
    Blitz,
    /// Standard chess at [`Speed::Rapid`].
    Rapid,
    /// Standard chess at [`Speed::Classical`].
    Classical,
    /// Standard chess at [`Speed::Correspondence`].
    Correspondence,
    /// Chess960 at any speed.
    Chess960,
}

impl Category {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Bullet, Self::Blitz, Self::Rapid, Self::Classical, Self::Correspondence, Self::Chess960];

    /// The category of games of a variant with a time control.
    #[must_use]
    pub fn of(variant: Variant, time_control: &TimeControl) -> Self {
        match (variant, time_control.speed()) {
            (Variant::Chess960, _) => Self::Chess960,
            (Variant::Standard, Speed::Bullet) => Self::Bullet,
            (Variant::Standard, Speed::Blitz) => Self::Blitz,
            (Variant::Standard, Speed::Rapid) => Self::Rapid,
            (Variant::Standard, Speed::Classical) => Self::Classical,
            (Variant::Standard, Speed::Correspondence) => Self::Correspondence,
        }
    }
}

impl GameSetup {
    /// The category of the game.
    #[must_use]
    pub fn category(&self) -> Category {
        Category::of(self.variant, &self.time_control)
    }
}
