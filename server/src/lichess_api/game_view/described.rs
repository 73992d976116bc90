//! A game as the Lichess API shows it to everybody: described whole, as one position, and on television.

use serde_json::{Value, json};
use zeitnot_protocol::{PlayerView, Uci, WireColor};

use super::GameView;
use crate::lichess_api::people;
use crate::lichess_api::words::{self, Speed};
use crate::time::ServiceInstant;

/// A position of a game: its FEN, the move that led to it, and what was on the clocks, in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::lichess_api) struct Shown {
    pub(in crate::lichess_api) fen: String,
    pub(in crate::lichess_api) last: Option<Uci>,
    pub(in crate::lichess_api) white_ms: Option<u32>,
    pub(in crate::lichess_api) black_ms: Option<u32>,
}

impl Shown {
    /// As a line of a stream has it: clocks in seconds.
    pub(in crate::lichess_api) fn object(&self) -> Value {
        let mut object = json!({ "fen": self.fen });
        if let Some(last) = self.last {
            object["lm"] = last.to_string().into();
        }
        for (name, clock_ms) in [("wc", self.white_ms), ("bc", self.black_ms)] {
            if let Some(clock_ms) = clock_ms {
                object[name] = seconds(clock_ms).into();
            }
        }
        object
    }
}

/// The nearest whole second.
const fn seconds(ms: u32) -> u32 {
    ms.saturating_add(500) / 1_000
}

impl GameView {
    /// The position on the board, and the clocks as they stand.
    pub(in crate::lichess_api) fn shown(&self, now: ServiceInstant) -> Shown {
        let clock = |shown: Option<u32>, side| shown.map(|_| self.ms_left(side, now));
        Shown {
            fen: self.fen.clone(),
            last: self.last,
            white_ms: clock(self.clocks.white, WireColor::White),
            black_ms: clock(self.clocks.black, WireColor::Black),
        }
    }

    /// The position that the game started from, in FEN.
    pub(in crate::lichess_api) fn start_fen(&self) -> &str {
        &self.start_fen
    }

    /// What is on both clocks before the first move.
    pub(in crate::lichess_api) fn start_clock(&self) -> Option<u32> {
        words::clock_ms(&self.time_control).map(|(base, _)| base)
    }

    /// All that everybody may know of the game at once.
    pub(in crate::lichess_api) fn description(&self) -> Value {
        let (status, winner) = self.status();
        let (perf, _) = words::perf(self.variant, &self.time_control);
        let mut object = json!({
            "id": self.id, "variant": self.variant_object(), "speed": Speed::of(&self.time_control).key(),
            "perf": perf, "rated": self.rated, "source": self.source.word(), "fen": self.fen,
            "player": words::color(self.turn()), "turns": self.plies, "startedAtTurn": 0,
            "status": { "id": status.1, "name": status.0 }, "createdAt": u64::from(self.began) * 1_000,
            "players": { "white": player(&self.players.white), "black": player(&self.players.black) },
        });
        if self.initial_fen() != "startpos" {
            object["initialFen"] = self.start_fen.as_str().into();
        }
        if let Some(last) = self.last {
            object["lastMove"] = last.to_string().into();
        }
        if let Some(winner) = winner {
            object["winner"] = words::color(winner).into();
        }
        object
    }

    /// The game as television announces it.
    pub(in crate::lichess_api) fn featured(&self, now: ServiceInstant) -> Value {
        let shown = self.shown(now);
        let side = |side, view: &PlayerView, clock_ms: Option<u32>| {
            let mut object = player(view);
            object["color"] = words::color(side).into();
            if let Some(clock_ms) = clock_ms {
                object["seconds"] = seconds(clock_ms).into();
            }
            object
        };
        json!({
            "id": self.id, "orientation": "white", "fen": self.fen,
            "players": [
                side(WireColor::White, &self.players.white, shown.white_ms),
                side(WireColor::Black, &self.players.black, shown.black_ms),
            ],
        })
    }
}

fn player(view: &PlayerView) -> Value {
    let mut user = json!({ "id": people::id(view.account, &view.name), "name": view.name });
    if view.bot {
        user["title"] = "BOT".into();
    }
    json!({ "user": user, "rating": people::rating(view) })
}
