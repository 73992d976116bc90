//! Games that are rebuilt from rows, and what an interrupted turn costs.

use std::sync::Arc;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use zeitnot_protocol::{EpochId, GameId, ServerMessage};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Charge, Command, Event, Game, GameInstant, Micros, Profile, Seq};

use super::Table;
use super::event_messages::random_game;
use super::table::{blitz, game_id, plain, play, setup};
use crate::games::replay::ReplayedGame;
use crate::games::{Games, RecoveredGames};
use crate::storage::encoding::{Row, WholeGame, decode, encode};
use crate::storage::sqlite::{Loaded, Now, Request, SegmentSettings, load};
use crate::storage::{
    self, Append, EffectWatch, JournalOffset, Location, NoRatings, Opened, Rebuild as _, Record, Store,
    StoreInstant, Tail, TurnMark, TurnTime,
};
use crate::tasks::Tasks;
use crate::time::ServiceClock;

fn written_and_read(row: &Row) -> Row {
    let mut bytes = Vec::new();
    encode(row, &mut bytes);
    decode(&bytes).unwrap()
}

/// Each record as its own row, and all of them as one.
pub(super) fn through_disk(records: &[Arc<Record>]) -> Vec<Arc<Record>> {
    let at = StoreInstant(1);
    let single = |record: &Arc<Record>| match written_and_read(&Row::Record {
        at,
        previous: 3,
        record: Arc::clone(record),
    }) {
        Row::Record { record, .. } => record,
        other => panic!("{other:?}"),
    };
    let single: Vec<_> = records.iter().map(single).collect();
    assert_eq!(single, records);
    let whole = WholeGame { game: game_id(), records: single };
    let all = Row::Carried { at, mark: TurnMark::Since(at), whole };
    match written_and_read(&all) {
        Row::Carried { whole, .. } => whole.records,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_game_rebuilt_from_single_and_from_carried_rows_is_the_live_one() {
    for seed in 0..60 {
        let table = random_game(seed);
        let records = table.records();
        let folded =
            ReplayedGame::fold(&Tail { records: records.clone(), last: JournalOffset(9), correction: None })
                .unwrap();
        for carried in [0, 1, records.len() / 2, records.len()] {
            let mut rebuilt = RecoveredGames::default();
            if carried > 0 {
                records[..carried / 2].iter().for_each(|record| rebuilt.record(record).unwrap());
                rebuilt.all(game_id(), &records[..carried]).unwrap();
            }
            records[carried..].iter().for_each(|record| rebuilt.record(record).unwrap());
            let stored = rebuilt.get(game_id()).unwrap();
            assert_eq!(stored.game.recorded(), table.machine.game().recorded(), "seed {seed}");
            assert_eq!(stored.answers, folded.answers, "seed {seed}");
            assert_eq!(stored.left_at(), folded.left_at(), "seed {seed}");
        }
    }
}

#[test]
fn records_that_do_not_follow_are_rejected_and_nothing_panics() {
    let mut table = Table::seated(&setup(Profile::casual(), blitz()));
    table.play(1, "e2e4");
    table.play(2, "e7e5");
    table.send(1, plain(Command::Resign));
    let records = table.records();
    let mut rebuilt = RecoveredGames::default();
    assert!(rebuilt.record(&records[1]).is_err(), "it begins no game");
    rebuilt.record(&records[0]).unwrap();
    assert!(rebuilt.record(&records[0]).is_err(), "it begins twice");
    rebuilt.all(game_id(), &records).unwrap();
    assert!(rebuilt.record(&records[1]).is_err(), "it goes on behind its end");
    rebuilt.forget(game_id());
    assert!(rebuilt.get(game_id()).is_none());
}

/// A game in which White has moved twice and Black is to move, both clocks running, and White alone
/// was there.
fn black_to_move() -> Table {
    let mut table = Table::seated(&setup(Profile::fide_online(), blitz()));
    for (connection, uci) in [(1, "e2e4"), (2, "e7e5"), (1, "g1f3")] {
        table.pass(Duration::from_secs(1));
        table.play(connection, uci);
    }
    table
}

#[test]
fn what_the_interrupted_turn_had_taken_is_charged_and_the_downtime_is_not() {
    let table = black_to_move();
    let mut table = table.recovered_after(Duration::from_secs(5_000), Micros::from_secs(40));
    assert_eq!(table.turn_times, []);
    table.pass(Duration::from_secs(12));
    table.join(2, Color::Black);
    assert_eq!(table.turn_times, [TurnTime::Runs { spent: Micros::from_secs(40) }]);
    table.pass(Duration::from_secs(3));
    table.play(2, "b8c6");
    let time = table.machine.game().moves().last().unwrap().time.unwrap();
    assert_eq!(time.took, Micros::from_secs(43));
    let records = table.records();
    let (before, last) = (&records[records.len() - 2], &records[records.len() - 1]);
    assert_eq!(last.at.since(before.at), Micros::from_secs(43 + 12), "the axis counts all service");
    assert_eq!(table.turn_times.len(), 1, "the next turn was not interrupted");
    table.check();
}

#[test]
fn an_interrupted_turn_shows_what_it_had_taken_and_the_same_in_turn_and_clock() {
    let spent = Micros::from_secs(40);
    let mut table = black_to_move().recovered_after(Duration::from_secs(5_000), spent);
    let recorded = table.machine.game().clocks().unwrap();
    let shown = table.face.shown(table.now).unwrap();
    assert_eq!(table.face.running, None);
    assert_eq!(shown.white, recorded.white);
    // All but what may be forgiven.
    let least = recorded.black.saturating_sub(spent);
    assert!((least..=least + Micros::from_secs(1)).contains(&shown.black), "{:?}", shown.black);
    table.pass(Duration::from_secs(12));
    table.join(2, Color::Black);
    let messages = table.messages(2);
    let Some(ServerMessage::Turn(turn)) = messages.last() else { panic!("Black is told its turn") };
    let shown = table.face.shown(table.now).unwrap();
    assert_eq!(table.face.running.map(|(seat, _)| seat), Some(Color::Black));
    assert_eq!((turn.white_ms, turn.black_ms), (Some(shown.white.to_ms_up()), Some(shown.black.to_ms_up())));
}

#[test]
fn a_turn_that_goes_on_by_itself_is_noted_too() {
    let mut table = black_to_move().recovered_after(Duration::ZERO, Micros::from_secs(7));
    table.pass(Duration::from_secs(31));
    assert_eq!(table.turn_times, [TurnTime::Runs { spent: Micros::from_secs(7) }]);
    table.join(2, Color::Black);
    table.play(2, "b8c6");
    let time = table.machine.game().moves().last().unwrap().time.unwrap();
    assert_eq!(time.took, Micros::from_secs(8), "from half a minute behind the start");
}

#[test]
fn what_the_opponent_does_meanwhile_does_not_start_the_turn() {
    let mut table = black_to_move().recovered_after(Duration::ZERO, Micros::from_secs(7));
    table.join(1, Color::White);
    table.send(1, plain(Command::OfferDraw));
    table.expect_done(1);
    assert_eq!(table.turn_times, [], "Black is not back");
    assert!(table.machine.game().awaits_turn_start());
    table.pass(Duration::from_secs(20));
    table.join(2, Color::Black);
    table.play(2, "b8c6");
    let time = table.machine.game().moves().last().unwrap().time.unwrap();
    assert_eq!(time.took, Micros::from_secs(7));
    table.check();
}

#[test]
fn a_flag_that_had_fallen_falls_when_the_game_is_recovered_and_not_before() {
    let mut table = black_to_move();
    table.pass(Duration::from_secs(1));
    table.play(2, "b8c6");
    table.pass(Duration::from_secs(1));
    table.play(1, "f1b5");
    let left = table.machine.game().clocks().unwrap().black;
    let mut table = table.recovered_after(Duration::from_secs(9), Micros(left.0 + 5));
    table.pass(Duration::from_secs(29));
    assert!(!table.has_ended);
    table.pass(Duration::from_secs(2));
    assert!(table.has_ended);
    assert!(matches!(table.events()[table.events().len() - 2], Event::FlagFell { seat: Color::Black, .. }));
}

#[test]
fn a_move_sent_again_after_a_restart_gets_its_first_answer() {
    let mut table = black_to_move().recovered(Duration::from_secs(60));
    table.join(1, Color::White);
    let records = table.records().len();
    table.send(1, play(3, "g1f3"));
    assert_eq!(table.expect_done(1), 4);
    assert_eq!(table.records().len(), records);
}

/// Games in their rows, with segments of a few rows and a crash after every seventh commit: what
/// is rebuilt is what was acknowledged, in every field.
#[test]
fn games_on_a_committer_survive_crashes_and_rollovers() {
    let settings = SegmentSettings { rows: 40, carried_per_commit: 2 };
    let start = |connection: rusqlite::Connection| {
        let mut rebuilt = RecoveredGames::default();
        let loaded = load(connection, settings, &NoRatings, EpochId::from_random(1), &mut rebuilt).unwrap();
        (loaded, rebuilt)
    };
    let mut rng = StdRng::seed_from_u64(3);
    let (mut loaded, _) = start(rusqlite::Connection::open_in_memory().unwrap());
    let mut games: Vec<(GameId, Option<Game>)> =
        (0..8).map(|number| (GameId::from_random(number), None)).collect();
    for commit in 1..400_u64 {
        let mut requests = Vec::new();
        for (id, state) in &mut games {
            if rng.random_bool(0.5) {
                continue;
            }
            let record = match state {
                Some(state) => next_move(*id, state, &mut rng),
                None => Some(first_record(*id)),
            };
            let Some(record) = record else { continue };
            let after = JournalOffset(u64::from(record.first_seq) - 1);
            match state {
                Some(state) => record.events.iter().for_each(|event| state.evolve(event)),
                None => *state = Some(Game::replay(&record.events)),
            }
            let (answer, _) = tokio::sync::oneshot::channel();
            requests.push(Request::Append {
                after,
                record: Arc::new(record),
                answer,
                effect: EffectWatch::default(),
            });
        }
        let now = Now { at: loaded.start.after(Duration::from_millis(100 * commit)), unix_ms: 0 };
        loaded.committer.commit(now, &mut requests).unwrap();
        if commit % 7 == 0 {
            let Loaded { committer, .. } = loaded;
            let (again, rebuilt) = start(committer.connection);
            loaded = again;
            assert_eq!(loaded.found.set_aside, []);
            for (id, state) in &games {
                let stored = rebuilt.get(*id).map(|stored| stored.game.recorded());
                assert_eq!(stored, state.as_ref().map(Game::recorded), "behind commit {commit}");
            }
        }
    }
}

fn first_record(game: GameId) -> Record {
    let events = Game::start(&setup(Profile::fide_board(), blitz())).unwrap();
    Record { game, first_seq: 1, at: GameInstant::START, account: None, command: None, events }
}

/// A record with some legal move. Clocks as if each move took a second.
fn next_move(game: GameId, state: &Game, rng: &mut StdRng) -> Option<Record> {
    let moves = state.position().legal_moves();
    let mv = *moves.get(rng.random_range(0..moves.len().max(1)))?;
    let (seat, first_seq): (_, Seq) = (state.turn(), state.seq() + 1);
    let remaining = ByColor::both(Micros::from_secs(170) + Micros(rng.random_range(0..10_000_000)));
    let charge =
        Charge { seat, took: Micros(1_234_567), credit: Micros(40_000), remaining, bank: Micros(900_000) };
    let at = GameInstant(u64::from(first_seq) * 1_234_567);
    let account = Some(zeitnot_protocol::AccountId::from_u128(state.setup().players[seat]));
    Some(Record {
        game,
        first_seq,
        at,
        account,
        command: None,
        events: vec![Event::MovePlayed { mv, charge: Some(charge) }],
    })
}

async fn open(path: &std::path::Path, tasks: &Tasks) -> (Games, Arc<dyn Store>, usize) {
    let clock = ServiceClock::start().unwrap();
    let mut recovered = RecoveredGames::default();
    let Opened { store, found, .. } =
        storage::open(Location::Folder(path), &NoRatings, &clock, EpochId::from_random(1), &mut recovered)
            .unwrap();
    let games = Games::new(Arc::clone(&store) as _, clock, tasks.clone());
    games.recover_all(recovered, &found);
    (games, store, found.live.len())
}

/// P11 without the sockets. Run with `cargo test --release -- --ignored --nocapture ten_thousand`.
#[tokio::test]
#[ignore = "a measurement, and only with optimisation"]
async fn ten_thousand_live_games_are_back_in_time() {
    const GAMES: u128 = 10_000;
    const PLIES: usize = 60;
    let folder = tempfile::tempdir().unwrap();
    let tasks = Tasks::default();
    let (_, store, _) = open(folder.path(), &tasks).await;
    let mut rng = StdRng::seed_from_u64(1);
    let mut states = Vec::new();
    for number in 0..GAMES {
        let mut setup = setup(Profile::fide_board(), blitz());
        setup.players = ByColor { white: 2 * number, black: 2 * number + 1 };
        let (id, events) = (GameId::from_random(number), Game::start(&setup).unwrap());
        let state = Game::replay(&events);
        let at = GameInstant::START;
        let record = Record { game: id, first_seq: 1, at, account: None, command: None, events };
        states.push((id, state, store.append(JournalOffset::NONE, Arc::new(record))));
    }
    for _ in 0..PLIES {
        let mut next: Vec<(GameId, Game, Append)> = Vec::new();
        for (id, mut state, append) in states {
            let offset = append.await.unwrap();
            let Some(record) = next_move(id, &state, &mut rng) else { continue };
            record.events.iter().for_each(|event| state.evolve(event));
            next.push((id, state, store.append(offset, Arc::new(record))));
        }
        states = next;
    }
    let count = states.len();
    for (_, _, append) in states {
        append.await.unwrap();
    }
    store.close();
    drop(store);
    let clock = ServiceClock::start().unwrap();
    let began = clock.now();
    let (games, store, live) = open(folder.path(), &tasks).await;
    let opened = clock.now();
    assert!(live >= count);
    let bytes = std::fs::metadata(folder.path().join("zeitnot.db")).unwrap().len();
    eprintln!("{live} live games, {bytes} bytes: {:?}", opened.since(began));
    games.stop();
    tasks.stop();
    tasks.ended().await;
    store.close();
    assert!(opened.since(began) < Duration::from_secs(3));
}
