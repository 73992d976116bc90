//! Players who were connected to the owner of a game that another node has claimed: nobody knows of them, and they may not know
//! what has happened.

use std::sync::Arc;
use std::time::Duration;

use zeitnot_protocol::GameId;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::Micros;

use super::super::actor::{online, settle, types};
use super::super::table::play;
use super::pair::{Pair, Session, account, blacks_turn, events, id, until};
use super::playing::took;
use crate::connections::{Inbox, NoticeKind, ToSession};
use crate::games::{GameHandle, Seat};
use crate::storage::tests::samples::moved;
use crate::storage::{ClaimedGame, GameStore as _, JournalOffset, Owner};
use crate::time::ServiceInstant;

/// White was connected to the owner, and Black to B, which has claimed the game; when it has.
async fn claimed(pair: &Pair) -> (GameHandle, Session<Seat>, ServiceInstant) {
    let (_at_a, _at_b, _white, black) = blacks_turn(pair).await;
    black.heard().await;
    pair.store.say_owner(id(), Owner::Nobody);
    pair.lose_a();
    pair.a.games.stop();
    tokio::time::sleep(Duration::from_secs(3)).await;
    pair.claim().await;
    let claimed = pair.b.games.get(id()).unwrap();
    (claimed, black, pair.clock.now())
}

/// The same, and Black has moved since.
async fn whites_turn(pair: &Pair) -> (GameHandle, Session<Seat>, ServiceInstant) {
    let (claimed, black, at) = claimed(pair).await;
    black.heard().await;
    black.send(pair, play(4, "b8c6"));
    until("it is played", || claimed.feed().head() == 5).await;
    (claimed, black, at)
}

#[tokio::test(start_paused = true)]
async fn an_owner_that_is_found_just_after_its_death_is_looked_for_again() {
    let pair = Pair::new(Duration::from_millis(10));
    let (_at_a, _at_b, _white, black) = blacks_turn(&pair).await;
    black.heard().await;
    // Storage was asked before it knew: it names the dead node.
    pair.lose_a();
    pair.a.games.stop();
    tokio::time::sleep(Duration::from_secs(1)).await;
    pair.claim().await;
    let claimed = pair.b.games.get(id()).unwrap();
    tokio::time::sleep(Duration::from_secs(4)).await;
    black.send(&pair, play(4, "b8c6"));
    until("it is played", || claimed.feed().head() == 5).await;
}

#[tokio::test(start_paused = true)]
async fn a_claimed_game_that_cannot_be_played_on_is_set_aside_and_no_other() {
    let pair = Pair::new(Duration::from_millis(10));
    pair.game(online()).await;
    let broken = GameId::from_random(2);
    let records = pair.store.tail(id(), 1).await.unwrap().records;
    let claim = |game, records| ClaimedGame { game, records, offset: JournalOffset(1), spent: Micros::ZERO };
    pair.b.games.play_on(vec![claim(broken, vec![Arc::new(moved(broken, 2))]), claim(id(), records)]).await;
    assert!(pair.b.games.get(broken).is_none() && pair.b.games.get(id()).is_some());
    let aside = pair.store.set_aside_games();
    assert!(
        matches!(&aside[..], [(game, why)] if *game == broken && why.contains("make no game")),
        "{aside:?}"
    );
}

fn runs(game: &GameHandle) -> Option<Color> {
    game.feed().clock().unwrap().running.map(|(seat, _)| seat)
}

fn is_told_of_absence(told: Vec<NoticeKind>) -> bool {
    let is_absence = |frame: &str| frame.contains(r#""t":"presence""#) && frame.contains(r#""here":false"#);
    told.into_iter().any(|kind| matches!(kind, NoticeKind::Message(frame) if is_absence(frame.text())))
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_begins_for_a_player_of_the_lost_owner_stands_until_30_s_after_the_claim() {
    let pair = Pair::new(Duration::from_millis(10));
    let (claimed, black, at) = whites_turn(&pair).await;
    assert!(claimed.feed().clock().unwrap().began.is_none());
    pair.clock.sleep_until(at + Duration::from_millis(29_900)).await;
    assert_eq!(runs(&claimed), None);
    assert!(!is_told_of_absence(black.heard_now()), "nobody counts as absent meanwhile");
    pair.clock.sleep_until(at + Duration::from_millis(30_100)).await;
    assert_eq!(runs(&claimed), Some(Color::White));
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(is_told_of_absence(black.heard_now()));
}

#[tokio::test(start_paused = true)]
async fn a_player_of_the_lost_owner_who_comes_over_another_node_is_charged_from_then_on() {
    let pair = Pair::new(Duration::from_millis(10));
    let (claimed, _black, at) = whites_turn(&pair).await;
    pair.clock.sleep_until(at + Duration::from_secs(20)).await;
    let white = Session::sit(&claimed, Color::White, 7);
    assert!(types(&white.heard().await).contains(&"turn".to_owned()));
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(runs(&claimed), Some(Color::White));
    white.send(&pair, play(5, "f1b5"));
    until("it is played", || claimed.feed().head() == 6).await;
    let took = took(&events(&claimed, 5)[0]);
    assert!((2_100..=2_300).contains(&took), "{took}: from when all could have attached");
}

#[tokio::test(start_paused = true)]
async fn whoever_is_connected_to_another_node_at_the_claim_is_not_awaited() {
    let pair = Pair::new(Duration::from_millis(10));
    let (claimed, black, at) = claimed(&pair).await;
    until("Black's clock runs", || runs(&claimed) == Some(Color::Black)).await;
    let after = pair.clock.now().since(at);
    assert!(after <= Duration::from_millis(3_000), "{after:?}");
    drop(black);
    let watching = Session::sit(&claimed, Color::White, 7);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(is_told_of_absence(watching.heard_now()), "who leaves is away");
}

#[tokio::test(start_paused = true)]
async fn a_player_learns_of_a_game_that_others_brought_here_after_the_seats_were_taken() {
    let pair = Pair::new(Duration::from_millis(10));
    let game = pair.game(online()).await;
    let white = game.players().white;
    assert_ne!(white, account(0));
    let known = pair.b.games.unended_of(white);
    let _for_a_spectator = pair.found_at_b().await;
    let inbox = Inbox::default();
    pair.b.games.tell_of_unknown(white, known, &inbox.outbox());
    settle().await;
    let told = std::iter::from_fn(|| inbox.pop());
    assert!(told.into_iter().any(|told| matches!(told, ToSession::GameStarted { game, .. } if game == id())));
}
