//! The feed, its subscribers, and the mailbox: cursors, snapshots, wakers, and bounds.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use zeitnot_protocol::{Pong, ServerMessage};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::Micros;

use crate::connections::{Frame, Inbox, SendError, WakerGroups};
use crate::games::mailbox::{COMMANDS_MAX, Mailbox};
use crate::games::{ClockDue, ClockReading, Feed, Pull};
use crate::tasks::Tasks;
use crate::time::ServiceInstant;

fn face(seq: u32) -> ClockReading {
    ClockReading { seq, clocks: None, running: None, base: seq, began: None, first_move: None }
}

fn frame(seq: u32) -> Frame {
    Frame::new(seq, &ServerMessage::Pong(Pong { n: seq, at: 0, ms: 0 }))
}

/// A feed with events 2 to `head`.
fn feed(head: u32) -> Feed {
    let feed = Feed::new(1, face(1));
    for seq in 2..=head {
        feed.publish(frame(seq), true);
    }
    feed.set_clock(face(head));
    feed
}

fn pulled(feed: &Feed, cursor: u32, wants_clock: bool) -> (Vec<u32>, Pull) {
    let mut seqs = Vec::new();
    let pull = feed.pull(cursor, wants_clock, |frame| seqs.push(frame.seq()));
    (seqs, pull)
}

#[test]
fn a_cursor_gets_what_came_after_it_once() {
    let feed = feed(5);
    assert_eq!(pulled(&feed, 3, false), (vec![4, 5], Pull::Frames { cursor: 5, clock: ClockDue::No }));
    assert_eq!(pulled(&feed, 5, false), (vec![], Pull::UpToDate));
    feed.publish(frame(6), true);
    assert_eq!(pulled(&feed, 5, false).0, [6]);
}

#[test]
fn a_cursor_that_is_ahead_waits() {
    assert_eq!(pulled(&feed(5), 6, true), (vec![], Pull::UpToDate));
}

#[test]
fn the_ring_holds_32_frames_and_who_is_further_behind_falls() {
    let feed = feed(100);
    assert_eq!(pulled(&feed, 68, false).0.len(), 32);
    assert_eq!(pulled(&feed, 67, false), (vec![], Pull::Fell));
}

#[test]
fn without_spectators_the_ring_is_shorter() {
    let feed = feed(40);
    feed.publish(frame(41), false);
    assert_eq!(pulled(&feed, 37, false).0.len(), 4);
    assert_eq!(pulled(&feed, 36, false).1, Pull::Fell);
}

#[test]
fn the_ring_is_bounded_in_bytes_too() {
    let feed = Feed::new(1, face(1));
    for seq in 2..=20 {
        let message = "x".repeat(3_000);
        let code = zeitnot_protocol::Code::Unavailable;
        let big = zeitnot_protocol::Rejected { id: None, game: None, code, message };
        feed.publish(Frame::new(seq, &ServerMessage::Rejected(big)), true);
    }
    assert_eq!(pulled(&feed, 15, false).0.len(), 5, "16 KiB hold five of them");
    assert_eq!(pulled(&feed, 14, false).1, Pull::Fell);
}

#[test]
fn a_trimmed_feed_is_up_to_date_for_its_head_only() {
    let feed = feed(9);
    feed.trim();
    assert_eq!(pulled(&feed, 9, false), (vec![], Pull::UpToDate));
    assert_eq!(pulled(&feed, 8, false), (vec![], Pull::Fell));
    feed.publish(frame(10), true);
    assert_eq!(pulled(&feed, 9, false).0, [10]);
}

#[test]
fn a_clock_comes_when_it_is_wanted_or_when_an_act_changed_it() {
    let feed = feed(4);
    assert_eq!(pulled(&feed, 4, true).1, Pull::Frames { cursor: 4, clock: ClockDue::Now(face(4)) });
    feed.publish(frame(5).with_clock(), true);
    assert_eq!(pulled(&feed, 4, false).1, Pull::Frames { cursor: 5, clock: ClockDue::Later });
    feed.set_clock(face(5));
    assert_eq!(pulled(&feed, 4, false).1, Pull::Frames { cursor: 5, clock: ClockDue::Now(face(5)) });
}

#[test]
fn a_snapshot_is_given_out_while_the_ring_goes_on_behind_it() {
    let feed = feed(4);
    feed.keep_snapshot(frame(4));
    for seq in 5..=36 {
        feed.publish(frame(seq), true);
        assert_eq!(feed.snapshot().map(|snapshot| snapshot.seq()), Some(4));
    }
    feed.publish(frame(37), true);
    assert_eq!(feed.snapshot(), None, "event 5 is no longer in the ring");
    feed.keep_snapshot(frame(20));
    assert!(feed.snapshot().is_some());
    feed.trim();
    assert_eq!(feed.snapshot(), None);
}

#[test]
fn a_published_number_of_watchers_has_a_new_version() {
    let feed = feed(1);
    assert_eq!((feed.watchers().version, feed.watchers().count), (0, 0));
    feed.publish_watchers(7);
    feed.publish_watchers(7);
    assert_eq!((feed.watchers().version, feed.watchers().count), (2, 7));
}

#[test]
fn a_face_stands_still_until_only_its_time_is_left() {
    let clocks = Some(ByColor { white: Micros::from_secs(10), black: Micros::from_secs(20) });
    let running = Some((Color::White, ServiceInstant(15_000_000)));
    let face = ClockReading { seq: 3, clocks, running, base: 3, began: None, first_move: None };
    let white_ms = |at| face.message(None, super::table::game_id(), ServiceInstant(at)).white_ms;
    assert_eq!(white_ms(0), Some(10_000), "5 s of delay come first");
    assert_eq!(white_ms(5_000_000), Some(10_000));
    assert_eq!(white_ms(5_000_001), Some(10_000), "rounded up");
    assert_eq!(white_ms(14_999_999), Some(1), "0 only for a flag that has fallen");
    assert_eq!(white_ms(99_000_000), Some(0));
    assert_eq!(face.message(None, super::table::game_id(), ServiceInstant(0)).black_ms, Some(20_000));
}

#[test]
fn a_face_says_how_long_a_first_move_may_take() {
    let clocks = Some(ByColor::both(Micros::from_secs(10)));
    let first_move = Some(ServiceInstant(30_000_000));
    let face = ClockReading { seq: 1, clocks, running: None, base: 1, began: None, first_move };
    let left = |at| face.message(None, super::table::game_id(), ServiceInstant(at)).first_move_ms;
    assert_eq!(left(0), Some(30_000));
    assert_eq!(left(29_999_999), Some(1), "rounded up");
    assert_eq!(left(31_000_000), Some(0));
    let running = ClockReading { running: Some((Color::White, ServiceInstant(0))), first_move: None, ..face };
    assert_eq!(running.message(None, super::table::game_id(), ServiceInstant(0)).first_move_ms, None);
}

/// Lets all tasks that are ready run.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_notification_reaches_everybody_once_and_a_snapshot_only_those_who_wait() {
    let (relay, tasks) = (Arc::new(WakerGroups::default()), Tasks::default());
    let inboxes: Vec<_> = (0..600).map(|_| Inbox::default()).collect();
    let places: Vec<_> = inboxes.iter().map(|inbox| relay.enter(inbox.outbox(), &tasks)).collect();
    assert_eq!(relay.count(), 600);
    assert_eq!(tasks.count(), 3, "groups of 256");
    let notified = || inboxes.iter().filter(|inbox| inbox.signals().notified).count();
    relay.notify_all();
    settle().await;
    assert_eq!(notified(), 600);
    settle().await;
    assert_eq!(notified(), 0);
    places[7].wait_for_snapshot();
    places[599].wait_for_snapshot();
    relay.notify_waiting();
    settle().await;
    assert_eq!(notified(), 2);
    relay.notify_waiting();
    settle().await;
    assert_eq!(notified(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_group_ends_when_it_is_empty_and_all_end_with_the_feed() {
    let (relay, tasks) = (Arc::new(WakerGroups::default()), Tasks::default());
    let inboxes: Vec<_> = (0..300).map(|_| Inbox::default()).collect();
    let mut places: Vec<_> = inboxes.iter().map(|inbox| relay.enter(inbox.outbox(), &tasks)).collect();
    for place in places.drain(256..) {
        relay.leave(&place);
    }
    settle().await;
    assert_eq!((relay.count(), tasks.count()), (256, 1));
    relay.close();
    settle().await;
    assert_eq!(tasks.count(), 0);
    assert!(inboxes[..256].iter().all(|inbox| inbox.signals().notified));
    let late = Inbox::default();
    let place = relay.enter(late.outbox(), &tasks);
    settle().await;
    assert!(late.signals().notified, "a late subscriber is notified too");
    assert_eq!(tasks.count(), 0);
    relay.leave(&place);
}

#[test]
fn a_mailbox_rejects_commands_over_its_bound_and_always_takes_what_is_reserved() {
    let mailbox = Mailbox::new();
    for number in 0..COMMANDS_MAX {
        mailbox.send(number).unwrap();
    }
    assert_eq!(mailbox.send(0), Err(SendError::Full));
    mailbox.send_reserved(1_000);
    let mut taken = VecDeque::new();
    mailbox.take(&mut taken);
    assert_eq!(taken.len(), COMMANDS_MAX + 1);
    assert_eq!(taken.back(), Some(&1_000), "in its order");
    mailbox.send(5).unwrap();
    mailbox.close();
    assert_eq!(mailbox.send(6), Err(SendError::Closed));
    taken.clear();
    mailbox.take(&mut taken);
    assert!(taken.is_empty());
}

#[test]
fn flags_come_down_when_they_are_looked_at_but_for_the_stop() {
    let mailbox: Mailbox<u32> = Mailbox::new();
    mailbox.want_snapshot();
    mailbox.watchers_changed();
    mailbox.stop();
    let raised = mailbox.raised();
    assert!(raised.snapshot_wanted && raised.watchers_changed && raised.stop && !raised.queued);
    let raised = mailbox.raised();
    assert!(!raised.snapshot_wanted && !raised.watchers_changed && raised.stop);
}
