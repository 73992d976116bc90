//! Writing PGN, by the sentences of docs/laws.md.

use proptest::prelude::*;
use zeitnot_rules::board::{ByColor, Color, Move, Position};
use zeitnot_rules::game::{Bonus, Micros, Period, TimeControl, Variant};
use zeitnot_rules::notation::pgn::{self, ImportedGame, PgnGame, PgnMove, PgnResult};
use zeitnot_rules::notation::{fen, san};
use zeitnot_rules::verdict::{Outcome, Reason, Score};

use crate::playout::playouts;

/// The game of a line of SAN moves.
fn game(start: Position, moves: &str) -> PgnGame {
    let mut position = start.clone();
    let moves = moves
        .split_whitespace()
        .map(|text| {
            let mv: Move = san::parse(text, &position).expect("the test's moves are legal");
            position.play_unchecked(mv);
            PgnMove::new(mv)
        })
        .collect();
    PgnGame { tags: Vec::new(), variant: Variant::Standard, start, moves, result: PgnResult::Unknown }
}

fn with_tags(tags: &[(&str, &str)]) -> PgnGame {
    let tags = tags.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    PgnGame { tags, ..game(Position::standard(), "") }
}

fn moves_of(text: &str) -> &str {
    text.split_once("\n\n").expect("an empty line ends the tags").1
}

#[test]
fn seven_tags_then_the_others() {
    let mut game = with_tags(&[
        ("Black", "B"),
        ("UTCTime", "12:00:00"),
        ("White", "A"),
        ("Event", "Casual"),
        ("UTCDate", "2026.11.21"),
        ("Date", "2026.11.21"),
    ]);
    game.result = PgnResult::BlackWins;
    let expected = "[Event \"Casual\"]\n[Site \"?\"]\n[Date \"2026.11.21\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n\
                    [Result \"0-1\"]\n[UTCTime \"12:00:00\"]\n[UTCDate \"2026.11.21\"]\n\n0-1\n";
    assert_eq!(pgn::write(&game), expected);
}

#[test]
fn what_is_not_known_is_a_question_mark() {
    let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                    [Result \"*\"]\n\n*\n";
    assert_eq!(pgn::write(&with_tags(&[])), expected);
}

#[test]
fn given_tags_cannot_contradict_the_game() {
    let text =
        pgn::write(&with_tags(&[("Result", "1-0"), ("FEN", "x"), ("SetUp", "1"), ("Variant", "Atomic")]));
    assert_eq!(text, pgn::write(&with_tags(&[])));
}

#[test]
fn chess960_has_variant_set_up_and_fen() {
    let mut chess960 = game(Position::chess960(0), "e4");
    chess960.variant = Variant::Chess960;
    let text = pgn::write(&chess960);
    let start = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    let tags = format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{start}\"]\n\n1. e4 *\n");
    assert!(text.ends_with(&tags), "{text}");
    // Also from the start position that is the standard one.
    chess960 = PgnGame { variant: Variant::Chess960, ..game(Position::standard(), "e4") };
    assert!(pgn::write(&chess960).contains("[SetUp \"1\"]\n[FEN \"rnbqkbnr/"));
}

#[test]
fn a_start_position_of_its_own_has_set_up_and_fen() {
    let text = pgn::write(&game(fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 3 9").unwrap(), "O-O"));
    assert!(
        text.ends_with("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 3 9\"]\n\n9. O-O *\n"),
        "{text}"
    );
    assert!(!text.contains("Variant"));
}

#[test]
fn backslash_and_quote_are_escaped() {
    let text = pgn::write(&with_tags(&[("White", r#"a "b" \ c\"#), ("Note", r#"""#)]));
    assert!(text.contains("[White \"a \\\"b\\\" \\\\ c\\\\\"]\n"), "{text}");
    let read = pgn::games(&text).next().unwrap().unwrap();
    assert_eq!((read.tag("White"), read.tag("Note")), (Some(r#"a "b" \ c\"#), Some(r#"""#)));
}

#[test]
fn no_brace_or_newline_from_names() {
    let text = pgn::write(&with_tags(&[("White", "a}\n[Event \"x\"]\r{b\u{2028}c\u{0}d\u{85}")]));
    assert!(text.contains("[White \"a) [Event \\\"x\\\"] (b c d \"]\n"), "{text}");
    assert_eq!(pgn::games(&text).count(), 1);
}

#[test]
fn black_first_is_three_dots() {
    let start = fen::parse("4k3/8/8/8/8/8/8/4K2R b K - 0 1").unwrap();
    assert_eq!(moves_of(&pgn::write(&game(start, "Kd7 O-O Kd6"))), "1... Kd7 2. O-O Kd6 *\n");
}

#[test]
fn clocks_are_the_movers_in_tenths_rounded_down() {
    let mut game = game(Position::standard(), "e4 e5 Nf3");
    for (played, clock) in game.moves.iter_mut().zip([179_999_999, 0, 36_061_050_000]) {
        played.clock = Some(Micros(clock));
    }
    let expected = "1. e4 {[%clk 0:02:59.9]} 1... e5 {[%clk 0:00:00.0]} 2. Nf3 {[%clk 10:01:01.0]}\n*\n";
    assert_eq!(moves_of(&pgn::write(&game)), expected);
}

#[test]
fn a_comment_follows_the_clock_and_black_gets_a_number() {
    let mut game = game(Position::standard(), "e4 e5 Nf3 Nc6");
    game.moves[0].clock = Some(Micros::from_secs(60));
    game.moves[0].comment = Some("good  luck".to_owned());
    game.moves[2].comment = Some(" \n".to_owned());
    assert_eq!(moves_of(&pgn::write(&game)), "1. e4 {[%clk 0:01:00.0] good luck} 1... e5 2. Nf3 Nc6 *\n");
}

#[test]
fn no_brace_or_newline_from_chat() {
    let mut game = game(Position::standard(), "e4 e5");
    game.moves[0].comment = Some("} 1-0\n\n[Event \"x\"] {[%clk 9:00:00]\u{7}".to_owned());
    let text = pgn::write(&game);
    assert_eq!(moves_of(&text), "1. e4 {) 1-0 [Event \"x\"] ([ %clk 9:00:00]} 1... e5 *\n");
    assert_eq!(pgn::games(&text).next().unwrap().unwrap().moves.len(), 2);
}

#[test]
fn lines_of_moves_are_under_80_columns() {
    let mut long = game(Position::standard(), &"Nf3 Nf6 Ng1 Ng8 ".repeat(40));
    long.moves[3].comment =
        Some(format!("{} {} %b [c {}", "é".repeat(100), "%".repeat(200), "[d ".repeat(100)));
    let text = pgn::write(&long);
    for line in moves_of(&text).lines() {
        assert!(line.len() < 80 && !line.starts_with(['%', '[']), "{line}");
    }
    assert!(moves_of(&text).lines().any(|line| line.len() > 70));
    assert_eq!(pgn::games(&text).next().unwrap().unwrap().moves.len(), 160);
}

#[test]
#[should_panic(expected = "the moves of a game are legal")]
fn an_illegal_move_is_a_bug() {
    let mut game = game(Position::standard(), "e4");
    game.moves.push(game.moves[0].clone());
    drop(pgn::write(&game));
}

const fn secs(seconds: u64) -> Micros {
    Micros::from_secs(seconds)
}

fn clock(periods: &[(Option<u16>, u64, Bonus)]) -> Vec<Period> {
    periods.iter().map(|&(moves, base, bonus)| Period { moves, base: secs(base), bonus }).collect()
}

#[track_caller]
fn check_tags(time_control: &TimeControl, expected: &[(&str, &str)]) {
    let tags = pgn::time_control_tags(time_control);
    let tags: Vec<_> = tags.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(tags, expected);
}

#[track_caller]
fn check_clock(periods: &[(Option<u16>, u64, Bonus)], expected: &[(&str, &str)]) {
    check_tags(&TimeControl::Clock(ByColor::both(clock(periods))), expected);
}

#[test]
fn time_control_of_periods_and_increments() {
    let plus_30 = Bonus::Increment(secs(30));
    let periods = [(Some(40), 6000, plus_30), (Some(20), 3000, plus_30), (None, 900, plus_30)];
    check_clock(&periods, &[("TimeControl", "40/6000+30:20/3000+30:900+30")]);
    check_clock(&[(None, 180, Bonus::Increment(secs(2)))], &[("TimeControl", "180+2")]);
    check_clock(&[(None, 300, Bonus::None)], &[("TimeControl", "300")]);
    check_clock(&[(Some(40), 5400, Bonus::None)], &[("TimeControl", "40/5400")]);
    check_clock(&[(None, 0, Bonus::Increment(Micros(1_500_000)))], &[("TimeControl", "0+1.5")]);
}

#[test]
fn delay_has_a_tag_of_its_own() {
    let (simple, bronstein) = (Bonus::SimpleDelay(secs(5)), Bonus::Bronstein(secs(5)));
    check_clock(&[(None, 300, simple)], &[("TimeControl", "300+5d"), ("Delay", "simple")]);
    check_clock(&[(None, 300, bronstein)], &[("TimeControl", "300+5d"), ("Delay", "bronstein")]);
    let periods = [(Some(40), 6000, Bonus::None), (None, 900, simple)];
    check_clock(&periods, &[("TimeControl", "40/6000:900+5d"), ("Delay", "simple")]);
    let periods = [(Some(40), 6000, simple), (None, 900, bronstein)];
    check_clock(&periods, &[("TimeControl", "40/6000+5d:900+5d"), ("Delay", "simple:bronstein")]);
}

#[test]
fn unequal_clocks_have_tags_for_each_side() {
    let white = clock(&[(None, 300, Bonus::None)]);
    let black = clock(&[(None, 60, Bonus::Bronstein(secs(2)))]);
    check_tags(
        &TimeControl::Clock(ByColor { white, black }),
        &[("WhiteTimeControl", "300"), ("BlackTimeControl", "60+2d"), ("BlackDelay", "bronstein")],
    );
}

#[test]
fn correspondence_and_no_clock() {
    check_tags(&TimeControl::DaysPerMove { days: 3 }, &[("TimeControl", "1/259200")]);
    check_tags(&TimeControl::Unlimited, &[("TimeControl", "-")]);
    for days in 1..=TimeControl::DAYS_MAX {
        let control = TimeControl::DaysPerMove { days };
        let [(name, value)] = &pgn::time_control_tags(&control)[..] else { panic!("one tag") };
        assert_eq!(read(&with_tags(&[(*name, value)])).time_control(), Ok(control));
    }
}

#[track_caller]
fn check_ending(score: Score, reason: Reason, expected: &[(&str, &str)]) {
    let tags = pgn::ending_tags(Some(&Outcome { score, reason, proof: None }));
    let tags: Vec<_> = tags.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(tags, expected);
    let outcome = Outcome { score, reason, proof: None };
    let written = PgnGame { result: PgnResult::of(Some(&outcome)), ..with_tags(expected) };
    assert_eq!(read(&written).outcome(&Position::standard(), 1), outcome);
}

/// The game as it is read again.
fn read(game: &PgnGame) -> ImportedGame {
    let text = pgn::write(game);
    pgn::games(&text).next().expect("a game was written").expect("it can be read")
}

#[test]
fn termination_and_reason() {
    use Reason as R;
    for (score, reason, termination, exact) in [
        (Score::WhiteWins, R::FlagFall, "time forfeit", "flag fall"),
        (Score::Draw, R::FlagFall, "time forfeit", "flag fall"),
        (Score::BlackWins, R::Abandonment, "abandoned", "abandonment"),
        (Score::NoResult, R::Aborted, "unterminated", "aborted"),
        (Score::NoResult, R::FirstMoveLimit, "unterminated", "first-move limit"),
        (Score::NoResult, R::BothAway, "abandoned", "both players away"),
        (Score::Draw, R::Arbiter, "adjudication", "arbiter"),
        (Score::WhiteWins, R::Checkmate, "normal", "checkmate"),
        (Score::WhiteWins, R::Resignation, "normal", "resignation"),
        (Score::Draw, R::Stalemate, "normal", "stalemate"),
        (Score::Draw, R::DeadPosition, "normal", "dead position"),
        (Score::Draw, R::Agreement, "normal", "agreement"),
        (Score::Draw, R::ThreefoldRepetition, "normal", "threefold repetition"),
        (Score::Draw, R::FivefoldRepetition, "normal", "fivefold repetition"),
        (Score::Draw, R::FiftyMoves, "normal", "fifty moves"),
        (Score::Draw, R::SeventyFiveMoves, "normal", "seventy-five moves"),
    ] {
        check_ending(score, reason, &[("Termination", termination), ("Reason", exact)]);
    }
    assert_eq!(pgn::ending_tags(None), [("Termination", "unterminated".to_owned())]);
}

#[test]
fn scores_without_a_token_of_pgn_have_a_tag() {
    for (score, text) in
        [(Score::BothLose, "0-0"), (Score::HalfToWhite, "1/2-0"), (Score::HalfToBlack, "0-1/2")]
    {
        check_ending(
            score,
            Reason::Arbiter,
            &[("Termination", "adjudication"), ("Reason", "arbiter"), ("Score", text)],
        );
        assert_eq!(
            PgnResult::of(Some(&Outcome { score, reason: Reason::Arbiter, proof: None })),
            PgnResult::Unknown
        );
    }
    let outcome = |score| Outcome { score, reason: Reason::Arbiter, proof: None };
    assert_eq!(PgnResult::of(Some(&outcome(Score::WhiteWins))), PgnResult::WhiteWins);
    assert_eq!(PgnResult::of(Some(&outcome(Score::BlackWins))), PgnResult::BlackWins);
    assert_eq!(PgnResult::of(Some(&outcome(Score::Draw))), PgnResult::Draw);
    assert_eq!(PgnResult::of(Some(&outcome(Score::NoResult))), PgnResult::Unknown);
    assert_eq!(PgnResult::of(None), PgnResult::Unknown);
}

/// The periods of one side, of any kind that can be played.
fn periods() -> impl Strategy<Value = Vec<Period>> {
    let amount = |max: Micros| prop_oneof![0..=max.0 / 1_000_000, Just(1)].prop_map(Micros::from_secs);
    let bonus =
        (0..4_usize, amount(TimeControl::BONUS_MAX), 0_u64..1_000_000).prop_map(|(kind, amount, below)| {
            let amount = Micros((amount.0 + below).min(TimeControl::BONUS_MAX.0));
            [Bonus::None, Bonus::Increment(amount), Bonus::SimpleDelay(amount), Bonus::Bronstein(amount)]
                [kind]
        });
    let period = (1..=TimeControl::MOVES_MAX, amount(TimeControl::BASE_MAX), bonus)
        .prop_map(|(moves, base, bonus)| Period { moves: Some(moves), base, bonus });
    (prop::collection::vec(period, 1..=TimeControl::PERIODS_MAX), any::<bool>()).prop_map(
        |(mut periods, ends)| {
            let last = periods.last_mut().expect("there is one");
            last.moves = last.moves.filter(|_| !ends);
            periods
        },
    )
}

proptest! {
    #[test]
    fn time_controls_are_read_again(white in periods(), black in periods(), is_same in any::<bool>()) {
        let black = if is_same { white.clone() } else { black };
        let control = TimeControl::Clock(ByColor { white, black });
        let tags = pgn::time_control_tags(&control);
        // One move in a day is also a day for each move, which is read.
        prop_assume!(control.validate().is_ok() && tags[0].1 != "1/86400");
        let tags: Vec<_> = tags.iter().map(|(name, value)| (*name, value.as_str())).collect();
        prop_assert_eq!(read(&with_tags(&tags)).time_control(), Ok(control), "{:?}", tags);
    }

    #[test]
    fn what_is_written_is_read(
        playout in playouts(),
        name in any::<String>(),
        comment in any::<String>(),
        clock in any::<u64>(),
        result in prop::sample::select(vec![
            PgnResult::WhiteWins, PgnResult::BlackWins, PgnResult::Draw, PgnResult::Unknown,
        ]),
    ) {
        let mut moves: Vec<_> = playout.moves.iter().map(|&mv| PgnMove::new(mv)).collect();
        for played in moves.iter_mut().step_by(3) {
            played.comment = Some(comment.clone());
            played.clock = Some(Micros(clock));
        }
        let game = PgnGame {
            tags: vec![("White".to_owned(), name)],
            variant: playout.variant,
            start: playout.start,
            moves,
            result,
        };
        let text = pgn::write(&game);
        for line in moves_of(&text).lines() {
            prop_assert!(line.len() < 80);
        }
        let twice = text.repeat(2);
        let read: Vec<_> = pgn::games(&twice).collect();
        prop_assert_eq!(read.len(), 2);
        for read in read {
            let read = read.map_err(|error| TestCaseError::fail(format!("{error} in {text}")))?;
            prop_assert_eq!(&read.moves, &playout.moves);
            let in_tenths = |clock: Micros| Micros(clock.0 / 100_000 * 100_000);
            let written = game.moves.iter().map(|played| played.clock.map(in_tenths));
            prop_assert!(written.eq(read.clocks.iter().copied()), "{}", text);
            prop_assert_eq!((read.variant, read.start, read.result), (game.variant, game.start.clone(), result));
        }
    }
}

#[test]
fn the_number_goes_on_after_black() {
    let start = fen::parse("4k3/8/8/8/8/8/8/4K3 b - - 0 65535").unwrap();
    assert_eq!(start.side_to_move(), Color::Black);
    assert_eq!(moves_of(&pgn::write(&game(start, "Kd7 Kd2 Kd6"))), "65535... Kd7 65536. Kd2 Kd6 *\n");
}
