//! Tests of the terms that can be offered.

use std::sync::Arc;

use zeitnot_protocol::{ChallengeId, ClientMessage, PlayerView, WireColor, decode_client};
use zeitnot_rules::game::{IlcRule, Variant};

use super::*;
use crate::lobby::machine::Challenge;

fn wanted(fields: &str) -> CreateChallenge {
    let text = format!(r#"{{"t":"create_challenge","d":{{{fields}}}}}"#);
    match decode_client(&text) {
        Ok(ClientMessage::CreateChallenge(wanted)) => wanted,
        other => panic!("{text}: {other:?}"),
    }
}

const BLITZ: &str = r#""time_control":{"kind":"clock","periods":[{"base_ms":180000,"increment_ms":2000}]}"#;

fn terms(fields: &str) -> Result<Terms, TermsError> {
    Terms::read(wanted(&format!("{BLITZ},{fields}")))
}

#[track_caller]
fn check(fields: &str, expected: Code) {
    match Terms::read(wanted(fields)) {
        Err((code, text)) => {
            assert_eq!(code, expected, "{text}");
            assert!(!text.is_empty());
        }
        Ok(terms) => panic!("{terms:?}"),
    }
}

fn accounts() -> (Person, Person) {
    let name = "Rook".parse().ok();
    (Person::guest(AccountId::from_u128(1)), Person { name, ..Person::guest(AccountId::from_u128(2)) })
}

#[test]
fn time_controls_that_cannot_be_played() {
    check(r#""time_control":{"kind":"clock","periods":[]}"#, Code::BadTimeControl);
    check(r#""time_control":{"kind":"clock","periods":[{"base_ms":0}]}"#, Code::BadTimeControl);
    check(
        r#""time_control":{"kind":"clock","periods":[{"base_ms":1000,"increment_ms":1,"delay_ms":1}]}"#,
        Code::BadTimeControl,
    );
    check(r#""time_control":{"kind":"days","days":31}"#, Code::BadTimeControl);
}

#[test]
fn positions_that_no_game_can_start_from() {
    for fen in [
        "nonsense",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "7k/8/8/8/8/8/8/K7 w - - 0 1",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1",
    ] {
        check(&format!(r#"{BLITZ},"fen":"{fen}""#), Code::BadPosition);
    }
}

#[test]
fn options_that_do_not_go_together() {
    check(&format!(r#"{BLITZ},"options":{{"profile":"casual","ilc":"us14h"}}"#), Code::BadOptions);
    check(&format!(r#"{BLITZ},"options":{{"profile":"fide_board","ilc":"fide_iii4"}}"#), Code::BadOptions);
    check(&format!(r#"{BLITZ},"options":{{"no_draw_offer_before_move":30}}"#), Code::BadOptions);
    check(
        &format!(r#"{BLITZ},"options":{{"profile":"fide_board","no_draw_offer_before_move":70000}}"#),
        Code::BadOptions,
    );
}

#[test]
fn the_colour_that_was_asked_for() {
    let (challenger, accepter) = accounts();
    let entropy = Entropy::from_seed(1);
    for (color, white) in [("white", challenger), ("black", accepter)] {
        let setup =
            terms(&format!(r#""color":"{color}""#)).unwrap().setup(challenger, accepter, None, &entropy, 7);
        assert_eq!(setup.players.white, white.account.as_u128());
        assert_eq!(setup.names.white, white.name);
        assert_eq!(setup.names.white.is_some(), setup.names.black.is_none());
        assert_eq!(setup.began_unix_ms, 7);
        setup.validate().unwrap();
    }
}

#[test]
fn colours_by_lot_fall_on_both_sides() {
    let (challenger, accepter) = accounts();
    let (entropy, terms) =
        (Entropy::from_seed(2), terms(r#""to":"01935d2e-7f6b-7c3a-9a40-5b8c6d7e8f90""#).unwrap());
    let whites =
        (0..100).filter(|_| terms.setup(challenger, accepter, None, &entropy, 0).players.white == 1).count();
    assert!((30..=70).contains(&whites), "{whites} of 100");
}

#[test]
fn chess960_positions_by_lot_differ_and_a_given_one_stays() {
    let (challenger, accepter) = accounts();
    let entropy = Entropy::from_seed(3);
    let by_lot = terms(r#""variant":"chess960""#).unwrap();
    let setups = [0, 1].map(|_| by_lot.setup(challenger, accepter, None, &entropy, 0));
    assert_ne!(setups[0].start, setups[1].start);
    assert_eq!(setups[0].variant, Variant::Chess960);
    assert!(setups[0].by_lot);
    let given = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let given = terms(&format!(r#""variant":"chess960","fen":"{given}""#)).unwrap();
    let setup = given.setup(challenger, accepter, None, &entropy, 0);
    assert_eq!(setup.start.fullmove_number(), 9, "the counters are kept");
    assert!(!setup.by_lot);
    setup.validate().unwrap();
}

#[test]
fn the_rules_and_their_options() {
    let (challenger, accepter) = accounts();
    let read = Terms::read(wanted(
        r#""time_control":{"kind":"clock","periods":[{"base_ms":900000}]},"options":{"profile":"us_chess","ilc":"us14h"}"#,
    ));
    let setup = read.unwrap().setup(challenger, accepter, None, &Entropy::from_seed(4), 0);
    assert_eq!(setup.profile, Profile::us_chess().with_ilc(IlcRule::Us14H));
}

#[test]
fn it_is_shown_as_it_will_be_played() {
    let (by, to) = accounts();
    let terms =
        terms(r#""color":"black","fen":"4k3/8/8/8/8/8/4P3/4K3 w - -","options":{"profile":"casual"}"#)
            .unwrap();
    let challenge = Challenge {
        id: ChallengeId::from_random(5),
        owner: by,
        owner_rating: Some(ShownRating { rating: 1_623, provisional: true }),
        to: Some(to.account),
        seek: false,
        accepted_by: None,
        until: crate::time::ServiceInstant::NEVER,
        command: None,
        rematch_of: None,
        terms: Arc::new(terms),
    };
    let view = challenge.view("c1".parse().ok(), crate::time::ServiceInstant(0));
    assert_eq!(view.fen.as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    assert_eq!(view.color, Some(WireColor::Black));
    let shown = PlayerView { rating: Some(1_623), provisional: true, ..by.view() };
    assert_eq!((view.by, view.to), (shown, Some(to.account)));
    assert_eq!(view.id.unwrap().as_str(), "c1");
}

#[test]
fn what_cannot_be_rated_whoever_plays() {
    let rated = |fields: &str| check(&format!("{BLITZ},{fields},\"rated\":true"), Code::NotRated);
    rated(r#""fen":"4k3/8/8/8/8/8/4P3/4K3 w - -""#);
    rated(r#""options":{"profile":"casual"}"#);
    check(r#""time_control":{"kind":"unlimited"},"rated":true"#, Code::NotRated);
    let odds =
        r#""time_control":{"kind":"clock","periods":[{"base_ms":9000}],"black_periods":[{"base_ms":8000}]}"#;
    check(&format!("{odds},\"rated\":true"), Code::NotRated);
    for fields in [
        r#""rated":true"#,
        r#""rated":true,"variant":"chess960""#,
        r#""rated":true,"options":{"profile":"us_chess"}"#,
    ] {
        let (challenger, accepter) = accounts();
        let setup = terms(fields).unwrap().setup(challenger, accepter, None, &Entropy::from_seed(1), 0);
        assert!(setup.rated, "{fields}");
    }
}

#[test]
fn a_range_of_ratings_goes_with_a_seek_and_holds_somebody() {
    check(&format!("{BLITZ},\"rating_min\":1500"), Code::BadOptions);
    check(&format!(r#"{BLITZ},"seek":true,"rating_min":1500,"rating_max":1499"#), Code::BadOptions);
    let terms = terms(r#""seek":true,"rating_min":1500,"rating_max":1600"#).unwrap();
    let is_in = |rating| terms.is_in_range(ShownRating { rating, provisional: false });
    assert_eq!([1_499, 1_500, 1_600, 1_601].map(is_in), [false, true, true, false]);
    assert!(terms.has_range());
}

#[test]
fn a_rated_game_is_between_two_people_or_two_bots() {
    let of = |kind| Person { kind, ..Person::guest(AccountId::from_u128(1)) };
    let may = |one, other| may_be_rated(of(one), of(other)).is_ok();
    assert!(may(Kind::Registered, Kind::Registered) && may(Kind::Bot, Kind::Bot));
    for (one, other) in [
        (Kind::Guest, Kind::Guest),
        (Kind::Guest, Kind::Registered),
        (Kind::Registered, Kind::Bot),
        (Kind::Bot, Kind::Guest),
    ] {
        assert!(!may(one, other) && !may(other, one), "{one:?} and {other:?}");
    }
}
