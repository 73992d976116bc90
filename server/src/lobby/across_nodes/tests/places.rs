//! Places in pools when their lobby is gone: whoever waited waits again, unless something else was decided meanwhile.

use zeitnot_protocol::{Limits, LobbyCommand};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Event;

use super::*;
use crate::cluster::wire::ToLobby;
use crate::storage::tests::samples::{game, started};

const BULLET: PoolId = PoolId::OneMinute;

fn leave() -> LobbyRequest {
    LobbyRequest::LeavePool(LobbyCommand { id: None })
}

/// Of two nodes the second one has a player who waited in the lobby of the first, which is gone.
async fn lost_place() -> (Pair, Tab) {
    let pair = Pair::with_lobby().await;
    let bob = pair.tab(1, 2);
    pair.ask(1, &bob, join()).await;
    assert_eq!(bob.heard(), [Told::Ok, waits(Some(BLITZ))]);
    pair.close_link();
    (pair, bob)
}

#[tokio::test(start_paused = true)]
async fn after_a_lost_link_who_waited_waits_again_and_a_seek_has_ended() {
    let pair = Pair::with_lobby().await;
    let bob = pair.tab(1, 2);
    pair.ask(1, &bob, join()).await;
    pair.ask(1, &bob, seek(None)).await;
    let Some(Told::Challenge(sought)) = bob.heard().pop() else { panic!("no seek") };
    pair.close_link();
    after(10).await;
    assert_eq!((pair.waiting(0), pair.seeks(0)), (0, 0), "nobody gets a game who cannot be told");
    pair.open_link();
    after(10).await;
    assert_eq!((pair.waiting(0), pair.seeks(0)), (1, 0));
    let heard = bob.heard();
    assert!(heard.contains(&Told::Gone(sought)) && heard.contains(&waits(Some(BLITZ))), "{heard:?}");
}

#[tokio::test(start_paused = true)]
async fn a_place_that_was_told_to_a_second_connection_on_another_node_stays_with_that_connection() {
    let pair = Pair::with_lobby().await;
    let first = pair.tab(0, 2);
    pair.ask(0, &first, join()).await;
    let second = pair.entered(1, Tab::enter(&pair.nodes[1].server, first.requester.person.account));
    after(10).await;
    assert_eq!(second.heard(), [waits(Some(BLITZ))]);
    pair.close_link();
    pair.take(1, 2);
    after(10).await;
    assert_eq!(second.heard(), [waits(Some(BLITZ))]);
    assert_eq!(pair.waiting(1), 1);
}

#[tokio::test(start_paused = true)]
async fn a_place_whose_answer_is_lost_is_asked_for_in_the_next_lobby_again() {
    let (pair, bob) = lost_place().await;
    pair.hears_of_the_lobby();
    // What the node says from here on is lost.
    pair.nodes[1].is_heard.store(false, Ordering::Relaxed);
    after(10).await;
    assert_eq!((pair.waiting(0), bob.heard()), (0, vec![]));
    pair.close_link();
    pair.open_link();
    after(10).await;
    assert_eq!((pair.waiting(0), bob.heard()), (1, vec![waits(Some(BLITZ))]));
}

#[tokio::test(start_paused = true)]
async fn a_place_is_asked_for_once_when_the_link_closes_meanwhile() {
    let (pair, bob) = lost_place().await;
    pair.hears_of_the_lobby();
    pair.close_link();
    pair.open_link();
    after(10).await;
    assert_eq!((pair.waiting(0), bob.heard()), (1, vec![waits(Some(BLITZ))]));
}

#[tokio::test(start_paused = true)]
async fn who_leaves_before_the_place_is_asked_for_again_waits_no_more() {
    let (pair, bob) = lost_place().await;
    pair.hears_of_the_lobby();
    pair.ask(1, &bob, leave()).await;
    assert_eq!((pair.waiting(0), bob.heard()), (0, vec![Told::Ok, waits(None)]));
    // On a node that has the lobby itself as well.
    let (pair, bob) = lost_place().await;
    pair.take(1, 2);
    pair.ask(1, &bob, leave()).await;
    assert_eq!((pair.waiting(1), bob.heard()), (0, vec![Told::Ok, waits(None)]));
}

#[tokio::test(start_paused = true)]
async fn who_joins_another_pool_before_the_place_is_asked_for_again_waits_there() {
    let (pair, bob) = lost_place().await;
    pair.hears_of_the_lobby();
    pair.ask(1, &bob, join_in(BULLET)).await;
    assert_eq!((pair.waiting(0), pair.waiting_in(0, BULLET)), (1, 1));
    assert_eq!(bob.heard().last(), Some(&waits(Some(BULLET))));
    let (pair, bob) = lost_place().await;
    pair.take(1, 2);
    pair.ask(1, &bob, join_in(BULLET)).await;
    assert_eq!((pair.waiting(1), pair.waiting_in(1, BULLET)), (1, 1));
    assert_eq!(bob.heard().last(), Some(&waits(Some(BULLET))));
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_whose_last_connection_closes_before_the_place_is_asked_for_again() {
    let (pair, bob) = lost_place().await;
    pair.hears_of_the_lobby();
    pair.leaves(1, &bob);
    after(10).await;
    assert_eq!(pair.waiting(0), 0);
    let (pair, bob) = lost_place().await;
    pair.take(1, 2);
    pair.leaves(1, &bob);
    after(10).await;
    assert_eq!(pair.waiting(1), 0);
}

#[tokio::test(start_paused = true)]
async fn a_place_that_the_next_lobby_rejects_is_told_to_be_gone() {
    for owner in [0, 1] {
        let (pair, bob) = lost_place().await;
        let account = bob.requester.person.account;
        let other = pair.entered(1, Tab::enter(&pair.nodes[1].server, account));
        for number in 0..u128::from(Limits::STANDARD.live_games_per_account) {
            let Some(Event::Started(mut setup)) = started(game(number)).events.pop() else {
                panic!("it begins with its start")
            };
            setup.players = ByColor { white: account.as_u128(), black: 77 };
            let games = &pair.nodes[1].server.sessions.games;
            games.create(game(number), *setup, ByColor::default()).await.unwrap();
        }
        if owner == 1 {
            pair.take(1, 2);
        } else {
            pair.open_link();
        }
        after(10).await;
        assert_eq!(
            (pair.waiting(owner), bob.heard(), other.heard()),
            (0, vec![waits(None)], vec![waits(None)])
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_node_remembers_of_a_place_counts_no_more_after_something_was_decided() {
    let (pair, bob) = lost_place().await;
    pair.open_link();
    after(10).await;
    assert_eq!(bob.heard(), [waits(Some(BLITZ))]);
    pair.ask(1, &bob, leave()).await;
    assert_eq!(bob.heard(), [Told::Ok, waits(None)]);
    // It was on its way from a node of another connection.
    let (who, address) = (bob.requester.person.into(), bob.requester.address.ip());
    let place = ToLobby::Place { who, address, pool: Some(BLITZ) };
    pair.nodes[0].user.take(says(NUMBERS[1], LobbyMessage::ToOwner(place)));
    after(10).await;
    assert_eq!((pair.waiting(0), bob.heard()), (0, vec![waits(None)]));
}

#[tokio::test(start_paused = true)]
async fn who_was_told_of_the_game_but_not_that_the_wait_is_over_does_not_wait_again() {
    let pair = Pair::with_lobby().await;
    let (alice, bob) = (pair.tab(0, 1), pair.tab(1, 2));
    pair.ask(1, &bob, join()).await;
    pair.nodes[0].is_heard.store(false, Ordering::Relaxed);
    pair.ask(0, &alice, join()).await;
    after(1_500).await;
    let game = begun(&alice);
    let account = bob.requester.person.account;
    let seat = FromLobby::Seat { account, except: None, game };
    pair.nodes[1].user.take(says(NUMBERS[0], LobbyMessage::FromOwner(seat)));
    pair.nodes[0].is_heard.store(true, Ordering::Relaxed);
    after(1_000).await;
    assert!(bob.heard().contains(&Told::Begun(game)));
    pair.close_link();
    pair.open_link();
    after(10).await;
    assert_eq!((pair.waiting(0), bob.heard()), (0, vec![waits(None)]));
}
