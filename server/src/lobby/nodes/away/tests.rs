//! A node without the lobby: what it awaits and has shown, without any node that has it.

use zeitnot_protocol::{ChallengeGone, Code, CreateChallenge, OkAnswer, Rejected, TimeControl, Waiting};

use super::*;
use crate::accounts::Person;
use crate::lobby::machine::Challenge;
use crate::time::ServiceInstant;

const ALICE: AccountId = AccountId::from_u128(1);
const TAB: ConnectionId = ConnectionId(7);

fn id(text: &str) -> CommandId {
    text.parse().unwrap()
}

fn challenge(number: u128) -> ChallengeId {
    ChallengeId::from_random(number)
}

fn request(own: Option<&str>) -> Request {
    let address = std::net::IpAddr::from([192, 0, 2, 1]).into();
    let (by, id) = (Person::guest(ALICE), own.map(id));
    Request { connection: TAB, address, by, rating: None, id, game: None }
}

fn ok(of: &str) -> ServerMessage {
    ServerMessage::Ok(OkAnswer { id: Some(id(of)), game: None, seq: None })
}

fn shown(number: u128) -> ServerMessage {
    let wanted = CreateChallenge::with(TimeControl::Unlimited);
    let made = Challenge::new(challenge(number), Person::guest(ALICE), wanted, None).unwrap();
    ServerMessage::Challenge(made.view(None, ServiceInstant::default()))
}

#[test]
fn an_answer_has_the_id_that_the_client_gave_or_none() {
    let mut away = Away::default();
    assert!(away.hand_on(request(None), id("ours")) && away.hand_on(request(Some("its")), id("its")));
    let mut answer = ok("ours");
    away.answers(TAB, &mut answer);
    assert_eq!(answer, ServerMessage::Ok(OkAnswer { id: None, game: None, seq: None }));
    let rejected = |own| {
        let (code, message) = (Code::Unavailable, String::new());
        ServerMessage::Rejected(Rejected { id: Some(id(own)), game: None, code, message })
    };
    let mut answer = rejected("its");
    away.answers(TAB, &mut answer);
    assert_eq!(answer, rejected("its"));
    assert_eq!(away.lose(), [], "both are answered");
}

#[test]
fn a_connection_waits_for_so_many_answers_at_most() {
    let mut away = Away::default();
    for number in 0..OPEN_MAX {
        assert!(away.hand_on(request(None), id(&number.to_string())));
    }
    assert!(!away.hand_on(request(None), id("more")));
    assert!(away.answered(TAB, id("3")).is_some());
    assert!(away.hand_on(request(None), id("more")));
    assert_eq!(away.lose().len(), OPEN_MAX, "none is answered when the lobby is lost");
    assert_eq!(away.lose(), []);
}

#[test]
fn what_the_next_lobby_does_not_tell_again_is_gone() {
    let mut away = Away::default();
    for number in [1, 2, 3] {
        away.shows(None, &shown(number), |_| true);
    }
    let gone = ChallengeGone { challenge: challenge(3), game: None, declined: None };
    away.shows(Some(ALICE), &ServerMessage::ChallengeGone(gone), |_| true);
    assert_eq!(away.begin().0, []);
    away.shows(None, &shown(2), |_| true);
    let (gone, unsure) = away.has_told_all();
    assert_eq!(gone, [(ALICE, challenge(1))]);
    assert!(unsure.contains(&ALICE), "it may have become a game");
    assert_eq!(away.has_told_all().0, [], "that is told once");
}

const BLITZ: PoolId = PoolId::ThreePlusTwo;

/// Sessions of the account were told that it waits.
fn waiting(pool: Option<PoolId>) -> Away {
    let mut away = Away::default();
    away.shows(Some(ALICE), &ServerMessage::Waiting(Waiting { pool, game: None }), |_| true);
    away
}

#[test]
fn a_place_in_a_pool_is_lost_with_the_lobby_unless_it_was_given_up() {
    assert_eq!(waiting(Some(BLITZ)).begin(), (vec![ALICE], 1));
    assert_eq!(waiting(None).begin(), (vec![], 1));
    let mut away = waiting(Some(BLITZ));
    away.left(ALICE);
    assert_eq!(away.begin(), (vec![], 1), "nobody waits who has left");
}

#[test]
fn a_lost_place_is_asked_for_until_it_is_told_where_the_account_waits() {
    let mut away = waiting(Some(BLITZ));
    assert_eq!(away.lost(ALICE, 0), None, "it is not lost");
    away.begin();
    assert_eq!(away.lost(ALICE, 1), Some(WantedPlace(Some(BLITZ))));
    assert_eq!(away.begin(), (vec![ALICE], 2), "nobody has answered");
    assert_eq!(away.lost(ALICE, 1), None, "what was read for the lobby before counts no more");
    assert_eq!(away.lost(ALICE, 2), Some(WantedPlace(Some(BLITZ))));
    away.waits(ALICE, Some(BLITZ));
    assert_eq!(away.lost(ALICE, 2), None);
    assert_eq!(away.begin(), (vec![ALICE], 3));
    away.waits(ALICE, None);
    assert_eq!((away.lost(ALICE, 3), away.begin()), (None, (vec![], 4)));
}

#[test]
fn what_is_decided_meanwhile_goes_before_a_lost_place_and_is_asked_for() {
    let mut away = waiting(Some(BLITZ));
    away.settle(ALICE);
    away.begin();
    assert_eq!(away.lost(ALICE, 1), Some(WantedPlace(Some(BLITZ))), "the command was for the lobby before");
    away.settle(ALICE);
    assert_eq!(away.lost(ALICE, 1), Some(WantedPlace(None)));
    assert_eq!(away.begin(), (vec![ALICE], 2), "its sessions are still to be told");
}

#[test]
fn a_place_ends_with_the_next_game_though_its_end_is_not_told() {
    let mut away = waiting(Some(BLITZ));
    away.plays(ALICE);
    assert_eq!(away.begin(), (vec![ALICE], 1));
    assert_eq!(away.lost(ALICE, 1), Some(WantedPlace(None)));
    let mut away = waiting(None);
    away.plays(ALICE);
    assert_eq!(away.begin(), (vec![], 1));
}
