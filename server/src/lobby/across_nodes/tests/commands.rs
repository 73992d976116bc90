//! Commands that go to the lobby of another node, and what they lead to.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_seek_of_one_node_is_accepted_on_another_one() {
    let pair = Pair::with_lobby().await;
    let (alice, bob) = (pair.tab(0, 1), pair.tab(1, 2));
    pair.ask(1, &bob, seek(id("mine"))).await;
    let sought = shown(&bob);
    pair.ask(1, &bob, seek(id("mine"))).await;
    assert_eq!(shown(&bob), sought, "the same command is answered the same");
    assert_eq!((pair.seeks(0), pair.seeks(1)), (1, 0));
    pair.ask(0, &alice, accept(sought)).await;
    after(1_000).await;
    let game = begun(&alice);
    assert_eq!(begun(&bob), game);
    assert!(pair.nodes[1].server.sessions.games.get(game).is_some(), "it can be followed there");
}

#[tokio::test(start_paused = true)]
async fn a_challenge_goes_to_its_addressee_on_another_node_who_accepts_it_there_and_again() {
    let pair = Pair::with_lobby().await;
    let (alice, bob) = (pair.tab(0, 1), pair.tab(1, 2));
    pair.ask(0, &alice, challenge(bob.requester.person.account, None)).await;
    let offered = shown(&alice);
    assert_eq!(shown(&bob), offered);
    let later = pair.entered(1, Tab::enter(&pair.nodes[1].server, bob.requester.person.account));
    after(10).await;
    assert_eq!(shown(&later), offered, "who comes later is told as well");
    pair.ask(1, &bob, accept(offered)).await;
    after(1_000).await;
    let game = begun(&bob);
    assert_eq!((begun(&alice), begun(&later)), (game, game));
    pair.ask(1, &bob, accept(offered)).await;
    assert_eq!(begun(&bob), game, "the command sent again is answered the same");
}

#[tokio::test(start_paused = true)]
async fn players_of_two_nodes_are_paired() {
    let pair = Pair::with_lobby().await;
    let (alice, bob) = (pair.tab(0, 1), pair.tab(1, 2));
    pair.ask(1, &bob, join()).await;
    assert_eq!(bob.heard(), [Told::Ok, waits(Some(BLITZ))]);
    pair.ask(0, &alice, join()).await;
    after(1_500).await;
    assert_eq!(begun(&alice), begun(&bob));
    assert_eq!(pair.waiting(0), 0);
}

#[tokio::test(start_paused = true)]
async fn places_and_seeks_go_with_the_last_connection_on_any_node() {
    let pair = Pair::with_lobby().await;
    let bob = pair.tab(1, 2);
    pair.ask(1, &bob, join()).await;
    pair.ask(1, &bob, seek(None)).await;
    let here = pair.entered(0, Tab::enter(&pair.nodes[0].server, bob.requester.person.account));
    pair.leaves(1, &bob);
    after(10).await;
    assert_eq!((pair.waiting(0), pair.seeks(0)), (1, 1), "there is another connection");
    pair.leaves(0, &here);
    after(10).await;
    assert_eq!((pair.waiting(0), pair.seeks(0)), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn without_a_lobby_that_can_be_reached_commands_are_rejected() {
    let pair = Pair::new();
    let bob = pair.tab(1, 2);
    pair.ask(1, &bob, join()).await;
    assert_eq!(bob.heard(), [Told::Rejected("unavailable")]);
    pair.take(0, 1);
    after(10).await;
    pair.ask(1, &bob, join()).await;
    assert_eq!(bob.heard(), [Told::Ok, waits(Some(BLITZ))]);
}

#[tokio::test(start_paused = true)]
async fn a_command_whose_answer_is_lost_is_rejected_and_done_once() {
    let pair = Pair::with_lobby().await;
    let (alice, bob) = (pair.tab(0, 1), pair.tab(1, 2));
    pair.nodes[0].is_heard.store(false, Ordering::Relaxed);
    let offer = || challenge(alice.requester.person.account, id("mine"));
    pair.ask(1, &bob, offer()).await;
    let offered = shown(&alice);
    assert_eq!(bob.heard(), []);
    pair.close_link();
    assert_eq!(bob.heard(), [Told::Rejected("unavailable")]);
    pair.open_link();
    after(10).await;
    assert_eq!(shown(&bob), offered, "what there is is told anew");
    pair.ask(1, &bob, offer()).await;
    assert_eq!(shown(&bob), offered);
    assert_eq!(alice.heard(), []);
}
