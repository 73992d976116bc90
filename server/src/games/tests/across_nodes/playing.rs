//! White at the owner, Black and a spectator at the other node.

use std::time::Duration;

use zeitnot_protocol::{ServerMessage, decode_server};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::Command;

use super::super::actor::{online, types};
use super::super::table::{plain, play};
use super::pair::{Pair, Session, account, blacks_turn, events, id, until};
use crate::connections::NoticeKind;
use crate::games::{GameHandle, Seat};
use crate::seeded_bugs::{SeededBug, Seeding};
use crate::time::ServiceInstant;

/// A message takes so long from node to node.
const WAY: Duration = Duration::from_millis(200);

fn done(seq: u32) -> NoticeKind {
    NoticeKind::Done { id: None, seq }
}

/// What a move is said to have taken, in milliseconds.
pub(super) fn took(text: &str) -> u32 {
    let ServerMessage::Move(played) = decode_server(text).unwrap() else { panic!("{text}") };
    played.took.unwrap()
}

#[tokio::test(start_paused = true)]
async fn moves_clocks_and_presence_cross() {
    let pair = Pair::new(WAY);
    let at_a = pair.game(online()).await;
    let white = Session::sit(&at_a, Color::White, 1);
    let at_b = pair.found_at_b().await;
    let (black, watcher) = (Session::sit(&at_b, Color::Black, 1), Session::watch(&at_b));
    assert_eq!(types(&black.heard().await), ["snapshot", "presence", "presence", "Watchers"]);
    let told = white.heard().await;
    assert!(types(&told).contains(&"presence".to_owned()) && told.contains(&NoticeKind::Watchers(1)));
    white.send(&pair, play(1, "e2e4"));
    assert_eq!(white.heard().await, [done(2)]);
    assert_eq!(types(&black.heard_now()), ["turn"]);
    assert!(watcher.was_notified());
    assert!(events(&at_b, 1)[0].contains(r#""san":"e4""#));
    black.send(&pair, play(2, "e7e5"));
    assert_eq!(black.heard().await, [done(3)]);
    assert_eq!(types(&white.heard_now()), ["turn"]);
    assert_eq!(events(&at_b, 0), events(&at_a, 0));
    let (here, there) = (at_a.feed().clock().unwrap(), at_b.feed().clock().unwrap());
    assert_eq!((there.seq, there.clocks, there.base), (here.seq, here.clocks, here.base));
    assert_eq!(at_b.summary().board(), at_a.summary().board());
}

#[tokio::test(start_paused = true)]
async fn draw_offers_and_a_resignation_cross_and_the_game_is_live_nowhere() {
    let pair = Pair::new(WAY);
    let at_a = pair.game(online()).await;
    let white = Session::sit(&at_a, Color::White, 1);
    let at_b = pair.found_at_b().await;
    let black = Session::sit(&at_b, Color::Black, 1);
    assert_eq!(pair.b.games.unended_of(account(2)), [id()]);
    for (on, mv) in [(1, "e2e4"), (2, "e7e5"), (3, "g1f3"), (4, "b8c6")] {
        if on % 2 == 1 {
            white.send(&pair, play(on, mv));
        } else {
            black.send(&pair, play(on, mv));
        }
        black.heard().await;
    }
    white.send(&pair, plain(Command::OfferDraw));
    white.heard().await;
    black.send(&pair, plain(Command::DeclineDraw { offer: 6 }));
    let told = black.heard().await;
    assert!(told.contains(&done(7)), "{told:?}");
    black.send(&pair, plain(Command::Resign));
    let told = black.heard().await;
    assert!(told.contains(&done(8)), "{told:?}");
    assert!(at_b.has_ended() && at_a.has_ended());
    assert_eq!(pair.b.games.unended_of(account(2)), []);
    tokio::time::sleep(Duration::from_secs(31)).await;
    assert!(black.heard_now().contains(&NoticeKind::Gone));
    assert!(at_b.feed().is_closed() && !at_b.feed().comes_back());
    assert!(pair.b.games.get(id()).is_none());
}

#[tokio::test(start_paused = true)]
async fn what_the_way_takes_is_charged_to_nobody() {
    let pair = Pair::new(WAY);
    let at_a = pair.game(online()).await;
    let white = Session::sit(&at_a, Color::White, 1);
    let at_b = pair.found_at_b().await;
    let black = Session::sit(&at_b, Color::Black, 1);
    for (on, mv) in [(1, "e2e4"), (3, "g1f3")] {
        black.heard().await;
        white.send(&pair, play(on, mv));
        until("Black is told", || types(&black.heard_now()).contains(&"turn".to_owned())).await;
        tokio::time::sleep(Duration::from_millis(2_000)).await;
        black.send(&pair, play(on + 1, if on == 1 { "e7e5" } else { "b8c6" }));
        until("it is played", || at_a.feed().head() == on + 2).await;
    }
    let took = took(&events(&at_a, 4)[0]);
    assert!((2_000..=2_002).contains(&took), "{took}");
}

/// A game at which Black has `left` until the flag falls there, and the turn; with the two sessions.
async fn nearly_flagged(
    pair: &Pair,
    left: Duration,
) -> (GameHandle, GameHandle, Session<Seat>, Session<Seat>) {
    let (at_a, at_b, white, black) = blacks_turn(pair).await;
    until("the clock runs", || at_b.feed().clock().is_some_and(|clock| clock.running.is_some())).await;
    let (_, zero) = at_b.feed().clock().unwrap().running.unwrap();
    pair.clock.sleep_until(ServiceInstant(zero.0 - left.as_micros() as u64)).await;
    (at_a, at_b, white, black)
}

#[tokio::test(start_paused = true)]
async fn a_move_that_is_in_time_on_its_node_counts_however_long_the_way_is() {
    let pair = Pair::new(WAY);
    let (at_a, _at_b, white, black) = nearly_flagged(&pair, Duration::from_millis(50)).await;
    black.send(&pair, play(4, "b8c6"));
    for _ in 0..1_000 {
        tokio::time::sleep(Duration::from_millis(1)).await;
        white.answer_fences();
        black.answer_fences();
    }
    assert!(!at_a.has_ended(), "{:?}", events(&at_a, 4));
    assert_eq!(at_a.feed().head(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_flag_falls_when_the_sessions_of_all_nodes_have_answered() {
    let pair = Pair::new(WAY);
    let (at_a, at_b, white, black) = nearly_flagged(&pair, Duration::from_millis(50)).await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert!(white.answer_fences() == 1 && !at_a.has_ended(), "Black's session may have read a move");
    assert_eq!(black.answer_fences(), 1);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(at_a.has_ended() && at_b.has_ended());
    assert!(events(&at_b, 4)[0].contains(r#""t":"flag_fell""#), "{:?}", events(&at_b, 4));
}

/// Black, who has a connection at the owner, comes to the other node just before the flag, and a move is read there. The
/// session hands it over when it is asked. Whether the flag falls.
async fn flags_who_comes_to_another_node() -> bool {
    let pair = Pair::new(WAY);
    let (at_a, at_b, white, before) = nearly_flagged(&pair, Duration::from_secs(1)).await;
    let (here, _watcher) = (Session::sit(&at_a, Color::Black, 2), Session::watch(&at_b));
    drop(before);
    tokio::time::sleep(Duration::from_millis(950)).await;
    let (there, stamp) = (Session::sit(&at_b, Color::Black, 3), pair.clock.now());
    tokio::time::sleep(Duration::from_millis(50)).await;
    for _ in 0..1_000 {
        tokio::time::sleep(Duration::from_millis(1)).await;
        white.answer_fences();
        here.answer_fences();
        there.answer_fences_after(|| there.place.command(stamp, play(4, "b8c6")).unwrap());
    }
    at_a.has_ended()
}

#[tokio::test(start_paused = true)]
async fn a_flag_waits_for_a_session_of_which_the_owner_does_not_know_yet() {
    assert!(!flags_who_comes_to_another_node().await);
}

#[tokio::test(start_paused = true)]
async fn a_flag_waits_for_a_command_whose_game_is_still_looked_for() {
    for is_found in [true, false] {
        let pair = Pair::new(WAY);
        let (at_a, at_b, white, before) = nearly_flagged(&pair, Duration::from_secs(1)).await;
        let (here, _watcher) = (Session::sit(&at_a, Color::Black, 2), Session::watch(&at_b));
        drop(before);
        tokio::time::sleep(Duration::from_millis(950)).await;
        let (waits, stamp) = (pair.b.games.command_waits(id()), pair.clock.now());
        let answered = async |there: Option<&Session<Seat>>| {
            for _ in 0..1_000 {
                tokio::time::sleep(Duration::from_millis(1)).await;
                [Some(&white), Some(&here), there].into_iter().flatten().for_each(|session| {
                    session.answer_fences();
                });
            }
        };
        answered(None).await;
        assert!(!at_a.has_ended(), "a move may have been read");
        let there = is_found.then(|| Session::sit(&at_b, Color::Black, 3));
        if let Some(there) = &there {
            there.place.command(stamp, play(4, "b8c6")).unwrap();
        }
        drop(waits);
        answered(there.as_ref()).await;
        assert_eq!(at_a.has_ended(), !is_found);
    }
}

#[tokio::test(start_paused = true)]
async fn a_mirror_that_answers_for_sessions_it_has_not_asked_is_found() {
    let _seeding = Seeding::with(SeededBug::FenceUnaskedAtMirror);
    assert!(flags_who_comes_to_another_node().await);
}

#[tokio::test(start_paused = true)]
async fn spectators_of_all_nodes_are_counted_and_take_one_snapshot() {
    let pair = Pair::new(WAY);
    let at_a = pair.game(online()).await;
    let _here = Session::watch(&at_a);
    let at_b = pair.found_at_b().await;
    let there = [Session::watch(&at_b), Session::watch(&at_b)];
    until("three watch", || at_a.feed().watchers().count == 3 && at_b.feed().watchers().count == 3).await;
    assert_eq!(there[0].place.snapshot(), None);
    until("there is a snapshot", || there[1].place.snapshot().is_some()).await;
    drop(there);
    until("one watches", || at_a.feed().watchers().count == 1).await;
    until("nobody follows it there", || pair.b.games.get(id()).is_none()).await;
    until("the owner knows it", || at_a.relay().count() == 1).await;
}

#[tokio::test(start_paused = true)]
async fn a_snapshot_from_before_what_a_mirror_keeps_is_made_anew_for_it() {
    let pair = Pair::new(WAY);
    let at_a = pair.game(online()).await;
    let here = Session::watch(&at_a);
    until("there is a snapshot", || here.place.snapshot().is_some()).await;
    let (white, black) = (Session::sit(&at_a, Color::White, 1), Session::sit(&at_a, Color::Black, 2));
    for (on, mv) in [(1, "e2e4"), (2, "e7e5"), (3, "g1f3")] {
        let mover = if on % 2 == 1 { &white } else { &black };
        mover.send(&pair, play(on, mv));
        until("it is played", || at_a.feed().head() == on + 1).await;
    }
    let before = here.place.snapshot().unwrap();
    let at_b = pair.found_at_b().await;
    let there = Session::watch(&at_b);
    until("there is a snapshot", || there.place.snapshot().is_some()).await;
    assert!(there.place.snapshot().unwrap().seq() > before.seq());
}
