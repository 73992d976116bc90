//! The quick pairing pools: who waits where and since when, and whom each account played last.
//!
//! Invariants: an account waits in at most one pool; the last games of at most [`REMEMBERED`] accounts
//! are remembered.
//!
//! Deliberately absent: who is paired with whom (`matcher`), and games (`quick_pairing`).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use zeitnot_protocol::{AccountId, PoolId, PoolView};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::ShownRating;

use super::matcher::{self, LastGame, Pair, Waiter};
use crate::accounts::Person;
use crate::lobby::terms::may_be_rated;
use crate::net::Address;
use crate::time::ServiceInstant;

/// How many accounts' last games are remembered, about 100 bytes each. The oldest are forgotten first.
const REMEMBERED: usize = 50_000;

/// All pools of the lobby.
#[derive(Debug, Default)]
pub(crate) struct Pools {
    places: HashMap<AccountId, Place>,
    last: HashMap<AccountId, LastGame>,
    /// The accounts in `last`, in the order in which they came into it.
    remembered: VecDeque<AccountId>,
    /// Whether a pairing round is due.
    has_rounds: bool,
}

/// Where a player waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) pool: PoolId,
    /// Who waits, as the account is at present.
    pub(crate) player: Person,
    /// Where the command to join came from.
    pub(crate) from: Address,
    since: ServiceInstant,
    rating: PlaceRating,
}

impl Place {
    /// Whether a player with this rating is near enough for the time that this one has waited. Nobody is while the rating of
    /// this one is not read.
    pub(crate) fn is_near(&self, other: Option<ShownRating>, at: ServiceInstant) -> bool {
        let PlaceRating::Known(own) = self.rating else { return false };
        matcher::are_near(own, other.unwrap_or(UNRATED), at.since(self.since))
    }
}

/// What is known of the rating of a player who waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PlaceRating {
    /// It is being read: the player is not paired yet.
    Unread,
    /// It is this one; that of a beginner when there is none.
    Known(ShownRating),
}

/// The rating of guests, and of players whose rating cannot be read: that of a beginner.
const UNRATED: ShownRating = ShownRating { rating: 1_500, provisional: true };

impl Pools {
    /// The player waits in this pool and in no other. An account that waits there already keeps its
    /// place. Whether the player's rating must be read: [`Pools::rated`] is due then.
    pub(crate) fn join(&mut self, player: Person, from: Address, pool: PoolId, at: ServiceInstant) -> bool {
        let has_rating = player.kind.is_registered();
        let rating = if has_rating { PlaceRating::Unread } else { PlaceRating::Known(UNRATED) };
        let new = Place { pool, player, from, since: at, rating };
        let place = self.places.entry(player.account);
        if matches!(&place, Entry::Occupied(place) if place.get().pool == pool) {
            return false;
        }
        place.insert_entry(new);
        has_rating
    }

    /// The rating of an account that waits in this pool was read; `None` when it could not be.
    pub(crate) fn rated(&mut self, account: AccountId, pool: PoolId, rating: Option<ShownRating>) {
        if let Some(place) = self.places.get_mut(&account).filter(|place| place.pool == pool) {
            place.rating = PlaceRating::Known(rating.unwrap_or(UNRATED));
        }
    }

    /// Whether a game of these two counts for ratings.
    pub(crate) fn is_rated(&self, Pair { white, black }: Pair) -> bool {
        may_be_rated(self.player(white), self.player(black)).is_ok()
    }

    /// The account is this from now on.
    pub(crate) fn changed(&mut self, person: Person) {
        if let Some(place) = self.places.get_mut(&person.account) {
            place.player = person;
        }
    }

    /// The account waits no longer. Returns where it waited.
    pub(crate) fn leave(&mut self, account: AccountId) -> Option<PoolId> {
        self.places.remove(&account).map(|place| place.pool)
    }

    /// Where the account waits.
    pub(crate) fn pool_of(&self, account: AccountId) -> Option<PoolId> {
        self.places.get(&account).map(|place| place.pool)
    }

    /// Where the command of this account to join came from.
    pub(crate) fn address_of(&self, account: AccountId) -> Option<Address> {
        self.places.get(&account).map(|place| place.from)
    }

    /// A player who waits, as the account is at present.
    pub(crate) fn player(&self, account: AccountId) -> Person {
        self.places.get(&account).map_or(Person::guest(account), |place| place.player)
    }

    /// Whether a first pairing round must be planned: somebody waits, and none is due.
    pub(crate) fn begin_rounds(&mut self) -> bool {
        !self.places.is_empty() && !std::mem::replace(&mut self.has_rounds, true)
    }

    /// Whether there are no more rounds for now, because nobody waits.
    pub(crate) fn end_rounds(&mut self) -> bool {
        self.has_rounds = !self.places.is_empty();
        !self.has_rounds
    }

    /// The places of all, the longest wait first.
    pub(crate) fn places(&self) -> Vec<Place> {
        let mut places = self.places.values().copied().collect::<Vec<_>>();
        places.sort_unstable_by_key(|place| (place.since, place.player.account));
        places
    }

    /// All pools, and how many wait in each.
    pub(crate) fn view(&self) -> Vec<PoolView> {
        let mut view = PoolId::ALL.iter().map(|&pool| PoolView { pool, waiting: 0 }).collect::<Vec<_>>();
        for place in self.places.values() {
            view[place.pool as usize].waiting += 1;
        }
        view
    }

    /// Pairs the waiting accounts that are free to play, and may meet each other. They keep their places until they leave.
    pub(crate) fn pairs(
        &self,
        at: ServiceInstant,
        is_free: impl Fn(AccountId, Address) -> bool,
        may_meet: impl Fn(AccountId, AccountId) -> bool,
        mut coin: impl FnMut() -> bool,
    ) -> Vec<(PoolId, Pair)> {
        let mut waiters = HashMap::<PoolId, Vec<Waiter>>::new();
        for (&account, place) in self.places.iter().filter(|(account, place)| is_free(**account, place.from))
        {
            let PlaceRating::Known(rating) = place.rating else { continue };
            let last = self.last.get(&account).copied();
            let waiter = Waiter { account, since: place.since, rating, last };
            waiters.entry(place.pool).or_default().push(waiter);
        }
        let mut paired = Vec::new();
        for &pool in PoolId::ALL {
            let pairs = matcher::pairs(waiters.remove(&pool).unwrap_or_default(), at, &may_meet, &mut coin);
            paired.extend(pairs.into_iter().map(|pair| (pool, pair)));
        }
        paired
    }

    /// A game of these two has begun.
    pub(crate) fn note(&mut self, Pair { white, black }: Pair) {
        self.remember(white, LastGame { opponent: black, color: Color::White });
        self.remember(black, LastGame { opponent: white, color: Color::Black });
    }

    /// A rematch of these two has begun. It counts where their game from a pool was the last one of both: the colours of
    /// other games are chosen, and with them would be those of the next pairing.
    pub(crate) fn note_rematch(&mut self, pair: Pair) {
        let met = |one, other| self.last.get(&one).is_some_and(|last| last.opponent == other);
        if met(pair.white, pair.black) && met(pair.black, pair.white) {
            self.note(pair);
        }
    }

    fn remember(&mut self, account: AccountId, game: LastGame) {
        if self.last.insert(account, game).is_some() {
            return;
        }
        self.remembered.push_back(account);
        if self.remembered.len() > REMEMBERED
            && let Some(oldest) = self.remembered.pop_front()
        {
            self.last.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BULLET: PoolId = PoolId::OneMinute;
    const BLITZ: PoolId = PoolId::ThreePlusTwo;

    fn account(number: u128) -> AccountId {
        AccountId::from_u128(number)
    }

    fn here() -> Address {
        std::net::IpAddr::from([192, 0, 2, 1]).into()
    }

    fn at(seconds: u64) -> ServiceInstant {
        ServiceInstant(seconds * 1_000_000)
    }

    fn with(places: &[(u128, PoolId, u64)]) -> Pools {
        let mut pools = Pools::default();
        for &(number, pool, since) in places {
            pools.join(Person::guest(account(number)), here(), pool, at(since));
        }
        pools
    }

    fn pairs(pools: &Pools) -> Vec<(PoolId, Pair)> {
        pools.pairs(at(100), |_, _| true, |_, _| true, || true)
    }

    fn pair(white: u128, black: u128) -> Pair {
        Pair { white: account(white), black: account(black) }
    }

    #[test]
    fn only_those_in_the_same_pool_are_paired() {
        let pools = with(&[(1, BULLET, 1), (2, BLITZ, 2), (3, BLITZ, 3), (4, BULLET, 4), (5, BLITZ, 5)]);
        assert_eq!(pairs(&pools), [(BULLET, pair(1, 4)), (BLITZ, pair(2, 3))]);
        assert_eq!(pairs(&pools).len(), 2, "they have their places until they leave");
    }

    #[test]
    fn an_account_waits_in_one_pool() {
        let mut pools = with(&[(1, BULLET, 1), (1, BLITZ, 2)]);
        assert_eq!(pools.pool_of(account(1)), Some(BLITZ));
        assert_eq!(pools.leave(account(1)), Some(BLITZ));
        assert_eq!(pools.leave(account(1)), None);
    }

    #[test]
    fn there_are_rounds_while_somebody_waits() {
        let mut pools = Pools::default();
        assert!(!pools.begin_rounds());
        pools.join(Person::guest(account(1)), here(), BLITZ, at(1));
        assert!(pools.begin_rounds());
        assert!(!pools.begin_rounds(), "they have begun");
        assert!(!pools.end_rounds());
        pools.leave(account(1));
        assert!(pools.end_rounds());
        pools.join(Person::guest(account(2)), here(), BLITZ, at(2));
        assert!(pools.begin_rounds(), "they begin again");
    }

    #[test]
    fn who_has_a_rating_is_paired_when_it_is_known() {
        let registered =
            |number| Person { kind: crate::storage::Kind::Registered, ..Person::guest(account(number)) };
        let shown = |rating| Some(ShownRating { rating, provisional: false });
        let mut pools = Pools::default();
        for number in [1, 2] {
            assert!(pools.join(registered(number), here(), BLITZ, at(90)), "its rating is wanted");
            assert!(!pools.join(registered(number), here(), BLITZ, at(91)), "and asked for once");
        }
        pools.rated(account(1), BLITZ, shown(1_600));
        pools.rated(account(2), BULLET, shown(1_600));
        assert_eq!(pairs(&pools), [], "the other one's is not known: it was of another pool");
        pools.rated(account(2), BLITZ, None);
        assert_eq!(pairs(&pools), [(BLITZ, pair(1, 2))]);
        assert!(pools.is_rated(pair(1, 2)));
        assert!(!pools.join(Person::guest(account(3)), here(), BLITZ, at(99)), "a guest has none");
        assert!(!pools.is_rated(pair(1, 3)));
    }

    #[test]
    fn joining_again_keeps_the_place() {
        let pools = with(&[(1, BLITZ, 1), (2, BLITZ, 2), (3, BLITZ, 3), (1, BLITZ, 9)]);
        assert_eq!(pairs(&pools), [(BLITZ, pair(1, 2))]);
    }

    #[test]
    fn who_is_not_free_is_left_out() {
        let pools = with(&[(1, BLITZ, 1), (2, BLITZ, 2), (3, BLITZ, 3)]);
        let free = |who: AccountId, _| who != account(2);
        assert_eq!(pools.pairs(at(9), free, |_, _| true, || true), [(BLITZ, pair(1, 3))]);
    }

    #[test]
    fn all_pools_are_shown_with_those_who_wait() {
        let view = with(&[(1, BLITZ, 1), (2, BLITZ, 2), (3, BULLET, 3)]).view();
        assert_eq!(view.len(), PoolId::ALL.len());
        let waiting = |pool| view.iter().find(|view| view.pool == pool).unwrap().waiting;
        assert_eq!((waiting(BLITZ), waiting(BULLET), waiting(PoolId::TenPlusFive)), (2, 1, 0));
    }

    #[test]
    fn the_last_game_counts_whoever_it_was_with() {
        let mut pools = with(&[(1, BLITZ, 1), (2, BLITZ, 2)]);
        pools.note(pair(1, 9));
        assert_eq!(pairs(&pools), [(BLITZ, pair(2, 1))], "White gets Black");
        pools.note(pair(8, 1));
        pools.note(pair(8, 2));
        assert_eq!(pairs(&pools), [(BLITZ, pair(1, 2))]);
    }

    #[test]
    fn a_rematch_counts_after_the_game_from_a_pool() {
        let mut pools = with(&[(1, BLITZ, 1), (2, BLITZ, 2)]);
        pools.note(pair(1, 2));
        pools.note_rematch(pair(2, 1));
        assert_eq!(pairs(&pools), [(BLITZ, pair(1, 2))], "each has the other colour than last");
        pools.note(pair(1, 9));
        pools.note_rematch(pair(2, 1));
        assert_eq!(pairs(&pools), [(BLITZ, pair(2, 1))], "the last game from a pool was another one");
    }

    #[test]
    fn old_games_are_forgotten() {
        let mut pools = Pools::default();
        for number in 0..REMEMBERED as u128 {
            pools.note(pair(2 * number, 2 * number + 1));
        }
        assert_eq!((pools.last.len(), pools.remembered.len()), (REMEMBERED, REMEMBERED));
        assert!(!pools.last.contains_key(&account(0)));
    }
}
