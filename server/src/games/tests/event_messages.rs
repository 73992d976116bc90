//! Frames made again from the journal are byte-equal to those that were sent live.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use zeitnot_protocol::{Limits, ServerMessage, decode_server};
use zeitnot_rules::game::{AbsenceWish, Command, Game, IlcRule, Micros, Profile, TimeControl, Variant};

use super::Table;
use super::table::{blitz, game_id, now_or_never, parsed, plain, play, setup};
use crate::connections::Frame;
use crate::games::replay::{CHUNK_FRAMES, ReplayedGame, TailFold};
use crate::games::snapshot::{Aftermath, history, snapshot, snapshot_frame};
use crate::storage::{GameStore as _, Tail};

/// The records as they come back from a disk.
fn tail(table: &Table) -> Tail {
    let tail = now_or_never(&mut table.journal.tail(game_id(), 1)).unwrap().unwrap();
    Tail { records: super::restart::through_disk(&tail.records), ..tail }
}

/// The frames after `after`, made again chunk by chunk.
fn made_again(table: &Table, mut after: u32) -> Vec<Frame> {
    let mut fold = TailFold::begin(tail(table)).unwrap();
    let mut frames = Vec::new();
    loop {
        let chunk = fold.chunk(after, u32::MAX);
        assert!(chunk.frames.len() <= CHUNK_FRAMES);
        assert!(
            chunk
                .frames
                .iter()
                .all(|frame| frame.framed().len() <= Limits::STANDARD.frame_out_bytes as usize)
        );
        frames.extend(chunk.frames);
        if !chunk.more {
            return frames;
        }
        after = frames.last().unwrap().seq();
    }
}

/// Whatever a player may do, drawn by lot.
fn random_act(table: &mut Table, rng: &mut StdRng) {
    let connection = rng.random_range(1..=2);
    let game = table.machine.game();
    let (draw, takeback) = (game.open_draw_offer(), game.open_takeback());
    let mut offers = vec![Command::OfferDraw, Command::OfferTakeback, Command::AskIlc];
    offers.push(Command::GiveTime { amount: Micros::from_millis(rng.random_range(1_000..60_000)) });
    offers.extend(draw.map(|offer| Command::DeclineDraw { offer: offer.seq }));
    offers.extend(takeback.map(|offer| Command::AcceptTakeback { offer: offer.seq }));
    offers.extend(takeback.map(|offer| Command::DeclineTakeback { offer: offer.seq }));
    if rng.random_bool(0.02) {
        offers.push(Command::Resign);
        offers.push(Command::ClaimAbsence { wish: AbsenceWish::Draw });
        offers.extend(draw.map(|offer| Command::AcceptDraw { offer: offer.seq }));
    }
    let index = rng.random_range(0..offers.len());
    table.send(connection, plain(offers.swap_remove(index)));
}

fn random_move(table: &mut Table, rng: &mut StdRng) {
    let text = table.random_move(rng);
    let game = table.machine.game();
    let (on, connection) = (game.position_seq(), 1 + game.turn().index() as u64);
    if rng.random_bool(0.05) {
        table.send(connection, plain(Command::ClaimDraw { on, intended: Some(parsed(&text)) }));
    } else {
        table.send(connection, play(on, &text));
    }
}

pub(super) fn random_game(seed: u64) -> Table {
    let mut rng = StdRng::seed_from_u64(seed);
    let profiles = [
        Profile::fide_online(),
        Profile::fide_board().with_ilc(IlcRule::FideIii4),
        Profile::us_chess().with_ilc(IlcRule::Us14H),
        Profile::casual(),
    ];
    let profile = profiles[rng.random_range(0..profiles.len())].clone();
    let time_control = match rng.random_range(0..4) {
        0 if profile.ilc == IlcRule::Off => TimeControl::Unlimited,
        1 if profile.ilc == IlcRule::Off => TimeControl::DaysPerMove { days: 3 },
        2 if profile.ilc == IlcRule::Off => blitz(),
        _ => TimeControl::fischer(Micros::from_secs(1_500), Micros(0)),
    };
    let mut setup = setup(profile, time_control);
    if rng.random_bool(0.3) {
        setup.variant = Variant::Chess960;
        setup.start = zeitnot_rules::board::Position::chess960(rng.random_range(0..960));
    }
    let mut table = Table::seated(&setup);
    for _ in 0..rng.random_range(10..200) {
        if table.machine.game().is_over() {
            break;
        }
        table.pass(Duration::from_micros(rng.random_range(0..20_000_000)));
        table.answer_fences();
        if table.machine.game().is_over() {
            break;
        }
        if rng.random_bool(0.15) {
            random_act(&mut table, &mut rng);
        } else {
            random_move(&mut table, &mut rng);
        }
    }
    table.check();
    table
}

#[test]
fn tails_are_byte_equal_to_what_was_sent_live() {
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 0..150 {
        let table = random_game(seed);
        for after in [0, 1, 2, table.machine.game().seq() / 2, table.machine.game().seq()] {
            let again = made_again(&table, after);
            let live: Vec<_> = table.frames.iter().filter(|frame| frame.seq() > after).cloned().collect();
            let started = usize::from(after == 0);
            assert_eq!(again[started..], live, "seed {seed} after {after}");
        }
        kinds.extend(
            table.frames.iter().map(|frame| frame.text()[6..20].split('"').next().unwrap().to_owned()),
        );
    }
    for kind in
        ["move", "draw_offered", "draw_declined", "draw_claimed", "taken_back", "time_adjusted", "ended"]
    {
        assert!(kinds.contains(kind), "no {kind} among {kinds:?}");
    }
}

#[test]
fn a_snapshot_of_the_journal_is_that_of_the_live_game() {
    for seed in 0..100 {
        let table = random_game(seed);
        let stored = ReplayedGame::fold(&tail(&table)).unwrap();
        assert_eq!(
            snapshot_frame(game_id(), &stored.game, &Aftermath::default()),
            snapshot_frame(game_id(), table.machine.game(), &Aftermath::default()),
            "seed {seed}"
        );
        let live = snapshot(game_id(), table.machine.game());
        assert_eq!(live.plies.len() as u32, live.ply_count.min(200));
        let moves = table.frames.iter().filter_map(|frame| match decode_server(frame.text()).unwrap() {
            ServerMessage::Move(event) => {
                Some((event.seq, event.uci, event.san, event.white_ms, event.black_ms, event.took))
            }
            _ => None,
        });
        let standing: Vec<_> = table.machine.game().moves().map(|played| played.seq).collect();
        let sent: Vec<_> = moves.filter(|event| standing.contains(&event.0)).collect();
        for (ply, sent) in live.plies.iter().zip(&sent[sent.len() - live.plies.len()..]) {
            assert_eq!((ply.uci, ply.san, ply.took), (sent.1, sent.2, sent.5), "seed {seed} ply {}", ply.ply);
            assert_eq!((ply.white_ms, ply.black_ms), (sent.3, sent.4), "seed {seed} ply {}", ply.ply);
        }
    }
}

/// A game of more plies than fit in two frames, found by trying.
fn long_game() -> Game {
    let long = |seed| {
        let mut table = Table::seated(&setup(Profile::fide_board(), TimeControl::Unlimited));
        let mut rng = StdRng::seed_from_u64(seed);
        while table.machine.game().ply_count() < 450 && !table.machine.game().is_over() {
            random_move(&mut table, &mut rng);
        }
        Some(table.machine.game().clone()).filter(|game| game.ply_count() > 400)
    };
    (0..100).find_map(long).unwrap()
}

#[test]
fn history_gives_two_hundred_plies_a_frame_and_a_snapshot_the_last_ones() {
    let game = long_game();
    let count = game.ply_count();
    let whole: Vec<_> =
        (1..=count).step_by(200).flat_map(|from| history(None, game_id(), &game, from).plies).collect();
    assert_eq!(whole.len() as u32, count);
    assert!(whole.iter().zip(1..).all(|(ply, number)| ply.ply == number));
    let last = snapshot(game_id(), &game);
    assert_eq!(last.plies[..], whole[count as usize - 200..]);
    assert!(history(None, game_id(), &game, count + 1).plies.is_empty());
    assert!(
        snapshot_frame(game_id(), &game, &Aftermath::default()).framed().len()
            <= Limits::STANDARD.frame_out_bytes as usize
    );
}
