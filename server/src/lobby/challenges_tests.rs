//! Tests of the challenges' state machine.

use super::*;

const PLENTY: fn(AccountId) -> usize = |_| 64;

fn account(number: u128) -> AccountId {
    AccountId::from_u128(number)
}

fn id(number: u128) -> ChallengeId {
    ChallengeId::from_random(number)
}

fn offer(number: u128, by: u128, to: Option<u128>) -> Offer<&'static str> {
    Offer {
        id: id(number),
        by: account(by),
        name: None,
        to: to.map(account),
        seek: false,
        command: None,
        rematch_of: None,
        terms: "3+2",
    }
}

fn seek(number: u128, by: u128) -> Offer<&'static str> {
    Offer { seek: true, ..offer(number, by, None) }
}

fn listed(lobby: &Challenges<&'static str>) -> Vec<ChallengeId> {
    lobby.newest_seeks().map(|offer| offer.id).collect()
}

fn lobby() -> Challenges<&'static str> {
    Challenges::new(3, 2)
}

fn with(offers: &[Offer<&'static str>]) -> Challenges<&'static str> {
    let mut lobby = lobby();
    for offer in offers {
        lobby.create(offer.clone()).unwrap();
    }
    lobby
}

fn at(seconds: u64) -> ServiceInstant {
    ServiceInstant(seconds * 1_000_000)
}

#[test]
fn an_open_challenge_is_for_anybody_but_its_owner() {
    let mut lobby = with(&[offer(1, 10, None)]);
    assert_eq!(lobby.reserve(id(1), account(10), PLENTY), Err(Code::OwnChallenge));
    assert_eq!(lobby.reserve(id(1), account(11), PLENTY), Ok(offer(1, 10, None)));
}

#[test]
fn an_addressed_one_is_for_one() {
    let mut lobby = with(&[offer(1, 10, Some(11))]);
    assert_eq!(lobby.reserve(id(1), account(12), PLENTY), Err(Code::NotForYou));
    assert!(lobby.reserve(id(1), account(11), PLENTY).is_ok());
}

#[test]
fn only_the_addressee_declines() {
    let mut lobby = with(&[offer(1, 10, Some(11)), offer(2, 10, None)]);
    assert_eq!(lobby.decline(id(1), account(10)), Err(Code::NotForYou));
    assert_eq!(lobby.decline(id(1), account(12)), Err(Code::NotForYou));
    assert_eq!(lobby.decline(id(2), account(11)), Err(Code::NotForYou), "it is for anybody");
    assert_eq!(lobby.decline(id(1), account(11)), Ok(offer(1, 10, Some(11))));
    assert_eq!(lobby.decline(id(1), account(11)), Err(Code::UnknownChallenge));
    assert_eq!(lobby.concerning(account(11)), []);
    lobby.create(offer(3, 10, Some(11))).unwrap();
    lobby.reserve(id(3), account(11), PLENTY).unwrap();
    assert_eq!(lobby.decline(id(3), account(11)), Err(Code::UnknownChallenge), "it is being played");
}

#[test]
fn what_was_made_before_is_found_by_its_command_or_its_game() {
    let command = |text: &str| Some(text.parse::<CommandId>().unwrap());
    let game = GameId::from_random(5);
    let mut lobby = with(&[
        Offer { command: command("c1"), ..offer(1, 10, None) },
        Offer { rematch_of: Some(game), command: command("r1"), ..offer(2, 10, Some(11)) },
        offer(3, 10, None),
    ]);
    let before = |lobby: &Challenges<_>, wanted: Offer<_>| lobby.made_before(&wanted).map(|found| found.id);
    let again = Offer { command: command("c1"), ..offer(9, 10, None) };
    assert_eq!(before(&lobby, again.clone()), Some(id(1)));
    assert_eq!(before(&lobby, Offer { by: account(12), ..again.clone() }), None, "somebody else's id");
    assert_eq!(before(&lobby, offer(9, 10, None)), None, "nothing is known by no id");
    let rematch = Offer { rematch_of: Some(game), command: command("r2"), ..offer(9, 10, Some(11)) };
    assert_eq!(before(&lobby, rematch), Some(id(2)));
    assert_eq!(lobby.rematch(game, account(10)).map(|found| found.id), Some(id(2)));
    assert_eq!(lobby.rematch(game, account(11)), None);
    lobby.reserve(id(1), account(12), PLENTY).unwrap();
    assert_eq!(before(&lobby, again.clone()), Some(id(1)), "also while it is being played");
    lobby.played(id(1), account(12));
    assert_eq!(before(&lobby, again), None);
}

#[test]
fn a_new_name_is_seen_on_what_is_open() {
    let mut lobby = with(&[offer(1, 10, Some(11)), offer(2, 11, None)]);
    lobby.renamed(account(10), "Rook".parse().unwrap());
    lobby.renamed(account(12), "Bishop".parse().unwrap());
    let names =
        lobby.concerning(account(11)).into_iter().map(|offer| offer.name.map(|name| name.to_string()));
    assert_eq!(names.collect::<Vec<_>>(), [None, Some("Rook".to_owned())]);
}

#[test]
fn nobody_challenges_oneself() {
    assert_eq!(lobby().create(offer(1, 10, Some(10))), Err(Code::OwnChallenge));
}

#[test]
fn it_is_accepted_once() {
    let mut lobby = with(&[offer(1, 10, None)]);
    lobby.reserve(id(1), account(11), PLENTY).unwrap();
    assert_eq!(lobby.reserve(id(1), account(12), PLENTY), Err(Code::UnknownChallenge));
    assert_eq!(lobby.cancel(id(1), account(10)), Err(Code::UnknownChallenge));
    lobby.played(id(1), account(11));
    assert_eq!(lobby.reserve(id(1), account(12), PLENTY), Err(Code::UnknownChallenge));
    assert!(lobby.accounts.is_empty(), "nothing is kept of it");
}

#[test]
fn one_that_could_not_be_played_is_open_again() {
    let mut lobby = with(&[offer(1, 10, None)]);
    lobby.reserve(id(1), account(11), PLENTY).unwrap();
    assert_eq!(lobby.put_back(id(1), account(11)), None);
    assert!(lobby.reserve(id(1), account(12), PLENTY).is_ok());
}

#[test]
fn only_its_owner_cancels_it() {
    let mut lobby = with(&[offer(1, 10, Some(11))]);
    assert_eq!(lobby.cancel(id(2), account(10)), Err(Code::UnknownChallenge));
    assert_eq!(lobby.cancel(id(1), account(11)), Err(Code::NotForYou));
    assert_eq!(lobby.cancel(id(1), account(10)), Ok(offer(1, 10, Some(11))));
    assert_eq!(lobby.len(), 0);
    assert!(lobby.accounts.is_empty(), "nothing is kept of it");
}

#[test]
fn an_account_lists_only_so_many() {
    let mut lobby = lobby();
    lobby.create(seek(1, 10)).unwrap();
    lobby.create(offer(2, 10, None)).unwrap();
    lobby.create(seek(3, 10)).unwrap();
    lobby.cancel(id(2), account(10)).unwrap();
    assert_eq!(lobby.create(seek(4, 10)), Err(Code::TooManyChallenges));
    lobby.create(offer(5, 10, None)).unwrap();
    lobby.create(seek(6, 11)).unwrap();
    lobby.cancel(id(5), account(10)).unwrap();
    lobby.cancel(id(3), account(10)).unwrap();
    lobby.create(seek(7, 10)).unwrap();
}

#[test]
fn an_account_has_only_so_many_from_it_and_to_it() {
    let mut lobby = with(&[offer(1, 10, None), offer(2, 10, None), offer(3, 10, None)]);
    assert_eq!(lobby.create(offer(4, 10, None)), Err(Code::TooManyChallenges));
    for number in 5..8 {
        lobby.create(offer(number, number, Some(20))).unwrap();
    }
    assert_eq!(lobby.create(offer(8, 8, Some(20))), Err(Code::TooManyChallenges));
    lobby.cancel(id(1), account(10)).unwrap();
    lobby.create(offer(4, 10, None)).unwrap();
}

#[test]
fn one_hears_of_ones_own_and_of_those_addressed_to_one() {
    let mut lobby =
        with(&[offer(1, 10, None), offer(2, 11, Some(10)), offer(3, 10, Some(12)), offer(4, 11, None)]);
    let ids = |lobby: &Challenges<_>| lobby.concerning(account(10)).iter().map(|o| o.id).collect::<Vec<_>>();
    assert_eq!(ids(&lobby), [id(1), id(3), id(2)]);
    lobby.reserve(id(1), account(11), PLENTY).unwrap();
    assert_eq!(ids(&lobby), [id(1), id(3), id(2)], "the game of one that is being accepted may not begin");
}

#[test]
fn it_ends_when_its_owner_stays_away() {
    let mut lobby = with(&[offer(1, 10, None), offer(2, 11, None)]);
    assert!(lobby.owner_left(account(10), at(100)));
    assert_eq!(lobby.expire(account(10), at(100)), [offer(1, 10, None)]);
    assert_eq!(lobby.len(), 1, "the other's stays");
}

#[test]
fn an_owner_who_came_back_keeps_it() {
    let mut lobby = with(&[offer(1, 10, None)]);
    lobby.owner_left(account(10), at(100));
    lobby.owner_is_here(account(10));
    assert_eq!(lobby.expire(account(10), at(100)), []);
    lobby.owner_left(account(10), at(120));
    assert_eq!(lobby.expire(account(10), at(100)), [], "the grace began anew");
    assert_eq!(lobby.len(), 1);
}

#[test]
fn one_that_is_being_accepted_does_not_expire() {
    let mut lobby = with(&[offer(1, 10, None)]);
    lobby.owner_left(account(10), at(100));
    lobby.reserve(id(1), account(11), PLENTY).unwrap();
    assert_eq!(lobby.expire(account(10), at(100)), []);
    lobby.played(id(1), account(11));
    assert_eq!(lobby.len(), 0);
}

#[test]
fn one_that_is_put_back_after_its_owner_left_expires_too() {
    let mut lobby = with(&[offer(1, 10, None)]);
    lobby.reserve(id(1), account(11), PLENTY).unwrap();
    lobby.owner_left(account(10), at(100));
    assert_eq!(lobby.put_back(id(1), account(11)), Some((account(10), at(100))));
    assert_eq!(lobby.expire(account(10), at(100)).len(), 1);
}

#[test]
fn an_owner_without_challenges_need_not_be_waited_for() {
    let mut lobby = with(&[offer(1, 10, Some(11))]);
    assert!(!lobby.owner_left(account(11), at(100)));
    assert!(!lobby.owner_left(account(12), at(100)));
}

#[test]
fn games_that_are_being_started_count_for_both() {
    let mut lobby = with(&[offer(1, 10, None), offer(2, 10, None), offer(3, 11, None)]);
    let one = |_| 1;
    lobby.reserve(id(1), account(12), one).unwrap();
    assert_eq!(lobby.reserve(id(2), account(13), one), Err(Code::TooManyGames), "the owner has one already");
    assert_eq!(lobby.reserve(id(3), account(12), one), Err(Code::TooManyGames), "so has the accepter");
    lobby.put_back(id(1), account(12));
    lobby.reserve(id(3), account(12), one).unwrap();
}

#[test]
fn only_seeks_are_listed_the_newest_first() {
    let mut lobby = with(&[seek(1, 10), offer(2, 11, None), seek(3, 12), seek(4, 13)]);
    assert_eq!(listed(&lobby), [id(4), id(3), id(1)]);
    lobby.reserve(id(3), account(20), PLENTY).unwrap();
    assert_eq!(listed(&lobby), [id(4), id(1)], "one that is being accepted is not listed");
    lobby.put_back(id(3), account(20));
    lobby.cancel(id(4), account(13)).unwrap();
    assert_eq!(listed(&lobby), [id(3), id(1)]);
    lobby.reserve(id(1), account(20), PLENTY).unwrap();
    lobby.played(id(1), account(20));
    assert_eq!(listed(&lobby), [id(3)]);
}

#[test]
fn seeks_are_withdrawn_and_other_challenges_stay() {
    let mut lobby = with(&[seek(1, 10), offer(2, 10, None), seek(3, 10), seek(4, 11)]);
    lobby.reserve(id(3), account(20), PLENTY).unwrap();
    assert_eq!(lobby.withdraw_seeks(account(10)), [seek(1, 10)], "one that is being accepted stays");
    assert_eq!(lobby.withdraw_seeks(account(10)), []);
    assert_eq!(lobby.withdraw_seeks(account(99)), []);
    lobby.put_back(id(3), account(20));
    assert_eq!(lobby.withdraw_seeks(account(10)), [seek(3, 10)]);
    assert_eq!(listed(&lobby), [id(4)]);
    assert_eq!(lobby.len(), 2);
}

#[test]
fn seeks_lead_to_one_game_at_a_time() {
    let mut lobby = with(&[seek(1, 10), seek(2, 10), seek(3, 11)]);
    lobby.reserve(id(1), account(20), PLENTY).unwrap();
    assert_eq!(lobby.reserve(id(2), account(21), PLENTY), Err(Code::UnknownChallenge));
    lobby.start([account(11), account(30)], PLENTY).unwrap();
    assert!(lobby.is_starting(account(30)));
    assert_eq!(lobby.reserve(id(3), account(21), PLENTY), Err(Code::UnknownChallenge));
    lobby.started([account(11), account(30)]);
    assert!(!lobby.is_starting(account(30)));
    lobby.reserve(id(3), account(21), PLENTY).unwrap();
}
