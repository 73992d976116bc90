//! Converts between the game's own time and this process's service clock.

use zeitnot_rules::game::{GameInstant, Micros};

use crate::time::ServiceInstant;

/// One instant known on both axes. Both run equally fast from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Axis {
    service: ServiceInstant,
    game: GameInstant,
}

impl Axis {
    pub(super) fn new(service: ServiceInstant, game: GameInstant) -> Self {
        Self { service, game }
    }

    /// The game's instant. A stamp from before the recovery lies before it, at the earliest at the
    /// game's start.
    pub(super) fn game(self, at: ServiceInstant) -> GameInstant {
        if at >= self.service {
            self.game + Micros(at.0 - self.service.0)
        } else {
            self.game.saturating_sub(Micros(self.service.0 - at.0))
        }
    }

    /// The service clock's instant.
    pub(super) fn service(self, at: GameInstant) -> ServiceInstant {
        if at >= self.game {
            ServiceInstant(self.service.0.saturating_add(at.0 - self.game.0))
        } else {
            ServiceInstant(self.service.0.saturating_sub(self.game.0 - at.0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_go_there_and_back() {
        let axis = Axis::new(ServiceInstant(1_000_000), GameInstant(300));
        assert_eq!(axis.game(ServiceInstant(1_000_000)), GameInstant(300));
        assert_eq!(axis.game(ServiceInstant(1_000_007)), GameInstant(307));
        assert_eq!(axis.game(ServiceInstant(999_900)), GameInstant(200));
        assert_eq!(axis.game(ServiceInstant(0)), GameInstant(0), "nothing lies before the start");
        for game in [200, 300, 12_345_678] {
            assert_eq!(axis.game(axis.service(GameInstant(game))), GameInstant(game));
        }
    }
}
