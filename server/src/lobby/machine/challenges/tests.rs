//! Tests of the challenges' lists and limits.

use std::sync::Arc;

use zeitnot_protocol::{CommandId, CreateChallenge, Period, TimeControl};

use super::*;
use crate::accounts::Person;
use crate::lobby::terms::Terms;

const PLENTY: fn(AccountId) -> usize = |_| 64;

fn account(number: u128) -> AccountId {
    AccountId::from_u128(number)
}

fn id(number: u128) -> ChallengeId {
    ChallengeId::from_random(number)
}

fn challenge(number: u128, by: u128, to: Option<u128>) -> Challenge {
    let wanted = CreateChallenge::with(TimeControl::Unlimited);
    Challenge {
        id: id(number),
        owner: Person::guest(account(by)),
        owner_rating: None,
        to: to.map(account),
        seek: false,
        accepted_by: None,
        until: ServiceInstant::NEVER,
        command: None,
        rematch_of: None,
        terms: Arc::new(Terms::read(wanted).unwrap()),
    }
}

fn seek(number: u128, by: u128) -> Challenge {
    Challenge { seek: true, ..challenge(number, by, None) }
}

/// `by` accepts a challenge whose owner is here, and its game is being started.
fn accept(
    lobby: &mut Challenges,
    id: ChallengeId,
    by: AccountId,
    at: ServiceInstant,
    games_left: impl Fn(AccountId) -> usize,
) -> Result<Challenge, Code> {
    let challenge = lobby.acceptable(id, by, at)?.clone();
    lobby.begin(&challenge, by, games_left)?;
    Ok(challenge)
}

fn listed(lobby: &Challenges) -> Vec<ChallengeId> {
    lobby.newest_seeks().map(|challenge| challenge.id).collect()
}

fn lobby() -> Challenges {
    Challenges::new(Limits { challenges_per_account: 3, seeks_per_account: 2, ..Limits::STANDARD })
}

fn with(challenges: &[Challenge]) -> Challenges {
    let mut lobby = lobby();
    for challenge in challenges {
        lobby.add(challenge.clone()).unwrap();
    }
    lobby
}

fn address(number: u8) -> Address {
    std::net::IpAddr::from([10, 0, 0, number]).into()
}

fn at(seconds: u64) -> ServiceInstant {
    ServiceInstant(seconds * 1_000_000)
}

#[test]
fn an_open_challenge_is_for_anybody_but_its_owner() {
    let mut lobby = with(&[challenge(1, 10, None)]);
    assert_eq!(accept(&mut lobby, id(1), account(10), at(100), PLENTY), Err(Code::OwnChallenge));
    assert_eq!(accept(&mut lobby, id(1), account(11), at(100), PLENTY), Ok(challenge(1, 10, None)));
}

#[test]
fn an_addressed_one_is_for_one() {
    let mut lobby = with(&[challenge(1, 10, Some(11))]);
    assert_eq!(accept(&mut lobby, id(1), account(12), at(100), PLENTY), Err(Code::NotForYou));
    assert!(accept(&mut lobby, id(1), account(11), at(100), PLENTY).is_ok());
}

#[test]
fn only_the_addressee_declines() {
    let mut lobby = with(&[challenge(1, 10, Some(11)), challenge(2, 10, None)]);
    assert_eq!(lobby.decline(id(1), account(10)), Err(Code::NotForYou));
    assert_eq!(lobby.decline(id(1), account(12)), Err(Code::NotForYou));
    assert_eq!(lobby.decline(id(2), account(11)), Err(Code::NotForYou), "it is for anybody");
    assert_eq!(lobby.decline(id(1), account(11)), Ok(challenge(1, 10, Some(11))));
    assert_eq!(lobby.decline(id(1), account(11)), Err(Code::UnknownChallenge));
    assert_eq!(lobby.concerning(account(11)).count(), 0);
    lobby.add(challenge(3, 10, Some(11))).unwrap();
    accept(&mut lobby, id(3), account(11), at(100), PLENTY).unwrap();
    assert_eq!(lobby.decline(id(3), account(11)), Err(Code::UnknownChallenge), "it is being played");
}

#[test]
fn what_was_made_before_is_found_by_its_command_or_its_game() {
    let command = |text: &str| Some(text.parse::<CommandId>().unwrap());
    let game = GameId::from_random(5);
    let mut lobby = with(&[
        Challenge { command: command("c1"), ..challenge(1, 10, None) },
        Challenge { rematch_of: Some(game), command: command("r1"), ..challenge(2, 10, Some(11)) },
        challenge(3, 10, None),
    ]);
    let before = |lobby: &Challenges, wanted: Challenge| lobby.made_before(&wanted);
    let again = Challenge { command: command("c1"), ..challenge(9, 10, None) };
    assert_eq!(before(&lobby, again.clone()), Some(id(1)));
    assert_eq!(
        before(&lobby, Challenge { owner: Person::guest(account(12)), ..again.clone() }),
        None,
        "somebody else's id"
    );
    assert_eq!(before(&lobby, challenge(9, 10, None)), None, "nothing is known by no id");
    let rematch = Challenge { rematch_of: Some(game), command: command("r2"), ..challenge(9, 10, Some(11)) };
    assert_eq!(before(&lobby, rematch), Some(id(2)));
    assert_eq!(lobby.rematch(game, account(10)), Some(id(2)));
    assert_eq!(lobby.rematch(game, account(11)), None);
    accept(&mut lobby, id(1), account(12), at(100), PLENTY).unwrap();
    assert_eq!(before(&lobby, again.clone()), Some(id(1)), "also while it is being played");
    lobby.played(id(1));
    assert_eq!(before(&lobby, again), None);
}

#[test]
fn a_new_name_is_seen_on_what_is_open() {
    let mut lobby = with(&[challenge(1, 10, Some(11)), challenge(2, 11, None)]);
    for (number, name) in [(10, "Rook"), (12, "Bishop")] {
        lobby.changed(Person { name: name.parse().ok(), ..Person::guest(account(number)) });
    }
    let names =
        lobby.concerning(account(11)).map(|challenge| challenge.owner.name.map(|name| name.to_string()));
    assert_eq!(names.collect::<Vec<_>>(), [None, Some("Rook".to_owned())]);
}

#[test]
fn nobody_challenges_oneself() {
    assert_eq!(lobby().add(challenge(1, 10, Some(10))), Err(Code::OwnChallenge));
}

#[test]
fn it_is_accepted_once() {
    let mut lobby = with(&[challenge(1, 10, None)]);
    accept(&mut lobby, id(1), account(11), at(100), PLENTY).unwrap();
    assert_eq!(accept(&mut lobby, id(1), account(12), at(100), PLENTY), Err(Code::UnknownChallenge));
    assert_eq!(lobby.cancel(id(1), account(10)), Err(Code::UnknownChallenge));
    lobby.played(id(1));
    assert_eq!(accept(&mut lobby, id(1), account(12), at(100), PLENTY), Err(Code::UnknownChallenge));
    assert!(lobby.accounts.is_empty(), "nothing is kept of it");
}

#[test]
fn one_that_could_not_be_played_is_open_again() {
    let mut lobby = with(&[challenge(1, 10, None)]);
    accept(&mut lobby, id(1), account(11), at(100), PLENTY).unwrap();
    lobby.reopen(id(1));
    assert!(accept(&mut lobby, id(1), account(12), at(100), PLENTY).is_ok());
}

#[test]
fn only_its_owner_cancels_it() {
    let mut lobby = with(&[challenge(1, 10, Some(11))]);
    assert_eq!(lobby.cancel(id(2), account(10)), Err(Code::UnknownChallenge));
    assert_eq!(lobby.cancel(id(1), account(11)), Err(Code::NotForYou));
    assert_eq!(lobby.cancel(id(1), account(10)), Ok(challenge(1, 10, Some(11))));
    assert_eq!(lobby.len(), 0);
    assert!(lobby.accounts.is_empty(), "nothing is kept of it");
}

#[test]
fn an_account_lists_only_so_many() {
    let mut lobby = lobby();
    lobby.add(seek(1, 10)).unwrap();
    lobby.add(challenge(2, 10, None)).unwrap();
    lobby.add(seek(3, 10)).unwrap();
    lobby.cancel(id(2), account(10)).unwrap();
    assert_eq!(lobby.add(seek(4, 10)), Err(Code::TooManyChallenges));
    lobby.add(challenge(5, 10, None)).unwrap();
    lobby.add(seek(6, 11)).unwrap();
    lobby.cancel(id(5), account(10)).unwrap();
    lobby.cancel(id(3), account(10)).unwrap();
    lobby.add(seek(7, 10)).unwrap();
}

#[test]
fn an_account_has_only_so_many_from_it_and_to_it() {
    let mut lobby = with(&[challenge(1, 10, None), challenge(2, 10, None), challenge(3, 10, None)]);
    assert_eq!(lobby.add(challenge(4, 10, None)), Err(Code::TooManyChallenges));
    for number in 5..8 {
        lobby.add(challenge(number, number, Some(20))).unwrap();
    }
    assert_eq!(lobby.add(challenge(8, 8, Some(20))), Err(Code::TooManyChallenges));
    lobby.cancel(id(1), account(10)).unwrap();
    lobby.add(challenge(4, 10, None)).unwrap();
}

#[test]
fn an_account_has_one_open_for_another() {
    let mut lobby =
        with(&[challenge(1, 10, Some(11)), challenge(2, 11, Some(10)), challenge(3, 12, Some(11))]);
    assert_eq!(lobby.add(challenge(4, 10, Some(11))), Err(Code::AlreadyChallenged));
    lobby.add(challenge(4, 10, None)).unwrap();
    lobby.decline(id(1), account(11)).unwrap();
    lobby.add(challenge(5, 10, Some(11))).unwrap();
    accept(&mut lobby, id(5), account(11), at(100), PLENTY).unwrap();
    assert_eq!(lobby.add(challenge(6, 10, Some(11))), Err(Code::AlreadyChallenged), "it may be open again");
}

#[test]
fn challenges_are_made_at_a_rate_and_what_a_limit_rejects_costs_nothing() {
    let limits = Limits {
        challenges_per_account_per_minute: 3,
        challenges_per_pair_per_minute: 1,
        ..Limits::STANDARD
    };
    let mut lobby = Challenges::new(limits);
    let make = |lobby: &mut Challenges, challenge: Challenge, ms: u64| {
        let made = lobby.make(challenge.clone(), address(1), ServiceInstant(ms * 1_000));
        made.map(|()| lobby.cancel(challenge.id, challenge.owner.account).unwrap()).err()
    };
    assert_eq!(make(&mut lobby, challenge(1, 10, Some(11)), 0), None);
    assert_eq!(make(&mut lobby, challenge(2, 10, Some(11)), 59_999), Some(Code::TooFast));
    assert_eq!(make(&mut lobby, challenge(3, 11, Some(10)), 59_999), None, "the other way is another pair");
    for _ in 0..9 {
        assert_eq!(make(&mut lobby, challenge(4, 10, Some(10)), 59_999), Some(Code::OwnChallenge));
    }
    for number in 5..8 {
        assert_eq!(make(&mut lobby, seek(number, 10), 59_999), None);
    }
    assert_eq!(make(&mut lobby, seek(8, 10), 60_000), Some(Code::TooFast));
    assert_eq!(make(&mut lobby, seek(8, 12), 60_000), None);
    assert_eq!(make(&mut lobby, seek(8, 10), 79_999), None);
}

#[test]
fn an_account_is_told_of_its_own_challenges_and_of_those_addressed_to_it() {
    let mut lobby = with(&[
        challenge(1, 10, None),
        challenge(2, 11, Some(10)),
        challenge(3, 10, Some(12)),
        challenge(4, 11, None),
    ]);
    let ids =
        |lobby: &Challenges| lobby.concerning(account(10)).map(|challenge| challenge.id).collect::<Vec<_>>();
    assert_eq!(ids(&lobby), [id(1), id(3), id(2)]);
    accept(&mut lobby, id(1), account(11), at(100), PLENTY).unwrap();
    assert_eq!(ids(&lobby), [id(1), id(3), id(2)], "the game of one that is being accepted may not begin");
}

fn until(number: u128, seconds: u64) -> Challenge {
    Challenge { until: at(seconds), ..challenge(number, 10 + number, None) }
}

#[test]
fn it_ends_when_its_time_comes() {
    let mut lobby = with(&[until(1, 100), until(2, 101)]);
    assert!(lobby.begin_sweeps());
    assert!(!lobby.begin_sweeps(), "one at a time");
    assert_eq!(lobby.sweep(at(99)), []);
    assert_eq!(lobby.sweep(at(100)), [until(1, 100)]);
    assert!(lobby.begin_sweeps(), "one is left");
    assert_eq!(lobby.sweep(at(500)), [until(2, 101)]);
    assert!(!lobby.begin_sweeps(), "nothing is left");
}

#[test]
fn it_ends_before_it_is_swept() {
    let mut lobby = with(&[until(1, 100)]);
    assert_eq!(accept(&mut lobby, id(1), account(20), at(100), PLENTY), Err(Code::ChallengeExpired));
    accept(&mut lobby, id(1), account(20), at(99), PLENTY).unwrap();
}

#[test]
fn one_that_is_being_accepted_is_not_swept_and_one_that_is_put_back_is() {
    let mut lobby = with(&[until(1, 100)]);
    accept(&mut lobby, id(1), account(20), at(99), PLENTY).unwrap();
    assert_eq!(lobby.sweep(at(200)), []);
    lobby.reopen(id(1));
    assert_eq!(lobby.sweep(at(200)).len(), 1);
}

#[test]
fn a_sweep_ends_only_so_many() {
    let mut lobby = lobby();
    for number in 0..=SWEPT_MAX as u128 {
        lobby.add(until(number, 100)).unwrap();
    }
    assert_eq!(lobby.sweep(at(100)).len(), SWEPT_MAX);
    assert_eq!(lobby.sweep(at(100)).len(), 1);
}

/// A challenge of account 10 to a game with clocks.
fn with_clocks(number: u128) -> Challenge {
    let clocks = r#"{"time_control":{"kind":"clock","periods":[{"base_ms":300000}]}}"#;
    let terms = Arc::new(Terms::read(serde_json::from_str(clocks).unwrap()).unwrap());
    Challenge { terms, ..challenge(number, 10, None) }
}

#[test]
fn a_game_with_clocks_waits_for_its_owner() {
    let mut lobby = with(&[with_clocks(1), challenge(2, 10, None)]);
    let waits = |lobby: &Challenges, number: u128, seconds: u64| {
        lobby.waits_for_its_owner(lobby.get(id(number)).unwrap(), at(seconds))
    };
    lobby.owner_left(account(10), at(100));
    assert!(waits(&lobby, 1, 130) && !waits(&lobby, 1, 129), "the owner has 30 s to come back");
    assert!(!waits(&lobby, 2, 130), "without clocks it waits for nobody");
    lobby.owner_left(account(10), at(120));
    assert!(waits(&lobby, 1, 130), "told once more of the same");
    lobby.owner_returned(account(10));
    assert!(!waits(&lobby, 1, 130));
}

#[test]
fn what_was_accepted_for_later_is_for_those_two() {
    let mut lobby = with(&[Challenge { until: at(500), ..with_clocks(1) }]);
    let (owner, accepter, other) = (account(10), account(20), account(30));
    lobby.accept_for_later(id(1), Person::guest(accepter), at(900)).unwrap();
    assert_eq!(lobby.acceptable(id(1), other, at(100)), Err(Code::UnknownChallenge), "not durable yet");
    assert_eq!(lobby.concerning(accepter).count(), 0);
    lobby.kept(id(1), true);
    assert_eq!(lobby.acceptable(id(1), other, at(100)), Err(Code::ChallengeTaken));
    assert!(
        lobby.acceptable(id(1), owner, at(100)).is_ok() && lobby.acceptable(id(1), accepter, at(100)).is_ok()
    );
    assert_eq!(lobby.waiting_for_both(accepter), lobby.waiting_for_both(owner));
    assert_eq!(lobby.waiting_for_both(accepter).len(), 1);
    assert_eq!(lobby.decline(id(1), other), Err(Code::NotForYou));
    assert_eq!(lobby.sweep(at(899)), []);
    assert_eq!(lobby.sweep(at(900)).len(), 1, "it has its time from its acceptance on");
    assert!(lobby.accounts.is_empty() && lobby.ends.is_empty(), "nothing is remembered");
}

#[test]
fn an_acceptance_that_is_not_stored_leaves_the_challenge_as_it_was() {
    let before = Challenge { until: at(500), ..with_clocks(1) };
    let mut lobby = with(std::slice::from_ref(&before));
    lobby.accept_for_later(id(1), Person::guest(account(20)), at(900)).unwrap();
    lobby.kept(id(1), false);
    assert_eq!(lobby.get(id(1)), Some(&before));
    assert_eq!(lobby.concerning(account(20)).count(), 0);
    assert_eq!(lobby.sweep(at(500)), [before]);
    assert!(lobby.accounts.is_empty());
}

#[test]
fn an_account_accepts_only_so_many_for_later() {
    let mut lobby = lobby();
    for number in 1..=4 {
        lobby.add(Challenge { owner: Person::guest(account(number)), ..with_clocks(number) }).unwrap();
    }
    let by = Person::guest(account(20));
    for number in 1..=3 {
        lobby.accept_for_later(id(number), by, at(900)).unwrap();
        lobby.kept(id(number), true);
    }
    assert_eq!(lobby.accept_for_later(id(4), by, at(900)), Err(Code::TooManyChallenges));
    lobby.decline(id(2), account(20)).unwrap();
    lobby.accept_for_later(id(4), by, at(900)).unwrap();
}

#[test]
fn a_closed_account_leaves_nothing_to_answer() {
    let mut lobby =
        with(&[challenge(1, 10, None), challenge(2, 11, Some(10)), challenge(3, 11, None), with_clocks(4)]);
    lobby.accept_for_later(id(3), Person::guest(account(10)), at(900)).unwrap();
    lobby.kept(id(3), true);
    let mut gone = lobby.remove_of_closed(account(10)).iter().map(|gone| gone.id).collect::<Vec<_>>();
    gone.sort_unstable();
    assert_eq!(gone, [id(1), id(2), id(3), id(4)]);
    assert_eq!(lobby.len(), 0);
}

#[test]
fn games_that_are_being_started_count_for_both() {
    let mut lobby = with(&[challenge(1, 10, None), challenge(2, 10, None), challenge(3, 11, None)]);
    let one = |_| 1;
    accept(&mut lobby, id(1), account(12), at(100), one).unwrap();
    assert_eq!(
        accept(&mut lobby, id(2), account(13), at(100), one),
        Err(Code::TooManyGames),
        "the owner has one already"
    );
    assert_eq!(
        accept(&mut lobby, id(3), account(12), at(100), one),
        Err(Code::TooManyGames),
        "so has the accepter"
    );
    lobby.reopen(id(1));
    accept(&mut lobby, id(3), account(12), at(100), one).unwrap();
}

#[test]
fn only_seeks_are_listed_the_newest_first() {
    let mut lobby = with(&[seek(1, 10), challenge(2, 11, None), seek(3, 12), seek(4, 13)]);
    assert_eq!(listed(&lobby), [id(4), id(3), id(1)]);
    accept(&mut lobby, id(3), account(20), at(100), PLENTY).unwrap();
    assert_eq!(listed(&lobby), [id(4), id(1)], "one that is being accepted is not listed");
    lobby.reopen(id(3));
    lobby.cancel(id(4), account(13)).unwrap();
    assert_eq!(listed(&lobby), [id(3), id(1)]);
    accept(&mut lobby, id(1), account(20), at(100), PLENTY).unwrap();
    lobby.played(id(1));
    assert_eq!(listed(&lobby), [id(3)]);
}

#[test]
fn seeks_are_withdrawn_and_other_challenges_stay() {
    let mut lobby = with(&[seek(1, 10), challenge(2, 10, None), seek(3, 10), seek(4, 11)]);
    accept(&mut lobby, id(3), account(20), at(100), PLENTY).unwrap();
    assert_eq!(lobby.remove_open_seeks(account(10)), [seek(1, 10)], "one that is being accepted stays");
    assert_eq!(lobby.remove_open_seeks(account(10)), []);
    assert_eq!(lobby.remove_open_seeks(account(99)), []);
    lobby.reopen(id(3));
    assert_eq!(lobby.remove_open_seeks(account(10)), [seek(3, 10)]);
    assert_eq!(listed(&lobby), [id(4)]);
    assert_eq!(lobby.len(), 2);
}

#[test]
fn open_rematches_with_clocks_are_withdrawn_and_other_challenges_stay() {
    let periods = vec![Period { base_ms: 180_000, ..Period::default() }];
    let clock = TimeControl::Clock { periods, black_periods: None };
    let offered = |number: u128, time_control| Challenge {
        rematch_of: Some(GameId::from_random(number)),
        terms: Arc::new(Terms::read(CreateChallenge::with(time_control)).unwrap()),
        ..challenge(number, 10, Some(number))
    };
    let rematch = |number| offered(number, clock.clone());
    let mut lobby = with(&[rematch(1), challenge(2, 10, Some(2)), rematch(3)]);
    accept(&mut lobby, id(3), account(3), at(100), PLENTY).unwrap();
    assert_eq!(lobby.remove_open_rematches(account(10)), [rematch(1)], "one that is being accepted stays");
    assert_eq!(lobby.remove_open_rematches(account(3)), []);
    lobby.reopen(id(3));
    assert_eq!(lobby.remove_open_rematches(account(10)), [rematch(3)]);
    assert_eq!(lobby.len(), 1);
    let accepted = Challenge { accepted_by: Some(Person::guest(account(4))), ..rematch(4) };
    let mut lobby = with(&[accepted, offered(5, TimeControl::Unlimited)]);
    assert_eq!(lobby.remove_open_rematches(account(10)), []);
}

#[test]
fn seeks_lead_to_one_game_at_a_time() {
    let mut lobby = with(&[seek(1, 10), seek(2, 10), seek(3, 11)]);
    accept(&mut lobby, id(1), account(20), at(100), PLENTY).unwrap();
    assert_eq!(accept(&mut lobby, id(2), account(21), at(100), PLENTY), Err(Code::UnknownChallenge));
    lobby.begin_start([account(11), account(30)], PLENTY).unwrap();
    assert!(lobby.is_starting(account(30)));
    assert_eq!(accept(&mut lobby, id(3), account(21), at(100), PLENTY), Err(Code::UnknownChallenge));
    lobby.end_start([account(11), account(30)]);
    assert!(!lobby.is_starting(account(30)));
    accept(&mut lobby, id(3), account(21), at(100), PLENTY).unwrap();
}

#[test]
fn an_address_has_only_so_many_open_and_leaves_the_others_theirs() {
    let mut lobby = Challenges::new(Limits { connections_per_address: 2, ..Limits::STANDARD });
    let made = |lobby: &mut Challenges, number: u128, from: u8| {
        lobby.make(challenge(number, number, None), address(from), at(number as u64))
    };
    for number in 1..=8 {
        made(&mut lobby, number, 1).unwrap();
    }
    assert_eq!(made(&mut lobby, 9, 1), Err(Code::TooManyChallenges));
    made(&mut lobby, 10, 2).unwrap();
    lobby.cancel(id(3), account(3)).unwrap();
    made(&mut lobby, 11, 1).unwrap();
    assert_eq!(made(&mut lobby, 12, 1), Err(Code::TooManyChallenges));
    for number in [1, 2, 4, 5, 6, 7, 8, 10, 11] {
        lobby.cancel(id(number), account(number)).unwrap();
    }
    assert!(lobby.addresses.is_empty(), "nobody is remembered");
}

#[test]
fn guests_of_one_address_do_not_fill_a_list() {
    let mut lobby = Challenges::new(Limits::STANDARD);
    let made = |lobby: &mut Challenges, number: u128, from: u8| {
        lobby.make(challenge(number, number, Some(99)), address(from), at(number as u64))
    };
    for number in 1..=4 {
        made(&mut lobby, number, 1).unwrap();
    }
    assert_eq!(made(&mut lobby, 5, 1), Err(Code::TooManyChallenges));
    made(&mut lobby, 6, 2).unwrap();
    lobby.make(challenge(7, 7, Some(98)), address(1), at(7)).unwrap();
    let rematch = Challenge { rematch_of: Some(GameId::from_random(5)), ..challenge(8, 8, Some(99)) };
    lobby.make(rematch, address(1), at(8)).unwrap();
    lobby.decline(id(3), account(99)).unwrap();
    made(&mut lobby, 9, 1).unwrap();
    assert_eq!(made(&mut lobby, 10, 1), Err(Code::TooManyChallenges));
}

#[test]
fn there_are_only_so_many_open_challenges() {
    let mut lobby = Challenges::new(Limits::STANDARD);
    let any = challenge(0, 0, None);
    let by = |number: u128| Challenge {
        id: id(number),
        owner: Person::guest(account(number / 16)),
        ..any.clone()
    };
    for number in 0..OPEN_MAX as u128 {
        lobby.add(by(number)).unwrap();
    }
    assert_eq!(lobby.add(by(OPEN_MAX as u128)), Err(Code::TooManyChallenges));
}
