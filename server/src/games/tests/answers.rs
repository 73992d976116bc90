//! Sending again is always safe: the first `ok` once more, and nothing is played twice.

use std::time::Duration;

use rand::SeedableRng as _;
use rand::rngs::StdRng;
use zeitnot_protocol::{Code, Limits};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, Profile};

use super::Table;
use super::table::{blitz, named, parsed, plain, play, setup};
use crate::connections::NoticeKind;
use crate::games::SeatCommand;
use crate::seeded_bugs::{SeededBug, Seeding};

fn claim(on: u32, uci: Option<&str>) -> SeatCommand {
    plain(Command::ClaimDraw { on, intended: uci.map(parsed) })
}

/// White has played e4, and it was taken back by consent.
fn after_a_takeback() -> Table {
    let mut table = Table::seated(&setup(Profile::casual(), blitz()));
    table.play(1, "e2e4");
    table.send(1, plain(Command::OfferTakeback));
    let offer = table.expect_done(1);
    table.send(2, plain(Command::AcceptTakeback { offer }));
    assert_eq!(table.expect_done(2), 4);
    assert_eq!(table.machine.game().ply_count(), 0);
    table
}

#[test]
fn the_same_move_on_the_same_position_gets_the_first_ok() {
    let mut table = Table::seated(&setup(Profile::fide_online(), blitz()));
    table.play(1, "e2e4");
    table.play(2, "e7e5");
    table.play(1, "g1f3");
    table.send(1, play(1, "e2e4"));
    assert_eq!(table.expect_done(1), 2);
    table.send(2, play(2, "e7e5"));
    assert_eq!(table.expect_done(2), 3);
    assert_eq!(table.machine.game().ply_count(), 3);
    table.check();
}

#[test]
fn another_move_on_an_earlier_position_is_stale() {
    let mut table = Table::seated(&setup(Profile::fide_online(), blitz()));
    table.play(1, "e2e4");
    table.send(1, play(1, "d2d4"));
    table.expect_rejected(1, Code::Stale);
    table.send(2, play(1, "e2e4"));
    table.expect_rejected(2, Code::Stale);
    table.check();
}

#[test]
fn a_resend_after_a_takeback_is_not_played_again() {
    let mut table = after_a_takeback();
    table.send(1, play(1, "e2e4"));
    assert_eq!(table.expect_done(1), 2, "the first ok");
    assert_eq!(table.machine.game().ply_count(), 0, "and the takeback stands");
    table.play(1, "e2e4");
    assert_eq!(table.machine.game().ply_count(), 1, "played anew, on the new position");
    table.check();
}

#[test]
fn a_replay_after_a_takeback_is_caught() {
    let _seeding = Seeding::with(SeededBug::ReplayAfterTakeback);
    let mut table = after_a_takeback();
    table.send(1, play(1, "e2e4"));
    assert_ne!((table.answer(1), table.machine.game().ply_count()), (Some(Ok(2)), 0));
}

#[test]
fn castling_is_known_again_in_both_ways_of_writing_it() {
    let mut table = Table::seated(&setup(Profile::fide_online(), blitz()));
    for (connection, uci) in [(1, "e2e4"), (2, "e7e5"), (1, "g1f3"), (2, "g8f6"), (1, "f1c4"), (2, "f8c5")] {
        table.play(connection, uci);
    }
    let on = table.machine.game().position_seq();
    let castled = table.play(1, "e1g1");
    for uci in ["e1g1", "e1h1"] {
        table.send(1, play(on, uci));
        assert_eq!(table.expect_done(1), castled);
    }
    table.send(1, play(on, "e1f1"));
    table.expect_rejected(1, Code::Stale);
}

#[test]
fn a_promotion_is_not_known_by_its_squares_alone() {
    let mut table = Table::seated(&setup(Profile::fide_online(), blitz()));
    let line = ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "c8b7", "a6b7", "b8c6"];
    for (uci, connection) in line.into_iter().zip([1, 2].into_iter().cycle()) {
        table.play(connection, uci);
    }
    let on = table.machine.game().position_seq();
    let promoted = table.play(1, "b7a8q");
    table.send(1, play(on, "b7a8q"));
    assert_eq!(table.expect_done(1), promoted);
    for uci in ["b7a8n", "b7a8"] {
        table.send(1, play(on, uci));
        table.expect_rejected(1, Code::Stale);
    }
}

#[test]
fn a_command_id_that_was_seen_gets_the_first_ok_whatever_it_names_now() {
    let mut table = Table::seated(&setup(Profile::fide_online(), blitz()));
    table.send(1, named("a", play(1, "e2e4")));
    let [NoticeKind::Done { id, seq: 2 }] = &table.heard(1)[..] else { panic!("ok") };
    assert_eq!(id.as_ref().unwrap().as_str(), "a");
    table.send(2, named("a", play(2, "e7e5")));
    assert_eq!(table.expect_done(2), 3, "each seat has its own ids");
    table.send(1, named("a", plain(Command::Resign)));
    assert_eq!(table.expect_done(1), 2);
    assert!(!table.has_ended);
    table.check();
}

#[test]
fn a_rejected_command_is_decided_anew() {
    let mut table = Table::seated(&setup(Profile::fide_online(), blitz()));
    table.send(2, named("x", play(1, "e7e5")));
    table.expect_rejected(2, Code::NotYourTurn);
    table.play(1, "e2e4");
    table.send(2, named("x", play(2, "e7e5")));
    assert_eq!(table.expect_done(2), 3);
}

#[test]
fn answers_to_offers_and_claims_are_known_again() {
    let mut table = Table::seated(&setup(Profile::fide_board(), blitz()));
    table.play(1, "e2e4");
    table.play(2, "e7e5");
    table.send(1, plain(Command::OfferDraw));
    let offer = table.expect_done(1);
    for _ in 0..2 {
        table.send(2, plain(Command::DeclineDraw { offer }));
        assert_eq!(table.expect_done(2), offer + 1);
    }
    let on = table.machine.game().position_seq();
    table.send(1, claim(on, Some("g1f3")));
    let claimed = table.expect_done(1);
    table.send(1, claim(on, Some("g1f3")));
    assert_eq!(table.expect_done(1), claimed);
    for other in [claim(on, Some("b1c3")), claim(on, None)] {
        table.send(1, other);
        table.expect_rejected(1, Code::Stale);
    }
    table.check();
}

#[test]
fn the_last_sixteen_answers_of_each_seat_are_kept() {
    let mut table = Table::seated(&setup(Profile::fide_board(), blitz()));
    let kept = Limits::STANDARD.answers_kept as usize;
    let mut rng = StdRng::seed_from_u64(3);
    let mut sent = Vec::new();
    for _ in 0..=kept {
        let (on, uci) = (table.machine.game().position_seq(), table.random_move(&mut rng));
        sent.push((on, uci.clone(), table.play(1, &uci)));
        let answer = table.random_move(&mut rng);
        table.play(2, &answer);
    }
    let (on, uci, _) = sent.remove(0);
    table.send(1, play(on, &uci));
    table.expect_rejected(1, Code::Stale);
    for (on, uci, seq) in sent {
        table.send(1, play(on, &uci));
        assert_eq!(table.expect_done(1), seq);
    }
    table.check();
}

#[test]
fn whoever_takes_the_game_up_again_gives_the_same_answers() {
    let mut table = after_a_takeback();
    table.send(1, named("mine", play(4, "d2d4")));
    table.expect_done(1);
    let mut table = table.recovered(Duration::from_secs(3600));
    table.join(7, Color::White);
    table.join(8, Color::Black);
    table.told.clear();
    for (connection, command, seq) in [
        (7, play(1, "e2e4"), 2),
        (7, named("mine", plain(Command::Resign)), 5),
        (8, plain(Command::AcceptTakeback { offer: 3 }), 4),
    ] {
        table.send(connection, command);
        assert_eq!(table.expect_done(connection), seq);
    }
    table.send(7, play(1, "d2d4"));
    table.expect_rejected(7, Code::Stale);
    table.check();
}
