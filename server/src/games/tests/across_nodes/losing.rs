//! Links that are lost, nodes that are lost, and games that are claimed.

use std::task::Waker;
use std::time::Duration;

use zeitnot_protocol::Code;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, Profile};

use super::super::actor::{heard, online, reading_session};
use super::super::table::{blitz, parsed, plain, play, setup};
use super::pair::{A, Pair, Session, account, blacks_turn, blacks_turn_of, events, id, until};
use crate::cluster::wire::FromOwner;
use crate::connections::{ConnectionId, NoticeKind};
use crate::games::{GameHandle, Pull, Seat};
use crate::session::tests::simulated::SimulatedSession;
use crate::storage::Owner;

const WAY: Duration = Duration::from_millis(10);

/// It is Black's turn, and nothing of that is left to be heard.
async fn heard_blacks_turn(pair: &Pair) -> (GameHandle, GameHandle, Session<Seat>, Session<Seat>) {
    let (at_a, at_b, white, black) = blacks_turn(pair).await;
    black.heard_now();
    white.heard_now();
    (at_a, at_b, white, black)
}

/// The answers among what a session was told.
fn answers(told: Vec<NoticeKind>) -> Vec<NoticeKind> {
    let is_answer = |kind: &NoticeKind| matches!(kind, NoticeKind::Done { .. } | NoticeKind::Rejected { .. });
    told.into_iter().filter(is_answer).collect()
}

#[tokio::test(start_paused = true)]
async fn what_was_sent_into_a_lost_link_counts_once() {
    let pair = Pair::new(WAY);
    let (at_a, at_b, _white, black) = heard_blacks_turn(&pair).await;
    // One arrives, and its answer does not; one does not even arrive.
    black.send(&pair, play(4, "b8c6"));
    until("it is played", || at_a.feed().head() == 5).await;
    pair.close_link();
    black.send(&pair, plain(Command::Resign));
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!((answers(black.heard_now()), at_a.feed().head()), (Vec::new(), 5));
    pair.open_link();
    let answered = answers(black.heard().await);
    assert_eq!(answered, [5, 6].map(|seq| NoticeKind::Done { id: None, seq }));
    assert_eq!((at_a.feed().head(), at_b.feed().head()), (7, 7), "resigned, ended");
}

#[tokio::test(start_paused = true)]
async fn the_clock_of_a_player_on_a_lost_node_stands() {
    let pair = Pair::new(WAY);
    let (at_a, _at_b, white, black) = heard_blacks_turn(&pair).await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    pair.close_link();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let stands = at_a.feed().clock().unwrap();
    assert!(stands.running.is_none() && stands.began.is_none());
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    assert!(!at_a.has_ended(), "the node lives, as far as anybody knows");
    let presences = white.heard_now().into_iter().filter(|kind| matches!(kind, NoticeKind::Message(_)));
    assert_eq!(presences.count(), 0, "nobody is absent");
    pair.open_link();
    tokio::time::sleep(Duration::from_secs(4)).await;
    black.send(&pair, play(4, "b8c6"));
    until("it is played", || at_a.feed().head() == 5).await;
    let took = super::playing::took(&events(&at_a, 4)[0]);
    assert!((11_950..=12_050).contains(&took), "{took}");
}

/// Black is at B, and A has given the game up, which cannot be heard.
async fn given_up_unheard() -> (Pair, GameHandle, Session<Seat>) {
    let pair = Pair::new(WAY);
    let (_at_a, at_b, _white, black) = heard_blacks_turn(&pair).await;
    pair.close_link();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(pair.a.games.release_all(Duration::from_secs(3)).await, 1);
    (pair, at_b, black)
}

#[tokio::test(start_paused = true)]
async fn a_game_that_its_owner_gave_up_unheard_goes_on_as_soon_as_it_is_claimed() {
    let (pair, at_b, black) = given_up_unheard().await;
    pair.claim().await;
    black.send(&pair, play(4, "b8c6"));
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(at_b.feed().head(), 5, "A lives, and is not waited for");
}

#[tokio::test(start_paused = true)]
async fn the_owner_of_a_game_is_looked_for_while_it_is_not_heard() {
    let (_pair, _at_b, black) = given_up_unheard().await;
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert_eq!(black.heard_now(), [NoticeKind::Reset], "nobody has claimed it");
}

#[tokio::test(start_paused = true)]
async fn an_owner_that_is_heard_again_is_asked_also_while_another_one_is_looked_for() {
    let pair = Pair::new(WAY);
    let (at_a, _at_b, _white, black) = heard_blacks_turn(&pair).await;
    pair.close_link();
    // Storage cannot say who owns it for a while.
    pair.store.say_owner(id(), Owner::Nobody);
    tokio::time::sleep(Duration::from_secs(5)).await;
    black.send(&pair, play(4, "b8c6"));
    pair.open_link();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(at_a.feed().head(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_move_that_was_lost_is_charged_what_its_node_measured() {
    let claim = plain(Command::ClaimDraw { on: 4, intended: Some(parsed("b8c6")) });
    for command in [play(4, "b8c6"), claim] {
        let pair = Pair::new(WAY);
        // A game in which draws are claimed.
        let game = setup(Profile::fide_board(), blitz());
        let (at_a, _at_b, _white, black) = blacks_turn_of(&pair, game).await;
        black.heard_now();
        tokio::time::sleep(Duration::from_secs(5)).await;
        pair.cut();
        black.send(&pair, command);
        tokio::time::sleep(Duration::from_secs(1)).await;
        pair.close_link();
        tokio::time::sleep(Duration::from_secs(100)).await;
        pair.open_link();
        assert_eq!(answers(black.heard().await), [NoticeKind::Done { id: None, seq: 5 }]);
        let told = events(&at_a, 4);
        let played = told.iter().find(|text| text.starts_with(r#"{"t":"move""#)).expect("it is played");
        let took = super::playing::took(played);
        assert!((5_000..=5_010).contains(&took), "{took}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_move_that_was_lost_is_charged_the_same_when_the_turn_has_gone_on() {
    let pair = Pair::new(WAY);
    let (at_a, _at_b, _white, black) = heard_blacks_turn(&pair).await;
    let second = Session::sit(&at_a, Color::Black, 9);
    tokio::time::sleep(Duration::from_secs(5)).await;
    pair.cut();
    black.send(&pair, play(4, "b8c6"));
    tokio::time::sleep(Duration::from_secs(1)).await;
    pair.close_link();
    second.send(&pair, plain(Command::OfferDraw));
    until("the turn goes on", || at_a.feed().clock().unwrap().began.is_some()).await;
    pair.open_link();
    until("it is played", || at_a.feed().head() == 6).await;
    let took = super::playing::took(&events(&at_a, 5)[0]);
    assert!((5_000..=5_010).contains(&took), "{took}");
}

#[tokio::test(start_paused = true)]
async fn after_a_loss_the_turn_stands_until_all_nodes_can_have_attached() {
    let pair = Pair::new(WAY);
    let (at_a, _at_b, _white, _black) = heard_blacks_turn(&pair).await;
    pair.close_link();
    tokio::time::sleep(Duration::from_secs(10)).await;
    pair.open_link();
    tokio::time::sleep(Duration::from_secs(1)).await;
    pair.close_link();
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert!(at_a.feed().clock().unwrap().running.is_none(), "it is lost again");
    pair.open_link();
    tokio::time::sleep(Duration::from_millis(1_950)).await;
    assert!(at_a.feed().clock().unwrap().running.is_none());
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(at_a.feed().clock().unwrap().running.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_begins_while_its_player_cannot_be_told_stands() {
    let pair = Pair::new(WAY);
    let at_a = pair.game(online()).await;
    let white = Session::sit(&at_a, Color::White, 1);
    let at_b = pair.found_at_b().await;
    let black = Session::sit(&at_b, Color::Black, 1);
    for (on, mv) in [(1, "e2e4"), (2, "e7e5")] {
        if on % 2 == 1 {
            white.send(&pair, play(on, mv));
        } else {
            black.send(&pair, play(on, mv));
        }
        until("it is known there", || at_b.feed().head() == on + 1).await;
    }
    pair.close_link();
    white.send(&pair, play(3, "g1f3"));
    until("it is played", || at_a.feed().head() == 4).await;
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    assert!(!at_a.has_ended() && at_a.feed().clock().unwrap().began.is_none());
    pair.open_link();
    tokio::time::sleep(Duration::from_secs(3)).await;
    black.send(&pair, play(4, "b8c6"));
    until("it is played", || at_a.feed().head() == 5).await;
    let took = super::playing::took(&events(&at_a, 4)[0]);
    assert!((950..=1_050).contains(&took), "{took}: from when all could have attached");
}

#[tokio::test(start_paused = true)]
async fn a_player_of_a_dead_node_is_awaited_for_30_s_and_then_absent() {
    let pair = Pair::new(WAY);
    let (at_a, _at_b, white, _black) = heard_blacks_turn(&pair).await;
    pair.lose_b();
    tokio::time::sleep(Duration::from_millis(29_900)).await;
    assert!(at_a.feed().clock().unwrap().running.is_none());
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(at_a.feed().clock().unwrap().running.map(|(seat, _)| seat), Some(Color::Black));
    let absent = white
        .heard_now()
        .into_iter()
        .any(|kind| matches!(kind, NoticeKind::Message(frame) if frame.text().contains(r#""here":false"#)));
    assert!(absent);
}

#[tokio::test(start_paused = true)]
async fn a_player_of_a_lost_node_who_acts_over_another_connection_goes_on() {
    let pair = Pair::new(WAY);
    let (at_a, _at_b, _white, _black) = heard_blacks_turn(&pair).await;
    let second = Session::sit(&at_a, Color::Black, 9);
    second.heard().await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    pair.close_link();
    tokio::time::sleep(Duration::from_secs(500)).await;
    assert!(at_a.feed().clock().unwrap().running.is_none(), "the move may be on the lost connection");
    second.send(&pair, play(4, "b8c6"));
    until("it is played", || at_a.feed().head() == 5).await;
    let took = super::playing::took(&events(&at_a, 4)[0]);
    assert!((10_950..=11_300).contains(&took), "{took}");
}

#[tokio::test(start_paused = true)]
async fn a_claimed_game_goes_on_over_the_same_seat_and_nothing_is_played_twice() {
    let pair = Pair::new(WAY);
    let (at_a, at_b, _white, black) = heard_blacks_turn(&pair).await;
    black.send(&pair, play(4, "b8c6"));
    until("it is played", || at_a.feed().head() == 5).await;
    // The answer is on its way when the owner dies.
    pair.store.say_owner(id(), Owner::Nobody);
    pair.lose_a();
    pair.a.games.stop();
    tokio::time::sleep(Duration::from_secs(3)).await;
    pair.claim().await;
    assert_eq!(answers(black.heard().await), [NoticeKind::Done { id: None, seq: 5 }]);
    let claimed = pair.b.games.get(id()).unwrap();
    assert!(!claimed.is_same(&at_b) && claimed.feed().head() == 5);
    let white = Session::sit(&claimed, Color::White, 7);
    white.heard().await;
    white.send(&pair, play(5, "f1b5"));
    until("the old handle tells it", || at_b.feed().head() == 6).await;
    black.send(&pair, play(6, "a7a6"));
    assert_eq!(answers(black.heard().await), [NoticeKind::Done { id: None, seq: 7 }]);
    assert_eq!(pair.b.games.unended_of(account(2)), [id()]);
    black.send(&pair, plain(Command::Resign));
    until("it has ended", || at_b.has_ended() && claimed.has_ended()).await;
    assert_eq!(pair.b.games.unended_of(account(2)), []);
}

#[tokio::test(start_paused = true)]
async fn who_is_too_far_behind_takes_a_snapshot() {
    let pair = Pair::new(WAY);
    let (at_a, at_b, white, _black) = heard_blacks_turn(&pair).await;
    let (watcher, second) = (Session::watch(&at_b), Session::sit(&at_a, Color::Black, 9));
    watcher.heard().await;
    pair.close_link();
    let shuffle = [["b8c6", "f3g1"], ["c6b8", "g1f3"]];
    for (number, [theirs, ours]) in shuffle.iter().cycle().take(3).enumerate() {
        let on = 4 + 2 * number as u32;
        second.send(&pair, play(on, theirs));
        until("it is played", || at_a.feed().head() == on + 1).await;
        white.send(&pair, play(on + 1, ours));
        until("it is played", || at_a.feed().head() >= on + 2).await;
    }
    assert_eq!(at_b.feed().head(), 4);
    pair.open_link();
    until("it has caught up", || at_b.feed().head() == at_a.feed().head()).await;
    assert_eq!(at_b.feed().pull(4, false, |_| {}), Pull::Fell);
    let _asked = watcher.place.snapshot();
    until("there is a snapshot", || watcher.place.snapshot().is_some()).await;
    assert_eq!(watcher.place.snapshot().unwrap().seq(), at_a.feed().head());
}

#[tokio::test(start_paused = true)]
async fn a_game_whose_owner_is_not_reached_is_unavailable_after_15_s() {
    let pair = Pair::new(WAY);
    let _at_a = pair.game(online()).await;
    pair.close_link();
    let (told, reader) = reading_session();
    let _read = pair.b.games.send_snapshot(id(), None, &reader);
    tokio::time::sleep(Duration::from_millis(14_900)).await;
    assert_eq!(heard(&told), []);
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert_eq!(heard(&told), [NoticeKind::Rejected { id: None, code: Code::Unavailable }]);
}

#[tokio::test(start_paused = true)]
async fn who_follows_a_game_that_nobody_claims_is_told_to_come_back() {
    let pair = Pair::new(WAY);
    let (_at_a, at_b, _white, black) = heard_blacks_turn(&pair).await;
    pair.store.say_owner(id(), Owner::Nobody);
    pair.lose_a();
    tokio::time::sleep(Duration::from_secs(14)).await;
    assert_eq!(black.heard_now(), []);
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(black.heard_now(), [NoticeKind::Reset]);
    assert!(at_b.feed().is_closed() && at_b.feed().comes_back());
}

#[tokio::test(start_paused = true)]
async fn an_end_that_the_lost_owner_told_nobody_is_told_from_the_records() {
    let pair = Pair::new(WAY);
    let (at_a, at_b, _white, black) = heard_blacks_turn(&pair).await;
    let watcher = Session::watch(&at_b);
    watcher.heard().await;
    black.send(&pair, plain(Command::Resign));
    tokio::time::sleep(WAY + Duration::from_millis(5)).await;
    // The resignation is durable, and what A says of it is on its way.
    assert!(at_a.has_ended() && !at_b.has_ended());
    pair.store.say_ended(id());
    pair.lose_a();
    pair.a.games.stop();
    until("it is told", || at_b.has_ended()).await;
    let done = |kind: &NoticeKind| matches!(kind, NoticeKind::Done { id: None, .. });
    assert!(matches!(&answers(black.heard().await)[..], [one] if done(one)));
    assert_eq!(pair.b.games.unended_of(account(2)), []);
    until("those who follow it are let go", || at_b.feed().is_closed()).await;
    assert!(!at_b.feed().comes_back());
    let told = [black.heard_now(), watcher.heard_now()].concat();
    assert!(!told.contains(&NoticeKind::Reset), "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn a_mirror_finds_a_game_whose_owner_has_recovered_it() {
    let pair = Pair::new(WAY);
    let (at_a, _at_b, _white, black) = heard_blacks_turn(&pair).await;
    // Each node is told by the same store: first A that it owns the game, then B who does.
    pair.store.say_owner(id(), Owner::Own);
    at_a.mailbox().send(crate::games::inputs::Mail::Break).unwrap();
    let is_another = |game: GameHandle| !game.is_same(&at_a);
    until("it is recovered", || pair.a.games.get(id()).is_some_and(is_another)).await;
    pair.store.say_owner(id(), Owner::Other(A));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(!black.heard_now().contains(&NoticeKind::Reset));
    black.send(&pair, play(4, "b8c6"));
    let answered = answers(black.heard().await);
    assert_eq!(answered, [NoticeKind::Done { id: None, seq: 5 }]);
}

#[tokio::test(start_paused = true)]
async fn a_game_that_ends_while_it_is_looked_for_is_found_among_those_that_have_ended() {
    let pair = Pair::new(WAY);
    let at_a = pair.game(online()).await;
    let white = Session::sit(&at_a, Color::White, 1);
    white.heard().await;
    white.send(&pair, play(1, "e2e4"));
    white.heard().await;
    pair.close_link();
    let (told, reader) = reading_session();
    let _read = pair.b.games.send_snapshot(id(), None, &reader);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(heard(&told), [], "its owner does not answer");
    white.send(&pair, plain(Command::Resign));
    until("it has ended", || at_a.has_ended()).await;
    pair.store.say_ended(id());
    let mut answers = Vec::new();
    until("it is found", || {
        answers.extend(heard(&told));
        !answers.is_empty()
    })
    .await;
    assert!(matches!(answers[0], NoticeKind::Snapshot(_)), "{answers:?}");
}

#[tokio::test(start_paused = true)]
async fn a_mirror_to_which_too_much_is_said_starts_over() {
    let pair = Pair::new(WAY);
    let (_at_a, at_b, _white, black) = heard_blacks_turn(&pair).await;
    for _ in 0..1_000 {
        pair.say_to_mirror(FromOwner::Watchers(7));
    }
    until("it takes what waits", || at_b.feed().watchers().count == 7).await;
    until("its owner has told it anew", || at_b.feed().watchers().count == 0).await;
    black.send(&pair, play(4, "b8c6"));
    assert_eq!(answers(black.heard().await), [NoticeKind::Done { id: None, seq: 5 }]);
}

#[tokio::test(start_paused = true)]
async fn whoever_follows_a_mirror_that_breaks_comes_back_and_finds_another() {
    let pair = Pair::new(WAY);
    let (_at_a, at_b, _white, black) = heard_blacks_turn(&pair).await;
    at_b.mailbox().send(crate::games::inputs::Mail::Break).unwrap();
    assert_eq!(black.heard().await, [NoticeKind::Reset]);
    drop(black);
    let black = Session::sit(&pair.found_at_b().await, Color::Black, 2);
    black.send(&pair, play(4, "b8c6"));
    assert_eq!(answers(black.heard().await), [NoticeKind::Done { id: None, seq: 5 }]);
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_while_the_owner_cannot_be_reached_sees_the_game_when_it_can_be_however_late() {
    let pair = Pair::new(WAY);
    let (games, clock) = (&pair.b.games, &pair.clock);
    pair.game(online()).await;
    pair.close_link();
    let (connection, black) = (ConnectionId(7), Some(account(2)));
    let mut session = SimulatedSession::open(connection, black, clock.now(), Waker::noop().clone());
    session.identified(games, clock).unwrap();
    let mut hears = async |within: u64| {
        let mut heard = String::new();
        for _ in 0..10 * within {
            session.handle_messages(games, clock).unwrap();
            heard += &String::from_utf8_lossy(&session.flush());
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        heard
    };
    // For longer than it is looked for, and not for so long that White's first move is late.
    assert!(!hears(25).await.contains(r#""t":"snapshot""#));
    pair.open_link();
    let heard = hears(3).await;
    assert!(heard.contains(r#""t":"snapshot""#), "{heard}");
}
