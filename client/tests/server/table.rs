//! Two guests at a board.

use zeitnot_client::protocol::{
    ChallengeId, CreateChallenge, GameOptions, Period, TimeControl, Turn, WireColor, WireProfile,
};
use zeitnot_client::{Accepted, Client, Game, GameEvent};

use super::server::guarded;

/// So many seconds a side, and no more.
pub(crate) fn clock(seconds: u32) -> TimeControl {
    let period = Period { base_ms: seconds * 1_000, ..Period::default() };
    TimeControl::Clock { periods: vec![period], black_periods: None }
}

/// A challenge in which the challenger has White.
pub(crate) fn white(time_control: TimeControl) -> CreateChallenge {
    CreateChallenge { color: Some(WireColor::White), ..CreateChallenge::with(time_control) }
}

/// The same by the friendly rules.
pub(crate) fn casual(time_control: TimeControl) -> CreateChallenge {
    let options = GameOptions { profile: WireProfile::Casual, ..GameOptions::default() };
    CreateChallenge { options, ..white(time_control) }
}

/// A game of two clients, the challenger's side first.
pub(crate) async fn begin(white: &Client, black: &Client, wanted: CreateChallenge) -> (Game, Game) {
    let challenge: ChallengeId = guarded("the challenge", white.create_challenge(wanted)).await.unwrap();
    let accepted = guarded("the acceptance", black.accept_challenge(challenge)).await.unwrap();
    assert_eq!(accepted, Accepted::Began(challenge.into()));
    let white = guarded("White's game", white.game_of(challenge)).await.unwrap();
    let black = guarded("Black's game", black.game_of(challenge)).await.unwrap();
    (white, black)
}

/// The next event that `wanted` makes something of. Others are passed over.
pub(crate) async fn until<T>(game: &mut Game, mut wanted: impl FnMut(&GameEvent) -> Option<T>) -> T {
    guarded("an event", async {
        loop {
            let event = game.next().await.unwrap().expect("the game goes on");
            if let Some(found) = wanted(&event) {
                return found;
            }
        }
    })
    .await
}

/// Waits for the turn.
pub(crate) async fn turn(game: &mut Game) -> Turn {
    until(game, |event| match event {
        GameEvent::Turn(turn) => Some(turn.clone()),
        _ => None,
    })
    .await
}

/// Waits for the turn and plays a move.
pub(crate) async fn play(game: &mut Game, uci: &str) {
    let turn = turn(game).await;
    assert_eq!(turn.on, game.state().on);
    let seq = guarded("ok", game.play(uci.parse().unwrap())).await.unwrap();
    assert!(seq > turn.on);
}

/// Plays moves, White's first.
pub(crate) async fn play_all(white: &mut Game, black: &mut Game, moves: &[&str]) {
    for (ply, uci) in moves.iter().enumerate() {
        play(if ply % 2 == 0 { white } else { black }, uci).await;
    }
}
