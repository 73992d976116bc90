//! The channels of television: which games each shows, and which of them first.
//!
//! Invariant: every channel that programs know is one here, also one whose games are not played here: it shows nothing,
//! and its stream waits.

use std::cmp::Reverse;

use zeitnot_protocol::GameId;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{GameSetup, Variant};

use crate::games::{self, GameHandle, Games};
use crate::lichess_api::words::Speed;

/// What the channel with the best game of all is called.
pub(super) const BEST: &str = "best";

/// All channels, by the names that programs have for them.
pub(super) const CHANNELS: [&str; 16] = [
    BEST,
    "bullet",
    "blitz",
    "rapid",
    "classical",
    "ultraBullet",
    "chess960",
    "bot",
    "computer",
    "crazyhouse",
    "kingOfTheHill",
    "threeCheck",
    "antichess",
    "atomic",
    "horde",
    "racingKings",
];

/// The channel of this name.
pub(super) fn named(name: &str) -> Option<&'static str> {
    CHANNELS.into_iter().find(|channel| *channel == name)
}

/// Whether a channel shows games like this one.
fn shows(channel: &str, setup: &GameSetup) -> bool {
    let (white, black) = (setup.bots.white, setup.bots.black);
    match channel {
        BEST => true,
        "chess960" => setup.variant == Variant::Chess960,
        "bot" => white || black,
        "computer" => white && black,
        speed => setup.variant == Variant::Standard && Speed::of(&games::time_control(setup)).key() == speed,
    }
}

/// A game with clocks goes before one without; then the ratings of its players count, then the newest; the id makes the
/// order whole.
fn rank(game: &GameHandle) -> (bool, u32, u64, Reverse<GameId>) {
    let setup = game.setup();
    let has_clocks = matches!(setup.time_control, zeitnot_rules::game::TimeControl::Clock(_));
    let rating = |seat: Color| setup.ratings[seat].map_or(0, |shown| u32::from(shown.rating));
    let ratings = rating(Color::White) + rating(Color::Black);
    (has_clocks, ratings, setup.began_unix_ms, Reverse(game.id()))
}

/// The games that a channel shows, the first one first, at most `most`.
pub(super) fn games_of(games: &Games, channel: &str, most: usize) -> Vec<GameHandle> {
    games.ranked(most, |game| shows(channel, game.setup()).then(|| rank(game))).1
}

#[cfg(test)]
mod tests {
    use zeitnot_rules::board::{ByColor, Position};
    use zeitnot_rules::game::{Bonus, Micros, Period, Profile, TimeControl};

    use super::*;

    fn setup(base_s: u64) -> GameSetup {
        let period =
            Period { moves: None, base: Micros::from_secs(base_s), bonus: Bonus::Increment(Micros(0)) };
        let clock = TimeControl::Clock(ByColor { white: vec![period], black: vec![period] });
        GameSetup::casual(ByColor { white: 1, black: 2 }, clock, Profile::fide_online(), 0)
    }

    #[test]
    fn a_channel_shows_games_of_its_kind() {
        let of = |setup: &GameSetup| {
            CHANNELS.into_iter().filter(|channel| shows(channel, setup)).collect::<Vec<_>>()
        };
        assert_eq!(of(&setup(180)), [BEST, "blitz"]);
        assert_eq!(of(&setup(15)), [BEST, "ultraBullet"]);
        let one = GameSetup { bots: ByColor { white: true, black: false }, ..setup(600) };
        assert_eq!(of(&one), [BEST, "rapid", "bot"]);
        let both = GameSetup { bots: ByColor::both(true), ..setup(60) };
        assert_eq!(of(&both), [BEST, "bullet", "bot", "computer"]);
        let (variant, start) = (Variant::Chess960, Position::chess960(0));
        assert_eq!(of(&GameSetup { variant, start, ..setup(180) }), [BEST, "chess960"]);
    }
}
