//! What the server says about positions: what the rules say of any position, and what the searcher thinks of a finished
//! game's and of lines that leave it.
//!
//! All of it takes the processor's time for whoever asks, so each has places for which addresses take turns, and one thread that
//! gets what others leave over and a share of a core at most, as the archive's answers have.
//!
//! Invariant: nothing that is being played is evaluated. Whoever calls [`evaluation::evaluate`] or
//! [`best_lines::best_lines`] has seen that the game is over, and, for a line that leaves it, that whoever asks plays none; of a
//! position without a game only the rules speak.
//!
//! Deliberately absent: HTTP (`http`), chess (`zeitnot_rules`), the search (`zeitnot_bot`).

pub(crate) mod best_lines;
pub(crate) mod evaluation;
pub(crate) mod place;
pub(crate) mod position;

use std::io;
use std::sync::{Arc, Mutex};

use zeitnot_bot::search::Searcher;
use zeitnot_protocol::{BestLines, Evaluation, NamedMove};
use zeitnot_rules::board::{Move, Position};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::{san, uci};

use self::place::Place;
use crate::archive::Archive;
use crate::recent::Recent;
use crate::time::ServiceClock;

/// Evaluations that a half of the cache holds, of about a kilobyte each.
const EVALUATIONS_HALF: usize = 1_024;

/// The same of the best lines, of about three kilobytes each.
const BEST_LINES_HALF: usize = 256;

/// Analyses of positions: their places, threads and what they keep. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Analysis {
    /// The turns and the thread of those who ask what the rules say.
    pub(crate) positions: Archive,
    /// The same of those who ask what the searcher thinks.
    pub(crate) evaluations: Archive,
    /// What was evaluated lately.
    pub(crate) known: Arc<Recent<Place, Evaluation>>,
    /// The same of those who ask for the best lines: they take longer, and nobody who steps through a game waits for them.
    pub(crate) lines: Archive,
    /// Of which positions the best lines were found lately.
    pub(crate) known_lines: Arc<Recent<Place, BestLines>>,
    /// Made by the first search, as the other one is: their tables take megabytes.
    searcher: Arc<Mutex<Option<Searcher>>>,
    /// Of the best lines.
    deep_searcher: Arc<Mutex<Option<Searcher>>>,
}

impl Analysis {
    /// Starts the threads. They end with the last user of this value.
    pub(crate) fn start(clock: ServiceClock) -> io::Result<Self> {
        let positions = Archive::beside("positions", clock.clone())?;
        let evaluations = Archive::beside("evaluations", clock.clone())?;
        Ok(Self::with(positions, evaluations, Archive::beside("best-lines", clock)?))
    }

    /// Without threads: for tests.
    #[cfg(test)]
    pub(crate) fn in_place() -> Self {
        Self::with(Archive::in_place(), Archive::in_place(), Archive::in_place())
    }

    fn with(positions: Archive, evaluations: Archive, lines: Archive) -> Self {
        Self {
            positions,
            evaluations,
            known: Arc::new(Recent::new(EVALUATIONS_HALF)),
            lines,
            known_lines: Arc::new(Recent::new(BEST_LINES_HALF)),
            searcher: Arc::default(),
            deep_searcher: Arc::default(),
        }
    }
}

/// A legal move in both notations; `position` is the one after it then.
fn play_named(position: &mut Position, mv: Move, variant: Variant) -> NamedMove {
    let before = position.clone();
    position.play_unchecked(mv);
    NamedMove {
        uci: uci::write(mv, &before, variant).into(),
        san: san::write_after(mv, &before, position).into(),
    }
}
