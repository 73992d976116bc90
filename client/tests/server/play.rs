//! Games, challenges, chat and the lobby, with no faults.

use std::time::Duration;

use zeitnot_client::protocol::{
    ChatRoom, Code, DeclineReason, Phase, PoolId, TimeControl, WireColor, WireReason, WireScore,
};
use zeitnot_client::{Client, Error, Event, Events, GameEvent, Identity};

use super::server::{TestServer, guarded};
use super::table::{begin, casual, clock, play, play_all, turn, until, white};

async fn event<T>(events: &mut Events, mut wanted: impl FnMut(&Event) -> Option<T>) -> T {
    guarded("an event", async {
        loop {
            if let Some(found) = wanted(&events.next().await.unwrap()) {
                return found;
            }
        }
    })
    .await
}

#[tokio::test]
async fn a_whole_game_is_told_to_both_players_and_to_a_spectator_once_and_in_order() {
    let server = TestServer::open().await;
    let (a, b) = (server.guest().await, server.guest().await);
    let (mut white, mut black) = begin(&a, &b, white(clock(180))).await;
    let watcher = Client::connect(&server.url(), Identity::Spectator).await.unwrap();
    assert_eq!((watcher.account(), watcher.token()), (None, None));
    let mut watched = guarded("the game", watcher.game(white.id())).await.unwrap();
    assert_eq!(white.state().color, Some(WireColor::White));
    assert_eq!(watched.state().color, None);
    play_all(&mut white, &mut black, &["f2f3", "e7e5", "g2g4", "d8h4"]).await;
    for game in [&mut white, &mut black, &mut watched] {
        let mut seq = game.state().seq;
        while let Some(event) = guarded("an event", game.next()).await.unwrap() {
            if let (Some(next), false) = (event.seq(), matches!(event, GameEvent::Snapshot(_))) {
                assert_eq!(next, seq + 1, "{event:?}");
                seq = next;
            }
        }
        let state = game.state().clone();
        let outcome = state.outcome.clone().unwrap();
        assert_eq!((outcome.score, outcome.reason), (WireScore::BlackWins, WireReason::Checkmate));
        assert_eq!((state.phase, state.ply_count, state.plies.len()), (Phase::Ended, 4, 4));
        assert_eq!(game.next().await, Ok(None), "the end is the end");
        assert_eq!(guarded("the plies", game.all_plies()).await.unwrap(), state.plies);
    }
    // A game that is over can be opened.
    let id = white.id();
    drop(white);
    let mut again = guarded("the game", a.game(id)).await.unwrap();
    assert!(matches!(again.next().await, Ok(Some(GameEvent::Snapshot(_)))));
    assert_eq!(again.next().await, Ok(None));
}

#[tokio::test]
async fn offers_takebacks_gifts_of_time_and_chat() {
    let server = TestServer::open().await;
    let (a, b) = (server.guest().await, server.guest().await);
    let (mut white, mut black) = begin(&a, &b, casual(clock(180))).await;
    play_all(&mut white, &mut black, &["e2e4", "e7e5"]).await;
    turn(&mut white).await;
    white.give_time(15_000).await.unwrap();
    white.say(ChatRoom::Players, "Good luck!").await.unwrap();
    black.offer_takeback().await.unwrap();
    until(&mut white, |event| matches!(event, GameEvent::TakebackOffered(_)).then_some(())).await;
    let offer = white.state().takeback_offer_to_me().unwrap();
    white.accept_takeback(offer.seq).await.unwrap();
    until(&mut black, |event| matches!(event, GameEvent::TakenBack(_)).then_some(())).await;
    assert_eq!((black.state().ply_count, black.state().plies.len()), (1, 1));
    let said = until(&mut black, |event| match event {
        GameEvent::Said(said) => Some(said.text.clone()),
        _ => None,
    });
    assert_eq!(said.await, "Good luck!");
    play(&mut black, "c7c5").await;
    turn(&mut white).await;
    black.offer_draw().await.unwrap();
    until(&mut white, |event| matches!(event, GameEvent::DrawOffered(_)).then_some(())).await;
    assert_eq!(black.state().draw_offer_to_me(), None);
    let offer = white.state().draw_offer_to_me().unwrap();
    white.accept_draw(offer.seq).await.unwrap();
    let reason = |event: &GameEvent| match event {
        GameEvent::Ended(ended) => Some(ended.outcome.reason),
        _ => None,
    };
    assert_eq!(until(&mut black, reason).await, WireReason::Agreement);
    // And once more with colours swapped.
    let challenge = black.rematch().await.unwrap();
    assert_eq!(white.rematch().await.unwrap(), challenge);
    let second = guarded("the rematch", b.game_of(challenge)).await.unwrap();
    assert_eq!(second.state().color, Some(WireColor::White));
}

#[tokio::test]
async fn a_rejection_has_its_code_and_changes_nothing() {
    let server = TestServer::open().await;
    let (a, b) = (server.guest().await, server.guest().await);
    let (mut white, black) = begin(&a, &b, white(clock(180))).await;
    turn(&mut white).await;
    let code = |answer: Result<u32, Error>| answer.unwrap_err().code().unwrap();
    assert_eq!(code(white.play("e2e5".parse().unwrap()).await), Code::IllegalMove);
    assert_eq!(code(black.play("e7e5".parse().unwrap()).await), Code::NotYourTurn);
    assert_eq!(code(white.accept_draw(1).await), Code::NoOffer);
    white.play("e2e4".parse().unwrap()).await.unwrap();
    // Its caller has not read that it was played.
    assert_eq!(code(white.play("d2d4".parse().unwrap()).await), Code::Stale);
    let nowhere = "AAAAAAAAAAAA".parse().unwrap();
    assert_eq!(a.game(nowhere).await.unwrap_err().code(), Some(Code::UnknownGame));
    assert_eq!(a.game(white.id()).await.unwrap_err(), Error::AlreadyOpen);
    let bad = Client::connect(&server.url(), Identity::Token("nobody".to_owned())).await;
    assert_eq!(bad.unwrap_err().code(), Some(Code::BadToken));
}

#[tokio::test]
async fn challenges_come_and_go_as_events_and_a_late_reader_is_told_what_is_open() {
    let server = TestServer::open().await;
    let (a, b) = (server.guest().await, server.guest().await);
    let to = b.account();
    let addressed = || zeitnot_client::protocol::CreateChallenge { to, ..white(clock(180)) };
    let first = a.create_challenge(addressed()).await.unwrap();
    let mut early = b.events().await.unwrap();
    let told = |event: &Event| match event {
        Event::Challenge(challenge) => Some(challenge.challenge),
        _ => None,
    };
    assert_eq!(event(&mut early, told).await, first);
    let mut late = b.events().await.unwrap();
    assert_eq!(event(&mut late, told).await, first);
    b.decline_challenge(first, DeclineReason::TooFast).await.unwrap();
    assert_eq!(
        guarded("the decline", a.game_of(first)).await.unwrap_err(),
        Error::ChallengeGone { declined: Some(DeclineReason::TooFast) }
    );
}

#[tokio::test]
async fn two_are_paired_in_a_pool_and_seen_in_the_lobby() {
    let server = TestServer::open().await;
    let (a, b) = (server.guest().await, server.guest().await);
    let watcher = Client::connect(&server.url(), Identity::Spectator).await.unwrap();
    let mut lobby = watcher.events().await.unwrap();
    watcher.enter_lobby().await.unwrap();
    event(&mut lobby, |event| matches!(event, Event::Lobby(_)).then_some(())).await;
    let (mut of_a, mut of_b) = (a.events().await.unwrap(), b.events().await.unwrap());
    a.join_pool(PoolId::ThreeMinutes).await.unwrap();
    b.join_pool(PoolId::ThreeMinutes).await.unwrap();
    let began = |event: &Event| match event {
        Event::Game(game) => Some(*game),
        _ => None,
    };
    let game = event(&mut of_a, began).await;
    assert_eq!(event(&mut of_b, began).await, game);
    event(&mut lobby, |event| match event {
        Event::LobbyNews(news) if news.live.as_ref().is_some_and(|live| live.total == 1) => Some(()),
        _ => None,
    })
    .await;
}

#[tokio::test]
async fn clocks_run_for_the_side_to_move_and_the_servers_time_is_known() {
    let server = TestServer::open().await;
    let (a, b) = (server.guest().await, server.guest().await);
    let (mut white, mut black) = begin(&a, &b, white(clock(180))).await;
    play_all(&mut white, &mut black, &["e2e4", "e7e5"]).await;
    let mut readings = Vec::new();
    for game in [&mut white, &mut black] {
        until(game, |event| match event {
            GameEvent::Move(played) if played.ply == 2 => Some(()),
            _ => None,
        })
        .await;
        let clocks = game.clocks().unwrap();
        assert_eq!(clocks.running(), Some(WireColor::White));
        readings.push(clocks);
    }
    // Nobody moves, so the reading foretells the flag.
    let later = tokio::time::Instant::from_std(std_now()) + Duration::from_secs(200);
    for clocks in readings {
        assert_eq!(clocks.left_at(WireColor::White, later), Some(Duration::ZERO));
        assert_eq!(clocks.left_at(WireColor::Black, later), Some(Duration::from_secs(180)));
        assert!(clocks.left(WireColor::White).unwrap() <= Duration::from_secs(180));
    }
    let (challenge, untimed) = (b.create_challenge(white_untimed()).await.unwrap(), &a);
    untimed.accept_challenge(challenge).await.unwrap();
    let untimed = guarded("the game", b.game_of(challenge)).await.unwrap();
    assert_eq!(untimed.clocks().and_then(|clocks| clocks.left(WireColor::White)), None);
    let off = a.server_time().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
    assert!(off.as_secs() > 1_700_000_000, "the time of day of this machine, on which the server runs");
}

fn white_untimed() -> zeitnot_client::protocol::CreateChallenge {
    white(TimeControl::Unlimited)
}

#[expect(clippy::disallowed_methods, reason = "a test's own reading of the clock")]
fn std_now() -> std::time::Instant {
    std::time::Instant::now()
}

#[tokio::test]
async fn a_game_that_is_closed_is_no_longer_watched_and_can_be_opened_again() {
    let server = TestServer::open().await;
    let (a, b) = (server.guest().await, server.guest().await);
    let (mut white, _black) = begin(&a, &b, white(clock(180))).await;
    let watcher = Client::connect(&server.url(), Identity::Spectator).await.unwrap();
    let count = |wanted: u32| {
        move |event: &GameEvent| match event {
            GameEvent::Watchers(watchers) => (watchers.count == wanted).then_some(()),
            _ => None,
        }
    };
    for _ in 0..3 {
        let watched = guarded("the game", watcher.game(white.id())).await.unwrap();
        until(&mut white, count(1)).await;
        drop(watched);
        until(&mut white, count(0)).await;
    }
}

#[tokio::test]
async fn a_client_that_was_closed_says_so_to_every_caller_and_one_too_many_is_closed_for_good() {
    let server = TestServer::open().await;
    let (a, b) = (server.guest().await, server.guest().await);
    let (mut white, _black) = begin(&a, &b, white(clock(180))).await;
    let mut events = a.events().await.unwrap();
    let (mut others, most) = (Vec::new(), a.welcome().limits.connections_per_account as usize);
    let error = loop {
        let token = Identity::Token(a.token().unwrap());
        match guarded("welcome", Client::connect(&server.url(), token)).await {
            Ok(other) => others.push(other),
            Err(error) => break error,
        }
    };
    assert_eq!((others.len() + 1, error), (most, too_many()));
    a.close().await;
    assert_eq!(a.leave_pool().await, Err(Error::Stopped));
    let mut last = Ok(());
    while last.is_ok() {
        last = guarded("the end", white.next()).await.map(drop);
    }
    assert_eq!(last, Err(Error::Stopped));
    guarded("the end", async { while events.next().await.is_ok() {} }).await;
}

fn too_many() -> Error {
    Error::Closed { number: 4501, code: Some(zeitnot_client::protocol::CloseCode::TooManyConnections) }
}
