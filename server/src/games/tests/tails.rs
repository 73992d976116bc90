//! Tails of games from the journal: read and folded once, whatever their length, and given up with their session.

use std::sync::Arc;

use zeitnot_protocol::{Code, GameId};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Event, Game, GameInstant};
use zeitnot_rules::verdict::{Outcome, Reason};

use super::actor::{World, heard, online, reading_session, settle};
use crate::connections::{Inbox, NoticeKind, TailChunk};
use crate::games::kept_tail::EVENTS_MAX;
use crate::games::replay::CHUNK_FRAMES;
use crate::games::{KeptTail, Reader, TailWanted};
use crate::storage::{GameStore as _, JournalOffset, Record};

/// Four pieces and a bit.
const EVENTS: u32 = 4 * CHUNK_FRAMES as u32 + 10;

/// A game of so many events in the journal; its last one ends it, if `ends`.
async fn long_game(world: &World, number: u128, ends: bool) -> GameId {
    let game = GameId::from_random(number);
    let mut events = Game::start(&online()).unwrap();
    while events.len() < EVENTS as usize - usize::from(ends) {
        events.push(Event::DrawOffered { by: Color::White });
    }
    if ends {
        events.push(Event::Ended { outcome: Outcome::draw(Reason::Agreement), charge: None });
    }
    let record = |first_seq, events| {
        Arc::new(Record { game, first_seq, at: GameInstant::START, account: None, command: None, events })
    };
    let others = events.split_off(1);
    let offset = world.journal.append(JournalOffset::NONE, record(1, events)).await.unwrap();
    world.journal.append(offset, record(2, others)).await.unwrap();
    game
}

fn pieces(inbox: &Inbox) -> Vec<TailChunk> {
    let piece = |kind| if let NoticeKind::Tail(chunk) = kind { Some(*chunk) } else { None };
    heard(inbox).into_iter().filter_map(piece).collect()
}

/// Asks for piece after piece; the seqs of all frames.
async fn whole_tail(
    world: &World,
    mut wanted: TailWanted,
    kept: &KeptTail,
    (inbox, reader): &(Inbox, Reader),
) -> Vec<u32> {
    let mut seqs = Vec::new();
    loop {
        let _read = world.games.send_tail(wanted, kept, reader);
        settle().await;
        let [chunk] = &pieces(inbox)[..] else { panic!("one piece at a time") };
        assert!(chunk.frames.len() <= CHUNK_FRAMES);
        seqs.extend(chunk.frames.iter().map(|frame| frame.seq()));
        if !chunk.more {
            return seqs;
        }
        wanted.after = *seqs.last().unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_tail_reads_its_game_once() {
    let world = World::new();
    for (number, published) in [(1, None), (2, Some(EVENTS))] {
        let game = long_game(&world, number, published.is_none()).await;
        let (kept, before) = (KeptTail::default(), world.journal.reads());
        let wanted = TailWanted { game, after: 0, published, id: None };
        let seqs = whole_tail(&world, wanted, &kept, &reading_session()).await;
        assert_eq!(seqs, (1..=EVENTS).collect::<Vec<_>>());
        assert_eq!(world.journal.reads() - before, 1);
        assert!(kept.is_empty(), "nothing is kept when there is no more");
    }
}

#[tokio::test(start_paused = true)]
async fn a_tail_without_room_for_its_fold_reads_its_game_for_each_piece() {
    let world = World::new();
    let game = long_game(&world, 1, true).await;
    let room = Arc::clone(&world.games.shared().kept_events);
    let _taken = room.clone().try_acquire_many_owned(EVENTS_MAX as u32 - EVENTS + 1).unwrap();
    let wanted = TailWanted { game, after: 0, published: None, id: None };
    let seqs = whole_tail(&world, wanted, &KeptTail::default(), &reading_session()).await;
    assert_eq!(seqs, (1..=EVENTS).collect::<Vec<_>>());
    assert_eq!(world.journal.reads(), 5);
}

#[tokio::test(start_paused = true)]
async fn the_room_of_a_fold_is_given_back_with_its_session() {
    let world = World::new();
    let game = long_game(&world, 1, true).await;
    let (kept, (_inbox, reader)) = (KeptTail::default(), reading_session());
    let room = Arc::clone(&world.games.shared().kept_events);
    let _read =
        world.games.send_tail(TailWanted { game, after: 0, published: None, id: None }, &kept, &reader);
    settle().await;
    assert!(kept.is_of(game));
    assert_eq!(room.available_permits(), EVENTS_MAX - EVENTS as usize);
    drop(kept);
    assert_eq!(room.available_permits(), EVENTS_MAX);
}

#[tokio::test(start_paused = true)]
async fn a_game_that_went_on_meanwhile_is_read_again_where_the_fold_ends() {
    let world = World::new();
    let game = long_game(&world, 1, false).await;
    let (kept, session) = (KeptTail::default(), reading_session());
    let piece = TailWanted { game, after: 0, published: Some(EVENTS), id: None };
    let _read = world.games.send_tail(piece, &kept, &session.1);
    settle().await;
    assert_eq!(pieces(&session.0).len(), 1);
    let events = vec![Event::Ended { outcome: Outcome::draw(Reason::Agreement), charge: None }];
    let (first_seq, at) = (EVENTS + 1, GameInstant::START);
    let last = Record { game, first_seq, at, account: None, command: None, events };
    world.journal.append(JournalOffset(2), Arc::new(last)).await.unwrap();
    for published in [Some(EVENTS + 1), None] {
        let after = CHUNK_FRAMES as u32;
        let seqs = whole_tail(&world, TailWanted { game, after, published, id: None }, &kept, &session).await;
        assert_eq!(seqs, (after + 1..=EVENTS + 1).collect::<Vec<_>>());
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_that_waits_its_turn_is_given_up_with_its_session() {
    let world = World::new();
    let game = long_game(&world, 1, true).await;
    let elsewhere = std::net::IpAddr::from([192, 0, 2, 1]).into();
    let places = [world.games.archive().enter(elsewhere).await, world.games.archive().enter(elsewhere).await];
    let (inbox, reader) = reading_session();
    let (gone, stays) =
        (world.games.send_snapshot(game, None, &reader), world.games.send_history(game, 1, None, &reader));
    settle().await;
    assert_eq!(world.journal.reads(), 0, "both wait");
    drop(gone);
    drop(places);
    settle().await;
    assert_eq!(world.journal.reads(), 1);
    assert!(matches!(heard(&inbox)[..], [NoticeKind::Message(_)]));
    drop(stays);
    let unknown = GameId::from_random(7);
    let _read = world.games.send_history(unknown, 1, None, &reader);
    settle().await;
    assert_eq!(heard(&inbox), [NoticeKind::Rejected { id: None, code: Code::UnknownGame }]);
}
