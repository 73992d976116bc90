//! A game as an export of the Lichess API has it in JSON.

use serde_json::{Value, json};
use zeitnot_protocol::GameId;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::Game;
use zeitnot_rules::notation::san;

use super::people;
use super::words::{self, STARTED, Speed};
use crate::games::{Aftermath, snapshot_with};

/// The object of a game.
pub(super) fn of(id: GameId, game: &Game, after: &Aftermath) -> Value {
    let shown = snapshot_with(id, game, after);
    let (status, winner) = shown.state.outcome.as_ref().map_or((STARTED, None), words::ended);
    let has_own_start = game.setup().start != zeitnot_rules::board::Position::standard();
    let variant = words::variant(shown.variant, has_own_start);
    let (perf, _) = words::perf(shown.variant, &shown.time_control);
    let player = |view: &zeitnot_protocol::PlayerView| {
        let mut user = json!({ "id": people::id(view.account, &view.name), "name": view.name });
        if let (true, Some(user)) = (view.bot, user.as_object_mut()) {
            user.insert("title".to_owned(), "BOT".into());
        }
        json!({ "user": user, "rating": people::rating(view) })
    };
    let (moves, clocks) = moves(game);
    let began_ms = u64::from(shown.began) * 1_000;
    let mut object = json!({
        "id": id, "rated": shown.rated, "variant": variant["key"], "speed": Speed::of(&shown.time_control).key(),
        "perf": perf, "createdAt": began_ms, "lastMoveAt": began_ms, "status": status.0, "source": "friend",
        "players": { "white": player(&shown.players.white), "black": player(&shown.players.black) },
        "moves": moves,
    });
    let fields = object.as_object_mut().expect("it is one");
    if let Some(winner) = winner {
        fields.insert("winner".to_owned(), words::color(winner).into());
    }
    if let Some((base, increment)) = words::clock_ms(&shown.time_control) {
        let (initial, increment) = (base / 1_000, increment / 1_000);
        let clock =
            json!({ "initial": initial, "increment": increment, "totalTime": initial + 40 * increment });
        fields.insert("clock".to_owned(), clock);
        fields.insert("clocks".to_owned(), clocks.into());
    }
    if has_own_start {
        fields.insert("initialFen".to_owned(), shown.start_fen.into());
    }
    object
}

/// The moves in SAN, with blanks between, and what each left on the clock, in hundredths of a second.
fn moves(game: &Game) -> (String, Vec<u64>) {
    let mut position = game.setup().start.clone();
    let (mut text, mut clocks) = (Vec::new(), Vec::new());
    for played in game.moves() {
        let before = position.clone();
        position.play_unchecked(played.mv);
        text.push(san::write_after(played.mv, &before, &position).to_string());
        let mover: Color = played.by;
        clocks.extend(played.time.map(|time| time.clocks[mover].0 / 10_000));
    }
    (text.join(" "), clocks)
}
