//! A running game that its owner gives up and the other node plays on.

use std::time::Duration;

use zeitnot_protocol::GameId;
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Micros;

use super::super::actor::online;
use super::super::table::play;
use super::pair::{A, Pair, Session, account, blacks_turn, events, id, until};
use super::playing::took;
use crate::connections::NoticeKind;
use crate::games::{CreateError, GameHandle, Seat};
use crate::storage::{ClaimedGame, Fault, GameStore as _, Owner};

#[tokio::test(start_paused = true)]
async fn a_game_that_is_given_up_goes_on_at_once_over_the_sockets_of_the_other_node() {
    let pair = Pair::new(Duration::from_millis(10));
    let (at_a, at_b, white, black) = blacks_turn(&pair).await;
    black.heard().await;
    white.heard().await;
    let began = pair.clock.now();
    assert_eq!(pair.hand_over(Duration::ZERO).await, 1);
    black.send(&pair, play(4, "b8c6"));
    until("it is played", || at_b.feed().head() == 5).await;
    let pause = pair.clock.now().since(began);
    assert!(pause <= Duration::from_millis(50), "{pause:?}, at 10 ms from node to node");
    assert!(!black.heard().await.contains(&NoticeKind::Reset), "the socket has not noticed");
    assert!(white.heard().await.contains(&NoticeKind::Reset), "it comes again, here or elsewhere");
    assert!(pair.a.games.get(id()).is_none() && at_a.feed().is_closed());
    assert_eq!(pair.a.games.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_move_that_is_on_its_way_when_its_game_is_given_up_is_played_once_and_charged_what_it_took() {
    let pair = Pair::new(Duration::from_millis(10));
    let (_at_a, at_b, _white, black) = blacks_turn(&pair).await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    black.send(&pair, play(4, "b8c6"));
    // It arrives where nobody plays the game any more.
    pair.hand_over_with_what_is_noted(Duration::from_millis(700), Micros(4_500_000)).await;
    until("it is played", || at_b.feed().head() == 5).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(at_b.feed().head(), 5);
    let took = took(&events(&at_b, 4)[0]);
    assert!((3_900..=4_100).contains(&took), "{took}");
}

#[tokio::test(start_paused = true)]
async fn nobody_is_charged_while_a_game_has_no_owner() {
    let pair = Pair::new(Duration::from_millis(10));
    let (_at_a, at_b, _white, black) = blacks_turn(&pair).await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    pair.hand_over_with_what_is_noted(Duration::from_secs(5), Micros(4_000_000)).await;
    black.send(&pair, play(4, "b8c6"));
    until("it is played", || at_b.feed().head() == 5).await;
    let took = took(&events(&at_b, 4)[0]);
    assert!((3_900..=4_200).contains(&took), "{took}");
}

/// White has moved, and the record is durable only once the store goes on; the game at B, and both players.
async fn append_under_way(pair: &Pair) -> (GameHandle, Session<Seat>, Session<Seat>) {
    let (at_a, at_b, white, black) = blacks_turn(pair).await;
    black.send(pair, play(4, "b8c6"));
    until("it is played", || at_a.feed().head() == 5).await;
    pair.store.inject([Some(Fault::Delayed)]);
    white.send(pair, play(5, "f1b5"));
    tokio::time::sleep(Duration::from_millis(50)).await;
    (at_b, white, black)
}

#[tokio::test(start_paused = true)]
async fn a_game_is_given_up_after_its_record_is_durable() {
    let pair = Pair::new(Duration::from_millis(10));
    let (at_b, _white, _black) = append_under_way(&pair).await;
    let durable = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(pair.store.owner(id()).await, Ok(Some(Owner::Other(A))));
        pair.store.release();
    };
    let (released, ()) = tokio::join!(pair.hand_over(Duration::ZERO), durable);
    assert_eq!(released, 1);
    until("it counts", || at_b.feed().head() == 6).await;
}

#[tokio::test(start_paused = true)]
async fn while_games_are_given_up_none_begins_and_none_is_played_on() {
    let pair = Pair::new(Duration::from_millis(10));
    let (_at_a, _at_b, _white, _black) = blacks_turn(&pair).await;
    pair.hand_over(Duration::ZERO).await;
    let other = GameId::from_random(2);
    let begun = pair.a.games.create(other, online(), ByColor::default()).await;
    assert!(matches!(begun, Err(CreateError::Unavailable)));
    // It was claimed at the same moment.
    pair.store.say_owner(id(), Owner::Own);
    let tail = pair.store.tail(id(), 1).await.unwrap();
    let claimed = ClaimedGame { game: id(), records: tail.records, offset: tail.last, spent: Micros::ZERO };
    pair.a.games.play_on(vec![claimed]).await;
    assert_eq!(pair.store.owner(id()).await, Ok(Some(Owner::Nobody)));
    assert!(pair.a.games.live_of(account(1)).is_empty());
    pair.a.games.take_on();
    pair.a.games.create(other, online(), ByColor::default()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_game_whose_record_is_durable_only_after_its_node_goes_on_is_given_up_all_the_same() {
    let pair = Pair::new(Duration::from_millis(10));
    let (at_b, _white, _black) = append_under_way(&pair).await;
    assert_eq!(pair.a.games.release_all(Duration::from_secs(3)).await, 0);
    pair.a.games.take_on();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(pair.store.owner(id()).await, Ok(Some(Owner::Other(A))));
    pair.store.release();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(pair.store.owner(id()).await, Ok(Some(Owner::Nobody)));
    pair.claim().await;
    until("it goes on", || at_b.feed().head() == 6).await;
}
