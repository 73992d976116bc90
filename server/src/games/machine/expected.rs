//! Players who are on their way to a new game: they have a connection, and it has been told to take its seat.
//!
//! Nobody is told that such a player is away, and no absence is counted, until a while has passed without a connection.

use std::time::Duration;

use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::Fact;

use super::{GameEffects, GameMachine};
use crate::time::ServiceInstant;

/// How long a session may take to its seat. It is told at once, so this is a slow machine's time.
const EXPECTED_FOR: Duration = Duration::from_secs(5);

/// See the module.
#[derive(Debug, Default)]
pub(super) struct ExpectedPlayers {
    seats: ByColor<bool>,
    until: Option<ServiceInstant>,
}

impl ExpectedPlayers {
    /// Whether a player is on the way.
    pub(super) fn is_on_the_way(&self, seat: Color) -> bool {
        self.seats[seat]
    }

    /// A connection of the player is there.
    pub(super) fn came(&mut self, seat: Color) {
        self.seats[seat] = false;
        if Color::ALL.into_iter().all(|seat| !self.seats[seat]) {
            self.until = None;
        }
    }

    /// When whoever has not come counts as away.
    pub(super) const fn until(&self) -> Option<ServiceInstant> {
        self.until
    }
}

impl GameMachine {
    /// These players of a game that was created at `at` have a connection.
    pub(super) fn expect(&mut self, seats: ByColor<bool>, at: ServiceInstant) {
        for seat in Color::ALL.into_iter().filter(|&seat| seats[seat]) {
            self.game.observe(Fact::Present { seat, at: self.axis.game(at) });
            self.expected.until = Some(at + EXPECTED_FOR);
        }
        self.expected.seats = seats;
    }

    /// Whoever has not come by now is away.
    pub(super) fn expect_no_longer(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        if self.expected.until.is_none_or(|due| at < due) {
            return;
        }
        let missing = std::mem::take(&mut self.expected).seats;
        for seat in Color::ALL.into_iter().filter(|&seat| missing[seat]) {
            self.game.observe(Fact::Absent { seat, at: self.axis.game(at) });
            self.notify_presence(seat, at, effects);
        }
    }
}
