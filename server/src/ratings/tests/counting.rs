//! Which games count, and what time does before a game.

use zeitnot_protocol::GameId;
use zeitnot_rules::board::Move;
use zeitnot_rules::game::{Event, GameInstant, GameSetup, Micros, Profile, Tags, TimeControl};

use crate::ratings::*;

const DAY: u64 = 24 * 3_600_000;

fn setup() -> GameSetup {
    let time_control = TimeControl::fischer(Micros::from_secs(180), Micros::from_secs(2));
    let players = ByColor { white: 1, black: 2 };
    GameSetup { rated: true, ..GameSetup::casual(players, time_control, Profile::fide_online(), 0) }
}

/// What a game of so many plies counts for that ended like this.
fn counted(setup: GameSetup, plies: usize, outcome: Outcome) -> Option<CountedGame> {
    let mv = Move::new("e2".parse().unwrap(), "e4".parse().unwrap());
    let mut events = vec![Event::Started(Box::new(setup))];
    events.extend(vec![Event::MovePlayed { mv, charge: None }; plies]);
    events.push(Event::Ended { outcome, charge: None });
    let (game, at) = (GameId::from_random(1), GameInstant::START);
    let record = Record { game, first_seq: 1, at, account: None, command: None, events };
    Glicko.counts(&[Arc::new(record)], None)
}

#[test]
fn a_game_counts_from_two_plies_on_and_with_a_result() {
    let won = Outcome::win(Color::White, Reason::Resignation);
    let counts = counted(setup(), 2, won.clone()).unwrap();
    assert_eq!(counts.category, zeitnot_rules::game::Category::Blitz);
    assert_eq!(counts.players, ByColor { white: 1, black: 2 }.map(AccountId::from_u128));
    assert_eq!(counts.points, ByColor { white: Points::Win, black: Points::Loss });
    assert_eq!(counted(setup(), 1, won.clone()), None, "too few plies");
    assert_eq!(counted(GameSetup { rated: false, ..setup() }, 2, won.clone()), None, "casual");
    assert_eq!(counted(GameSetup { imported: Some(Tags::default()), ..setup() }, 2, won), None, "imported");
    for (score, reason) in [
        (Score::NoResult, Reason::Aborted),
        (Score::NoResult, Reason::BothAway),
        (Score::Draw, Reason::BothAway),
        (Score::NoResult, Reason::Arbiter),
    ] {
        assert_eq!(counted(setup(), 40, Outcome { score, reason, proof: None }), None, "{reason:?}");
    }
}

#[test]
fn a_move_that_was_taken_back_is_no_ply() {
    let (mv, outcome) = (
        Move::new("e2".parse().unwrap(), "e4".parse().unwrap()),
        Outcome::win(Color::White, Reason::Resignation),
    );
    let played = Event::MovePlayed { mv, charge: None };
    let events = vec![
        Event::Started(Box::new(setup())),
        played.clone(),
        played,
        Event::TakenBack { plies: 1, charge: None },
        Event::Ended { outcome, charge: None },
    ];
    let (game, at) = (GameId::from_random(1), GameInstant::START);
    let record = Record { game, first_seq: 1, at, account: None, command: None, events };
    assert_eq!(Glicko.counts(&[Arc::new(record)], None), None);
}

#[test]
fn a_draw_for_one_side_is_a_loss_for_the_other() {
    let half = |score| Outcome { score, reason: Reason::Arbiter, proof: None };
    let points = |score| counted(setup(), 9, half(score)).unwrap().points;
    assert_eq!(points(Score::HalfToBlack), ByColor { white: Points::Loss, black: Points::Draw });
    assert_eq!(points(Score::BothLose), ByColor { white: Points::Loss, black: Points::Loss });
    assert_eq!(points(Score::Draw), ByColor { white: Points::Draw, black: Points::Draw });
}

#[test]
fn the_deviation_grows_before_a_game_by_the_time_since_the_last_one() {
    let known = Rating { points: 1_700_000, deviation: 60_000, volatility: 60_000_000 };
    let standing = |at_unix_ms| Some(Standing { rating: known, games: 90, number: 90, at_unix_ms });
    let points = ByColor { white: Points::Win, black: Points::Loss };
    let rate = |days| Glicko.rate(ByColor { white: standing(0), black: None }, points, days * DAY).white;
    let (now, later) = (rate(0), rate(500));
    assert_eq!(now.before, known);
    assert!(later.before.deviation > 110_000 && later.before.points == known.points);
    assert!(later.after.points > now.after.points, "who is less well known moves more");
    assert_eq!(rate(500), later, "the same numbers again");
    let beginner = Glicko.rate(ByColor { white: standing(0), black: None }, points, 0).black;
    assert_eq!(beginner.before, glicko::START);
    assert_eq!(
        rate(0),
        Glicko.rate(ByColor { white: standing(DAY), black: None }, points, 0).white,
        "no time is less than none"
    );
}
