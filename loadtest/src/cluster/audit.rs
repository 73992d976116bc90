//! After a fault: each game read from each node, and those that have ended from the archive, compared
//! with all that any client was told.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use zeitnot_protocol::{GameId, Uci, WholeGame};

use super::harness::NODES;
use crate::crash::audit;
use crate::crash::world::World;
use crate::programs::http::Program;
use crate::rng::Rng;

/// As many games as an export has at most: more than a run plays.
const GAMES_MAX: &str = "10000";

/// Reads the current games and a sample of those that have ended, or `all` of them, from each node. How long it took
/// until a node had caught up with a game that it was behind with, in ms.
pub(super) async fn on_each_node(world: &World, rng: &mut Rng, all: bool) -> Result<Vec<f64>> {
    let (games, mut behind) = (audit::choose(world, rng, all), Vec::new());
    for place in 0..NODES {
        behind.extend(audit::read_at(world, &games, Some(place)).await?);
    }
    Ok(behind)
}

/// Compares all games that have ended by now with what each node exports from the archive.
pub(super) async fn archive(world: &World) -> Result<()> {
    let over: Vec<GameId> = {
        let checker = world.checker.borrow();
        checker.games().filter(|(_, is_over)| *is_over).map(|(game, _)| game).collect()
    };
    for place in 0..NODES {
        let mut reader = Program::new(world.places.endpoint(place), None);
        let path = format!("/api/games/export?format=ndjson&max={GAMES_MAX}");
        let text = reader.get(&path, "application/x-ndjson").await?;
        let mut archived = BTreeMap::<GameId, Vec<Uci>>::new();
        for line in text.lines().filter(|line| !line.is_empty()) {
            let whole: WholeGame = serde_json::from_str(line).context("a line of the export")?;
            let moves = whole.moves.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
            archived.insert(whole.game.game, moves);
        }
        let mut checker = world.checker.borrow_mut();
        for game in &over {
            match archived.get(game) {
                Some(moves) => checker.archived(*game, moves),
                None => checker.missing(*game),
            }
        }
    }
    Ok(())
}
