//! Tests of what corrections do to ratings.

use proptest::prelude::*;
use zeitnot_protocol::GameId;

use crate::ratings::*;
use crate::storage::rating::{self, correction_events, in_all};
use crate::storage::{RatingCause, RatingEvent};

const PLAYERS: ByColor<AccountId> =
    ByColor { white: AccountId::from_u128(1), black: AccountId::from_u128(2) };
const DAY: u64 = 24 * 3_600_000;

fn points() -> impl Strategy<Value = ByColor<Points>> {
    let points = [
        (Points::Win, Points::Loss),
        (Points::Loss, Points::Win),
        (Points::Draw, Points::Draw),
        (Points::Loss, Points::Loss),
        (Points::Draw, Points::Loss),
    ];
    prop::sample::select(points.to_vec()).prop_map(|(white, black)| ByColor { white, black })
}

fn standing() -> impl Strategy<Value = Option<Standing>> {
    let numbers = (100_000..=4_000_000_u32, 30_000..=350_000_u32, 40_000_000..=100_000_000_u32);
    let standing = (numbers, 0..10 * DAY).prop_map(|((points, deviation, volatility), at_unix_ms)| {
        let rating = Rating { points, deviation, volatility };
        Standing { rating, games: 7, number: 9, at_unix_ms }
    });
    prop::option::weighted(0.8, standing)
}

fn standings() -> impl Strategy<Value = ByColor<Option<Standing>>> {
    (standing(), standing()).prop_map(|(white, black)| ByColor { white, black })
}

/// A game between the two, and its corrections.
struct Story {
    standings: ByColor<Option<Standing>>,
    events: Vec<ByColor<RatingEvent>>,
}

impl Story {
    fn of(standings: ByColor<Option<Standing>>) -> Self {
        Self { standings, events: Vec::new() }
    }

    fn ends(&mut self, points: ByColor<Points>, at: u64) -> ByColor<Rating> {
        let counted =
            CountedGame { category: zeitnot_rules::game::Category::Blitz, players: PLAYERS, points };
        let events = rating::events(&Glicko, GameId::from_random(1), &counted, self.standings, at);
        self.add(events)
    }

    fn is_corrected(&mut self, points: Option<ByColor<Points>>, at: u64) -> ByColor<Rating> {
        let (game, past) = (GameId::from_random(1), &self.events);
        let events = correction_events(&Glicko, game, PLAYERS, points, past, self.standings, at);
        let events = events.expect("it counts now or has counted");
        for color in Color::ALL {
            let number = self.standings[color].map_or(0, |standing| standing.number);
            assert_eq!((events[color].number, events[color].cause), (number + 1, RatingCause::Correction));
            assert!((100_000..=4_000_000).contains(&events[color].change.after.points));
        }
        self.add(events)
    }

    fn add(&mut self, events: ByColor<RatingEvent>) -> ByColor<Rating> {
        self.standings = events.map(|event| Some(event.standing()));
        self.events.push(events);
        events.map(|event| event.change.after)
    }

    fn games(&self) -> ByColor<u32> {
        self.standings.map(|standing| standing.map_or(0, |standing| standing.games))
    }
}

proptest! {
    #[test]
    fn a_correction_right_after_the_game_gives_the_points_of_a_game_that_had_ended_so(
        standings in standings(), played in points(), corrected in points(),
    ) {
        let at = 20 * DAY;
        let as_if = Story::of(standings).ends(corrected, at);
        let mut story = Story::of(standings);
        let after = story.ends(played, at);
        let now = story.is_corrected(Some(corrected), at);
        for color in Color::ALL {
            prop_assert_eq!(now[color].points, as_if[color].points);
            prop_assert_eq!(now[color], Rating { points: now[color].points, ..after[color] });
        }
        let shown = in_all(&story.events).unwrap();
        prop_assert_eq!(shown.map(|change| change.after.points), as_if.map(|rating| rating.points));
        prop_assert_eq!(shown.map(|change| change.before), story.events[0].map(|event| event.change.before));
    }

    #[test]
    fn corrections_there_and_back_give_the_rating_from_before(
        standings in standings(), played in points(), corrected in prop::option::of(points()), days in 0..900_u64,
    ) {
        let mut story = Story::of(standings);
        let after = story.ends(played, 20 * DAY);
        let games = story.games();
        let there = story.is_corrected(corrected, 20 * DAY);
        prop_assert_eq!(story.games(), games.map(|games| games - u32::from(corrected.is_none())));
        if corrected.is_none() {
            let before = story.events[0].map(|event| event.change.before.points);
            prop_assert_eq!(there.map(|rating| rating.points), before, "nothing is left of it");
        }
        let back = story.is_corrected(Some(played), (20 + days) * DAY);
        prop_assert_eq!(story.games(), games);
        for color in Color::ALL {
            let standing = Standing { rating: after[color], games: 0, number: 0, at_unix_ms: 20 * DAY };
            let grown = present(Some(&standing), (20 + days) * DAY);
            prop_assert_eq!((back[color].points, back[color].volatility), (grown.points, grown.volatility));
            prop_assert!(back[color].deviation.abs_diff(grown.deviation) <= 1);
        }
    }

    #[test]
    fn a_game_that_counts_only_since_its_correction_is_rated_as_of_then(
        standings in standings(), corrected in points(), again in points(),
    ) {
        let at = 30 * DAY;
        let as_if = |points| Story::of(standings).ends(points, at).map(|rating| rating.points);
        let mut story = Story::of(standings);
        let games = story.games();
        let first = story.is_corrected(Some(corrected), at);
        prop_assert_eq!(first.map(|rating| rating.points), as_if(corrected));
        prop_assert_eq!(story.games(), games.map(|games| games + 1));
        prop_assert_eq!(story.is_corrected(Some(again), at).map(|rating| rating.points), as_if(again));
        prop_assert_eq!(story.games(), games.map(|games| games + 1), "it counts once");
    }
}

#[test]
fn games_since_then_stay_as_they_were_rated_and_a_game_that_never_counted_changes_nothing() {
    let (win, loss) = (
        ByColor { white: Points::Win, black: Points::Loss },
        ByColor { white: Points::Loss, black: Points::Win },
    );
    let none = ByColor { white: None, black: None };
    let mut story = Story::of(none);
    story.ends(win, 1);
    let given = story.events[0].white.change.given();
    let taken = {
        let mut other = Story::of(none);
        other.ends(loss, 1);
        other.events[0].white.change.given()
    };
    // Another game of theirs.
    let mut other = Story::of(story.standings);
    let later = other.ends(win, DAY);
    story.standings = other.standings;
    let corrected = story.is_corrected(Some(loss), DAY);
    assert_eq!(i64::from(corrected.white.points), i64::from(later.white.points) + taken - given);
    assert_eq!(corrected.white.deviation, later.white.deviation);

    let nothing = correction_events(&Glicko, GameId::from_random(1), PLAYERS, None, &[], none, 1);
    assert_eq!(nothing, None);
}
