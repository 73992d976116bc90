//! A position as a picture, for whoever shows a link to it: messengers, forums, search engines.
//!
//! Pictures are PNG of one size, because messengers show no SVG. There is no text on them: title and description say who
//! plays. Each takes some milliseconds, which a thread spends that gets what others leave over, and is kept for a while.
//!
//! Invariant: a picture depends on nothing but what is in its [`Scene`].
//!
//! Deliberately absent: whose pictures are wanted, and who may ask (`http`).

mod board;
mod icon;
mod pieces;

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use zeitnot_rules::board::{Color, Position, Square};

pub(crate) use board::{HEIGHT, WIDTH};
pub(crate) use icon::icon;

use crate::archive::{Archive, Busy};
use crate::recent::Recent;
use crate::time::ServiceClock;

/// Pictures that a half of the cache holds: of some 25 KiB each.
const PICTURES_HALF: usize = 128;

/// What a picture shows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Scene {
    pub(crate) position: Position,
    /// The last move, whose squares are marked.
    pub(crate) last: Option<(Square, Square)>,
    /// From whose side it is seen.
    pub(crate) seen_by: Color,
}

impl Scene {
    /// The first position of standard chess.
    pub(crate) fn first() -> Self {
        Self { position: Position::standard(), last: None, seen_by: Color::White }
    }
}

/// The pictures: places for those who ask, a thread, and those that were asked for lately. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Pictures {
    /// The turns and the thread.
    pub(crate) places: Archive,
    kept: Arc<Recent<Scene, Bytes>>,
}

impl Pictures {
    /// Starts the thread. It ends with the last user of this value.
    pub(crate) fn start(clock: ServiceClock) -> io::Result<Self> {
        Ok(Self::with(Archive::beside("pictures", clock)?))
    }

    /// Without a thread: for tests.
    #[cfg(test)]
    pub(crate) fn in_place() -> Self {
        Self::with(Archive::in_place())
    }

    fn with(places: Archive) -> Self {
        Self { places, kept: Arc::new(Recent::new(PICTURES_HALF)) }
    }

    /// The picture of a scene, as PNG.
    pub(crate) async fn of(&self, scene: Scene) -> Result<Bytes, Busy> {
        if let Some(kept) = self.kept.find(&scene) {
            return Ok(kept);
        }
        let kept = Arc::clone(&self.kept);
        let draw = move || {
            let picture = Bytes::from(board::draw(&scene)?);
            kept.keep(scene, picture.clone());
            Some(picture)
        };
        self.places.make(draw).await?.ok_or(Busy::Died)
    }
}
