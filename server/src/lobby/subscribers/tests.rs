//! Tests of the ring of updates: cursors, and what is kept.

use zeitnot_protocol::{Lobby, PoolId, PoolView, decode_server};

use super::*;
use crate::lobby::lobby_view::LiveView;

const NOW: ServiceInstant = ServiceInstant(7);

fn view(waiting: u32) -> LobbyView {
    LobbyView::new([], vec![PoolView { pool: PoolId::OneMinute, waiting }], 1, LiveView::default())
}

/// Subscribers after this many updates.
fn told(news: u32) -> Subscribers {
    let subscribers = Subscribers::default();
    subscribers.state().view = Some(Arc::new(view(0)));
    for waiting in 1..=news {
        subscribers.publish(view(waiting), NOW);
    }
    subscribers
}

fn pulled(subscribers: &Subscribers, cursor: u32) -> (Vec<u32>, Option<u32>) {
    let mut numbers = Vec::new();
    let pulled = subscribers.pull(cursor, |frame| numbers.push(frame.seq()));
    (numbers, pulled)
}

fn lobby(frame: &Frame) -> Lobby {
    match decode_server(frame.text()) {
        Ok(ServerMessage::Lobby(lobby)) => lobby,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_cursor_gets_what_came_after_it_once() {
    let subscribers = told(5);
    assert_eq!(pulled(&subscribers, 3), (vec![4, 5], Some(5)));
    assert_eq!(pulled(&subscribers, 5), (vec![], Some(5)));
    subscribers.publish(view(5), NOW);
    assert_eq!(pulled(&subscribers, 5), (vec![], Some(5)), "nothing has changed");
}

#[test]
fn who_is_far_behind_gets_the_whole_lobby_and_goes_on_behind_it() {
    let subscribers = told(20);
    assert_eq!(pulled(&subscribers, 12).0.len(), RING_FRAMES);
    assert_eq!(pulled(&subscribers, 11), (vec![], None));
    let whole = subscribers.whole(None, NOW);
    assert_eq!((whole.seq(), lobby(&whole).pools[0].waiting), (20, 20));
    subscribers.publish(view(21), NOW);
    assert_eq!(pulled(&subscribers, whole.seq()), (vec![21], Some(21)));
}

#[test]
fn the_whole_lobby_is_encoded_once_for_all_and_again_for_a_command() {
    let subscribers = told(1);
    let first = subscribers.whole(None, NOW);
    assert!(std::ptr::eq(first.framed(), subscribers.whole(None, NOW).framed()));
    let answer = lobby(&subscribers.whole("l1".parse().ok(), NOW));
    assert_eq!(Lobby { id: None, ..answer.clone() }, lobby(&first));
    assert_eq!(answer.id.unwrap().as_str(), "l1");
    subscribers.publish(view(2), NOW);
    assert_eq!(lobby(&subscribers.whole(None, NOW)).pools[0].waiting, 2);
}

#[test]
fn nothing_is_kept_when_nobody_is_there() {
    let subscribers = told(20);
    assert!(subscribers.is_deserted());
    assert!(subscribers.state().view.is_none() && subscribers.state().news.bytes() == 0);
    subscribers.publish(view(99), NOW);
    assert_eq!(subscribers.state().news.head(), 20, "nothing is news to nobody");
}
