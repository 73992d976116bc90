//! What the lobby shows on other nodes, and what is known of challenges there.

use zeitnot_protocol::Code;

use super::*;
use crate::connections::Inbox;

#[tokio::test(start_paused = true)]
async fn what_the_lobby_shows_is_the_same_on_all_nodes() {
    let pair = Pair::with_lobby().await;
    let (alice, bob) = (pair.tab(0, 1), pair.tab(1, 2));
    pair.ask(1, &bob, seek(None)).await;
    pair.ask(0, &alice, join()).await;
    after(1_100).await;
    let now = pair.nodes[0].server.sessions.clock.now();
    let views = [0, 1].map(|node| pair.nodes[node].server.sessions.lobby.look(&Default::default(), true));
    let [at_owner, elsewhere] = views.map(|view| view.message(None, now));
    assert_eq!(at_owner, elsewhere);
    assert_eq!((at_owner.here, at_owner.seeks.len()), (2, 1));
    // A session that enters there is woken when something changes.
    let inbox = Inbox::default();
    let lobby = &pair.nodes[1].server.sessions.lobby;
    let _entered = lobby.enter(inbox.outbox());
    pair.ask(0, &alice, seek(None)).await;
    after(1_100).await;
    assert_eq!(lobby.subscribers.shown().message(None, now).seeks.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn games_in_progress_are_shown_on_other_nodes_and_stay_the_same_while_nobody_moves() {
    let pair = Pair::with_lobby().await;
    let (one, two) = (pair.tab(0, 1), pair.tab(0, 2));
    pair.ask(0, &one, join()).await;
    pair.ask(0, &two, join()).await;
    after(2_000).await;
    let look = || pair.nodes[1].server.sessions.lobby.look(&Default::default(), true);
    let before = look();
    assert_eq!(before.message(None, pair.nodes[1].server.sessions.clock.now()).live.total, 1);
    after(3_000).await;
    assert_eq!(look(), before);
}

#[tokio::test(start_paused = true)]
async fn who_is_connected_to_any_node_is_known_on_all() {
    let pair = Pair::with_lobby().await;
    let (alice, bob) = (pair.tab(0, 1), pair.tab(1, 2));
    after(10).await;
    let accounts = [&alice, &bob].map(|tab| tab.requester.person.account);
    let [alices, bobs] = accounts;
    pair.nodes[1].server.sessions.connections.note_bot(bobs);
    pair.entered(1, bob);
    after(10).await;
    let unknown = AccountId::from_u128(3);
    let who_is_here = async |node: usize| {
        let lobby = &pair.nodes[node].server.sessions.lobby;
        let here = lobby.who_is_here(&[alices, bobs, unknown]).await;
        let mut here: Vec<_> = here.into_iter().collect();
        here.sort();
        (here, lobby.bots_here(9).await)
    };
    for node in [0, 1] {
        assert_eq!(who_is_here(node).await, (accounts.to_vec(), vec![bobs]), "{node}");
    }
    pair.close_link();
    assert_eq!(who_is_here(0).await, (vec![alices], Vec::new()));
    assert_eq!(who_is_here(1).await, (vec![bobs], vec![bobs]));
}

#[tokio::test(start_paused = true)]
async fn a_challenge_is_found_over_any_node() {
    let pair = Pair::with_lobby().await;
    let alice = pair.tab(0, 1);
    pair.ask(0, &alice, seek(None)).await;
    let sought = shown(&alice);
    let lobby = &pair.nodes[1].server.sessions.lobby;
    let (why, open) = lobby.known(sought).await;
    assert_eq!((why, open.map(|open| open.challenge)), (None, Some(sought)));
    let unknown = ChallengeId::from_random(9);
    assert_eq!(lobby.known(unknown).await.0, Some(Code::UnknownChallenge));
    pair.nodes[0].is_heard.store(false, Ordering::Relaxed);
    assert_eq!(lobby.known(sought).await.0, Some(Code::Unavailable), "it is not waited for longer");
}
