//! The values of the wire and of the rules mean the same.

use proptest::prelude::*;
use zeitnot_protocol::{
    AdjustmentCause, ByColor, Code, DrawOrWin, GameOptions, NotOnTheWire, OutcomeView, Period, San,
    TimeControl, TimeControlRejection, Uci, WireBonus, WireColor, WireIlc, WireProfile, WireProof,
    WireReason, WireScore, WireVariant,
};
use zeitnot_rules::board::{self, Color};
use zeitnot_rules::game::{
    self, Bonus, Micros, Profile, ProfileError, ProfileName, Rejection, TimeControlError,
};
use zeitnot_rules::notation::{fen, san, uci};
use zeitnot_rules::verdict::{Outcome, Proof, Reason, Score};

use crate::arbitrary::{options, time_control};

fn wire(json: &str) -> TimeControl {
    serde_json::from_str(json).expect(json)
}

fn rules(json: &str) -> Result<game::TimeControl, TimeControlRejection> {
    (&wire(json)).try_into()
}

#[test]
fn clocks_mean_what_they_say() {
    let control = rules(
        r#"{"kind":"clock","periods":[{"moves":40,"base_ms":6000000,"increment_ms":30000},{"base_ms":900000}],
            "black_periods":[{"base_ms":300000,"delay_ms":5000}]}"#,
    );
    let minutes = |minutes: u64| Micros::from_secs(60 * minutes);
    let white = vec![
        game::Period { moves: Some(40), base: minutes(100), bonus: Bonus::Increment(Micros::from_secs(30)) },
        game::Period { moves: None, base: minutes(15), bonus: Bonus::None },
    ];
    let black =
        vec![game::Period { moves: None, base: minutes(5), bonus: Bonus::SimpleDelay(Micros::from_secs(5)) }];
    assert_eq!(control, Ok(game::TimeControl::Clock(board::ByColor { white, black })));
    assert_eq!(rules(r#"{"kind":"days","days":3}"#), Ok(game::TimeControl::DaysPerMove { days: 3 }));
    assert_eq!(rules(r#"{"kind":"unlimited"}"#), Ok(game::TimeControl::Unlimited));
}

#[test]
fn clocks_that_cannot_be_played() {
    use TimeControlRejection::{Rules, TwoBonuses};

    let period = |period: &str| format!(r#"{{"kind":"clock","periods":[{period}]}}"#);
    let cases = [
        (period(r#"{"base_ms":1000,"increment_ms":1,"delay_ms":1}"#), TwoBonuses),
        (period(r#"{"base_ms":1000,"increment_ms":0,"bronstein_ms":0}"#), TwoBonuses),
        (period(r#"{"base_ms":0,"increment_ms":1000}"#), Rules(TimeControlError::Base)),
        (period(r#"{"base_ms":86400001}"#), Rules(TimeControlError::Base)),
        (period(r#"{"base_ms":1000,"delay_ms":3600001}"#), Rules(TimeControlError::Bonus)),
        (period(r#"{"base_ms":1000,"moves":0}"#), Rules(TimeControlError::Moves)),
        (period(r#"{"base_ms":1000,"moves":201}"#), Rules(TimeControlError::Moves)),
        (period(r#"{"base_ms":1000,"moves":65537}"#), Rules(TimeControlError::Moves)),
        (period(r#"{"base_ms":1000},{"base_ms":1000}"#), Rules(TimeControlError::Moves)),
        (period(""), Rules(TimeControlError::PeriodCount)),
        (
            r#"{"kind":"clock","periods":[{"base_ms":1}],"black_periods":[]}"#.to_owned(),
            Rules(TimeControlError::PeriodCount),
        ),
        (r#"{"kind":"days","days":0}"#.to_owned(), Rules(TimeControlError::Days)),
        (r#"{"kind":"days","days":31}"#.to_owned(), Rules(TimeControlError::Days)),
        (r#"{"kind":"days","days":257}"#.to_owned(), Rules(TimeControlError::Days)),
    ];
    for (json, rejection) in cases {
        assert_eq!(rules(&json), Err(rejection), "{json}");
        assert_eq!(Code::from(rejection), Code::BadTimeControl);
        assert_ne!(rejection.to_string(), "");
    }
}

/// An increment or delay of 0 gives nothing and comes back as none; so do Black's periods that are
/// White's.
fn plain(control: &TimeControl) -> TimeControl {
    let plain_period = |period: &Period| Period {
        increment_ms: period.increment_ms.filter(|&ms| ms > 0),
        delay_ms: period.delay_ms.filter(|&ms| ms > 0),
        bronstein_ms: period.bronstein_ms.filter(|&ms| ms > 0),
        ..*period
    };
    match control {
        TimeControl::Clock { periods, black_periods } => {
            let white: Vec<_> = periods.iter().map(plain_period).collect();
            let black = black_periods.as_ref().map(|black| black.iter().map(plain_period).collect());
            TimeControl::Clock { black_periods: black.filter(|black| *black != white), periods: white }
        }
        other => other.clone(),
    }
}

/// Clocks most of which can be played: `time_control` draws mostly impossible ones.
fn playable() -> impl Strategy<Value = TimeControl> {
    let bonus = (0..4_u8, prop_oneof![Just(0), 1..=3_600_000_u32]).prop_map(|(kind, ms)| {
        let none = WireBonus::default();
        match kind {
            0 => none,
            1 => WireBonus { increment_ms: Some(ms), ..none },
            2 => WireBonus { delay_ms: Some(ms), ..none },
            _ => WireBonus { bronstein_ms: Some(ms), ..none },
        }
    });
    let period = (1..=200_u32, 1..=86_400_000_u32, bonus).prop_map(|(moves, base_ms, bonus)| {
        let WireBonus { increment_ms, delay_ms, bronstein_ms } = bonus;
        Period { moves: Some(moves), base_ms, increment_ms, delay_ms, bronstein_ms }
    });
    let periods = prop::collection::vec(period, 1..=8);
    let clock = (periods.clone(), prop::option::of(periods))
        .prop_map(|(periods, black_periods)| TimeControl::Clock { periods, black_periods });
    prop_oneof![4 => clock, 1 => (1..=30_u32).prop_map(|days| TimeControl::Days { days })]
}

proptest! {
    #[test]
    fn playable_clocks_come_back(control in playable()) {
        let rules = game::TimeControl::try_from(&control);
        prop_assert!(rules.is_ok(), "{:?}", rules);
        prop_assert_eq!(TimeControl::try_from(&rules.unwrap()), Ok(plain(&control)));
    }

    #[test]
    fn whatever_is_accepted_comes_back(control in time_control()) {
        if let Ok(rules) = game::TimeControl::try_from(&control) {
            prop_assert_eq!(rules.validate(), Ok(()));
            prop_assert_eq!(TimeControl::try_from(&rules), Ok(plain(&control)));
        }
    }

    #[test]
    fn options_that_are_accepted_come_back(options in options()) {
        if let Ok(profile) = Profile::try_from(options) {
            prop_assert_eq!(profile.validate(), Ok(()));
            prop_assert_eq!(GameOptions::from(&profile), options);
        }
    }
}

#[test]
fn microseconds_are_not_on_the_wire() {
    let control = game::TimeControl::fischer(Micros(1_000_001), Micros(0));
    assert_eq!(TimeControl::try_from(&control), Err(NotOnTheWire(Micros(1_000_001))));
    let long = Micros(u64::from(u32::MAX) * 1000 + 1000);
    assert_eq!(WireBonus::try_from(Bonus::Increment(long)), Err(NotOnTheWire(long)));
}

#[test]
fn options_become_profiles() {
    let options = |json: &str| serde_json::from_str::<GameOptions>(json).expect(json);
    assert_eq!(Profile::try_from(options("{}")), Ok(Profile::fide_online()));
    assert_eq!(Profile::try_from(options(r#"{"profile":"casual"}"#)), Ok(Profile::casual()));
    let board = options(r#"{"profile":"fide_board","no_draw_offer_before_move":30}"#);
    assert_eq!(Profile::try_from(board), Ok(Profile::fide_board().with_no_draw_offer_before_move(30)));
    let cases = [
        (r#"{"no_draw_offer_before_move":30}"#, ProfileError::DrawOfferMoveNotInProfile),
        (r#"{"profile":"fide_board","no_draw_offer_before_move":201}"#, ProfileError::DrawOfferMove),
        (r#"{"profile":"fide_board","no_draw_offer_before_move":65536}"#, ProfileError::DrawOfferMove),
        (r#"{"ilc":"us14h"}"#, ProfileError::IlcNotInProfile),
        (r#"{"profile":"us_chess","ilc":"fide_iii4"}"#, ProfileError::IlcNotInProfile),
    ];
    for (json, error) in cases {
        assert_eq!(Profile::try_from(options(json)), Err(error), "{json}");
        assert_eq!(Code::from(error), Code::BadOptions);
    }
}

/// `rules` becomes `wire`, is written as `text`, and comes back.
#[track_caller]
fn same<R, W>(rules: &R, wire: &W, text: &str)
where
    R: Clone + PartialEq + std::fmt::Debug + From<W>,
    W: Clone + PartialEq + std::fmt::Debug + From<R> + serde::Serialize,
{
    assert_eq!(serde_json::to_string(wire).expect("plain values"), text);
    assert_eq!(W::from(rules.clone()), *wire);
    assert_eq!(R::from(wire.clone()), *rules);
}

#[test]
fn names() {
    same(&Color::White, &WireColor::White, r#""white""#);
    same(&Color::Black, &WireColor::Black, r#""black""#);
    same(&game::Variant::Chess960, &WireVariant::Chess960, r#""chess960""#);
    same(&game::AbsenceWish::Draw, &DrawOrWin::Draw, r#""draw""#);
    same(&game::IlcRule::FideIii4, &WireIlc::FideIii4, r#""fide_iii4""#);
    same(&game::IlcRule::Us14H, &WireIlc::Us14h, r#""us14h""#);
    same(&ProfileName::FideOnline, &WireProfile::FideOnline, r#""fide_online""#);
    same(&ProfileName::UsChess, &WireProfile::UsChess, r#""us_chess""#);
    same(&Score::WhiteWins, &WireScore::WhiteWins, r#""1-0""#);
    same(&Score::Draw, &WireScore::Draw, r#""1/2-1/2""#);
    same(&Score::HalfToBlack, &WireScore::HalfToBlack, r#""0-1/2""#);
    same(&Score::NoResult, &WireScore::NoResult, r#""*""#);
    same(&Reason::SeventyFiveMoves, &WireReason::SeventyFiveMoves, r#""seventy_five_moves""#);
    for (proof, wire, text) in [
        (Proof::Material, WireProof::Material, r#""material""#),
        (Proof::Static, WireProof::Static, r#""static""#),
        (
            Proof::Exhaustive { positions: 7 },
            WireProof::Exhaustive { positions: 7 },
            r#"{"exhaustive":{"positions":7}}"#,
        ),
    ] {
        assert_eq!(serde_json::to_string(&wire).expect("plain values"), text);
        assert_eq!(WireProof::of(&proof, &board::Position::standard(), game::Variant::Standard), wire);
    }
    same(
        &game::AdjustmentCause::WrongClaim { by: Color::Black },
        &AdjustmentCause::WrongClaim { by: WireColor::Black },
        r#"{"kind":"wrong_claim","by":"black"}"#,
    );
    same(&game::AdjustmentCause::Arbiter, &AdjustmentCause::Arbiter, r#"{"kind":"arbiter"}"#);
}

#[test]
fn outcomes_are_written() {
    let outcome = Outcome { score: Score::Draw, reason: Reason::FlagFall, proof: Some(Proof::Material) };
    let view = OutcomeView::of(&outcome, &board::Position::standard(), game::Variant::Standard);
    let text = r#"{"score":"1/2-1/2","reason":"flag_fall","proof":"material"}"#;
    assert_eq!(serde_json::to_string(&view).expect("plain values"), text);
    let sides: ByColor<WireColor> = board::ByColor { white: Color::White, black: Color::Black }.into();
    assert_eq!(sides, ByColor { white: WireColor::White, black: WireColor::Black });
}

/// A line is written from the position on the board, each move as the variant writes it.
#[test]
fn a_line_to_checkmate_is_written_move_by_move() {
    let start = zeitnot_rules::notation::fen::parse("8/8/8/8/8/6k1/8/4K2R w K - 0 1").expect("a position");
    let read = |text: &str, position: &board::Position, variant| {
        zeitnot_rules::notation::uci::parse(text, position, variant).expect("a legal move")
    };
    let castles = read("e1g1", &start, game::Variant::Standard);
    let mut after = start.clone();
    after.play_unchecked(castles);
    let line = vec![castles, read("g3h3", &after, game::Variant::Standard)];
    let proof = Proof::Helpmate { line };
    let text =
        |variant| serde_json::to_string(&WireProof::of(&proof, &start, variant)).expect("plain values");
    assert_eq!(text(game::Variant::Standard), r#"{"helpmate":["e1g1","g3h3"]}"#);
    assert_eq!(text(game::Variant::Chess960), r#"{"helpmate":["e1h1","g3h3"]}"#);
}

/// A rejection of the rules is written as its own name: no two share a code.
#[test]
fn rejections_keep_their_names() {
    for rejection in [
        Rejection::GameOver,
        Rejection::NotYourTurn,
        Rejection::IllegalMove,
        Rejection::Stale,
        Rejection::TimeIsUp,
        Rejection::NoOffer,
        Rejection::AlreadyOffered,
        Rejection::OfferTooEarly,
        Rejection::BothMustMove,
        Rejection::NotInProfile,
        Rejection::AlreadyClaimed,
        Rejection::TooLateToAbort,
        Rejection::NotAbsent,
        Rejection::NothingToTakeBack,
        Rejection::BadAmount,
        Rejection::IlcNotPossible,
        Rejection::TooManyOffers,
        Rejection::NothingDue,
    ] {
        let words = Code::from(rejection).as_str().replace('_', "");
        assert_eq!(words, format!("{rejection:?}").to_lowercase());
    }
}

/// Every move of a game with castling, en passant and promotion, as the rules write it.
#[test]
fn moves_are_written_alike() {
    let start = "r3k2r/1P4P1/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1";
    let position = fen::parse(start).expect(start);
    let moves = position.legal_moves();
    assert!(moves.len() > 40);
    for mv in moves {
        for variant in [game::Variant::Standard, game::Variant::Chess960] {
            let text = uci::write(mv, &position, variant);
            assert_eq!(Uci::from(text).as_str(), text.as_str());
        }
        let text = san::write(mv, &position);
        assert_eq!(San::from(text).as_str(), text.as_str());
    }
}
