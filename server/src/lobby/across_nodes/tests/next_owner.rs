//! Another owner than before: who it is, and which challenges and games there are.

use super::*;
use crate::storage::{OpenChallenge, Owner};

#[tokio::test(start_paused = true)]
async fn an_owner_that_has_slept_through_its_death_is_not_believed_though_no_other_can_be_reached() {
    let pair = Pair::with_lobby().await;
    let bob = pair.tab(1, 2);
    // The next one was heard meanwhile, and is not heard now.
    pair.close_link();
    pair.nodes[1].user.take(says(NodeNumber(3), LobbyMessage::FromOwner(FromLobby::Here { epoch: 2 })));
    let heard = pair.nodes[1].server.sessions.clock.now();
    let closed = LinkEvent::Closed(WhyClosed::Silence, heard);
    pair.nodes[1].user.take(BusEvent::Link(NodeNumber(3), closed));
    pair.open_link();
    after(10).await;
    pair.ask(1, &bob, seek(None)).await;
    assert_eq!(bob.heard(), [Told::Rejected("unavailable")]);
    assert_eq!(pair.seeks(0), 0);
}

#[tokio::test(start_paused = true)]
async fn a_seek_that_is_lost_with_its_owner_is_told_to_be_gone_and_a_kept_challenge_is_not() {
    let pair = Pair::with_lobby().await;
    let (bob, carol) = (pair.tab(1, 2), pair.tab(1, 3));
    let account = |tab: &Tab| tab.requester.person.account;
    pair.ask(1, &bob, seek(None)).await;
    let sought = shown(&bob);
    pair.ask(1, &bob, challenge(account(&carol), None)).await;
    let (kept, to_carol) = (shown(&bob), shown(&carol));
    assert_eq!(kept, to_carol);
    pair.close_link();
    let terms =
        CreateChallenge { to: Some(account(&carol)), ..CreateChallenge::with(TimeControl::Unlimited) };
    let stored = OpenChallenge {
        challenge: kept,
        owner: bob.requester.person,
        terms: serde_json::to_string(&terms).unwrap(),
        rematch_of: None,
        accepted_by: None,
        until_unix_ms: u64::MAX >> 1,
    };
    let taken = TakenLobby { epoch: 2, challenges: vec![stored] };
    pair.nodes[1].server.sessions.lobby.take(&taken);
    after(10).await;
    for (tab, gone) in [(&bob, vec![sought]), (&carol, vec![])] {
        let heard = tab.heard();
        let told: Vec<_> = heard
            .iter()
            .filter_map(|told| if let Told::Gone(id) = told { Some(*id) } else { None })
            .collect();
        assert_eq!(told, gone, "{heard:?}");
    }
    pair.ask(1, &carol, accept(kept)).await;
    assert_eq!(begun(&carol), GameId::from(kept));
}

#[tokio::test(start_paused = true)]
async fn the_next_owner_takes_in_who_waited_and_listens_to_the_last_one_no_more() {
    let pair = Pair::with_lobby().await;
    let bob = pair.tab(1, 2);
    pair.ask(1, &bob, join()).await;
    pair.close_link();
    pair.take(1, 2);
    after(10).await;
    assert_eq!(pair.waiting(1), 1);
    pair.ask(1, &bob, seek(None)).await;
    assert_eq!(pair.seeks(1), 1);
    // The first one does not know that it was declared dead.
    pair.open_link();
    after(10).await;
    assert_eq!((pair.waiting(1), pair.seeks(1)), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn who_was_paired_when_the_owner_died_is_told_of_the_game_and_waits_no_more() {
    let pair = Pair::with_lobby().await;
    let (alice, bob) = (pair.tab(0, 1), pair.tab(1, 2));
    pair.ask(1, &bob, join()).await;
    bob.heard();
    // The game begins, and nobody on the other node is told.
    pair.nodes[0].is_heard.store(false, Ordering::Relaxed);
    pair.ask(0, &alice, join()).await;
    after(1_500).await;
    let game = begun(&alice);
    pair.store.say_owner(game, Owner::Nobody);
    pair.close_link();
    pair.take(1, 2);
    after(10).await;
    assert_eq!(pair.waiting(1), 0);
    let heard = bob.heard();
    let nowhere = Told::Waiting(Waiting { pool: None, game: Some(game) });
    assert!(heard.contains(&Told::Begun(game)) && heard.contains(&nowhere), "{heard:?}");
}
