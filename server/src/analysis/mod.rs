//! What the server says about positions: what the rules say of any position, and what the searcher thinks of a finished
//! game's and of lines that leave it.
//!
//! All of it takes the processor's time for whoever asks, so each has places for which addresses take turns, and one thread that
//! gets what others leave over and a share of a core at most, as the archive's answers have.
//!
//! Invariant: nothing that is being played is evaluated. Whoever calls [`Evaluations::evaluate`] or
//! [`LineSearches::best_lines`] has seen that the game is over, and, for a line that leaves it, that whoever asks plays none. That a
//! game from elsewhere is over is said by whoever brings it along, who plays none. Of a position without a game only the rules
//! speak.
//!
//! Deliberately absent: HTTP (`http`), chess (`zeitnot_rules`), the search (`zeitnot_bot`).

pub(crate) mod best_lines;
pub(crate) mod evaluation;
pub(crate) mod place;
pub(crate) mod position;

use std::io;

use self::best_lines::{Effort, LineSearches};
use self::evaluation::Evaluations;
use crate::archive::Archive;
use crate::time::ServiceClock;

/// Analyses of positions: their places, threads and what they keep. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Analysis {
    /// The turns and the thread of those who ask what the rules say.
    pub(crate) positions: Archive,
    /// The same of those who ask what the searcher thinks, and what that was.
    pub(crate) evaluations: Evaluations,
    /// The same of those who ask for the best lines: they take longer, and nobody who steps through a game waits for them.
    pub(crate) lines: LineSearches,
    /// The same of those who ask for deeper ones.
    pub(crate) deeper_lines: LineSearches,
}

impl Analysis {
    /// Starts the threads. They end with the last user of this value.
    pub(crate) fn start(clock: ServiceClock) -> io::Result<Self> {
        let positions = Archive::beside("positions", clock.clone())?;
        let evaluations = Archive::beside("evaluations", clock.clone())?;
        let lines = Archive::beside("best-lines", clock.clone())?;
        Ok(Self::with(positions, evaluations, lines, Archive::beside("deeper-lines", clock)?))
    }

    /// Without threads: for tests.
    #[cfg(test)]
    pub(crate) fn in_place() -> Self {
        let [positions, evaluations, lines, deeper] = [(); 4].map(|()| Archive::in_place());
        Self::with(positions, evaluations, lines, deeper)
    }

    fn with(positions: Archive, evaluations: Archive, lines: Archive, deeper: Archive) -> Self {
        Self {
            positions,
            evaluations: Evaluations::new(evaluations),
            lines: LineSearches::new(Effort::Usual, lines),
            deeper_lines: LineSearches::new(Effort::Deeper, deeper),
        }
    }
}
