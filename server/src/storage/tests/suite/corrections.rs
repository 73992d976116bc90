//! Corrections of results: what a game counts as since then, in everything that a store answers; what games did to ratings.

use zeitnot_protocol::GameId;
use zeitnot_rules::game::{Category, Event, Tags};
use zeitnot_rules::verdict::Score;

use super::{ALICE, BOB, Subject, standing};
use crate::storage::tests::samples::{ended, game, moved, started, started_rated};
use crate::storage::{
    CORRECTIONS_MAX, Corrected, Correction, Counts, FacetFilter, JournalOffset, Points, RatingCause, Search,
};

/// When results are corrected.
const AT: u64 = 1_763_000_100_000;

fn to(score: Score) -> Correction {
    Correction { score, at_unix_ms: AT }
}

fn from(score: Score, is_rated: bool) -> Corrected {
    Corrected::From { score, is_rated }
}

async fn correct(subject: &Subject, game: GameId, score: Score) -> Corrected {
    subject.store.correct(game, to(score)).await.unwrap()
}

/// A rated game that White has won, of two plies.
async fn play_rated(subject: &Subject, id: GameId) {
    let mut offset = subject.append(JournalOffset::NONE, started_rated(id)).await;
    for seq in [2, 3] {
        offset = subject.append(offset, moved(id, seq)).await;
    }
    subject.append(offset, ended(id, 4)).await;
}

async fn points(subject: &Subject) -> [u32; 2] {
    let (alice, bob) = (standing(&subject.store, ALICE).await, standing(&subject.store, BOB).await);
    [alice, bob].map(|standing| standing.unwrap().rating.points)
}

async fn games(subject: &Subject) -> u32 {
    standing(&subject.store, BOB).await.unwrap().games
}

/// The games that a search by result finds.
async fn found(subject: &Subject, score: Score) -> Vec<GameId> {
    let kind = FacetFilter { score: Some(score), ..FacetFilter::default() };
    let page = subject.store.search(Search { kind, ..Search::default() }, None, 9).await.unwrap();
    page.games.iter().map(|found| found.game).collect()
}

async fn a_corrected_game_counts_as_that_everywhere_and_its_records_stay(subject: Subject) {
    play_rated(&subject, game(1)).await;
    play_rated(&subject, game(2)).await;
    let (records, before) = (subject.records(game(1), 1).await, points(&subject).await);
    assert_eq!(correct(&subject, game(1), Score::BlackWins).await, from(Score::WhiteWins, true));

    let store = &subject.store;
    let tail = store.tail(game(1), 1).await.unwrap();
    assert_eq!((tail.correction, subject.records(game(1), 1).await), (Some(to(Score::BlackWins)), records));
    assert_eq!(store.tail(game(2), 1).await.unwrap().correction, None);
    assert_eq!(found(&subject, Score::WhiteWins).await, [game(2)]);
    assert_eq!(found(&subject, Score::BlackWins).await, [game(1)]);
    let all = store.search(Search::default(), None, 9).await.unwrap().games;
    let corrections: Vec<_> = all.iter().map(|found| found.correction).collect();
    assert_eq!(corrections, [None, Some(to(Score::BlackWins))]);
    let counts = Counts { white: 1, black: 1, ..Counts::default() };
    assert_eq!(store.count(Search::default()).await, Ok(counts));

    let after = points(&subject).await;
    assert!(after[0] < before[0] && after[1] > before[1], "{before:?}, {after:?}");
    let history = store.rating_history(BOB, Category::Blitz, None, 9).await.unwrap();
    let causes: Vec<_> = history.iter().map(|event| (event.number, event.cause, event.game)).collect();
    let (by_game, by_correction) = (RatingCause::Game, RatingCause::Correction);
    assert_eq!(causes, [(3, by_correction, game(1)), (2, by_game, game(2)), (1, by_game, game(1))]);
    assert_eq!((history[0].points, history[0].games, history[0].at_unix_ms), (Some(Points::Win), 2, AT));
    let changes = store.rating_changes(game(1)).await.unwrap().unwrap();
    assert_eq!(changes.white.before, history[2].opponent_rating);
    assert!(changes.white.given() < 0 && changes.black.given() > 0, "with its correction: {changes:?}");
}

async fn the_same_correction_again_changes_nothing_and_another_one_is_one_more(subject: Subject) {
    play_rated(&subject, game(1)).await;
    let played = points(&subject).await;
    assert_eq!(correct(&subject, game(1), Score::WhiteWins).await, Corrected::Same);
    assert_eq!(correct(&subject, game(1), Score::Draw).await, from(Score::WhiteWins, true));
    assert_eq!(correct(&subject, game(1), Score::Draw).await, Corrected::Same);
    let number = standing(&subject.store, ALICE).await.unwrap().number;
    assert_eq!((number, games(&subject).await), (2, 1));
    assert_eq!(correct(&subject, game(1), Score::NoResult).await, from(Score::Draw, true));
    assert_eq!(
        (points(&subject).await, games(&subject).await),
        ([1_500_000; 2], 0),
        "as if it were not there"
    );
    assert_eq!(found(&subject, Score::NoResult).await, [game(1)]);
    assert_eq!(correct(&subject, game(1), Score::WhiteWins).await, from(Score::NoResult, true));
    assert_eq!((points(&subject).await, games(&subject).await), (played, 1), "there and back");
    let all = subject.store.search(Search::default(), None, 9).await.unwrap().games;
    let ended = all[0].ended().unwrap();
    assert_eq!((ended.correction, ended.outcome), (None, ended.played), "as it was played out");
    assert_eq!(found(&subject, Score::WhiteWins).await, [game(1)]);
}

/// A list of games says of each what it did to ratings, as a look at the game does.
async fn a_search_tells_what_each_game_has_done_to_ratings(subject: Subject) {
    play_rated(&subject, game(1)).await;
    let casual = subject.play(game(2), 2).await;
    subject.append(casual, ended(game(2), 4)).await;
    let short = subject.append(JournalOffset::NONE, started_rated(game(3))).await;
    subject.append(short, ended(game(3), 2)).await;
    play_rated(&subject, game(4)).await;
    play_rated(&subject, game(5)).await;
    correct(&subject, game(4), Score::BlackWins).await;
    correct(&subject, game(4), Score::Draw).await;
    let all = subject.store.search(Search::default(), None, 9).await.unwrap().games;
    assert_eq!(all.iter().map(|found| found.game).collect::<Vec<_>>(), [5, 4, 3, 2, 1].map(game));
    for found in &all {
        assert_eq!(Ok(found.ratings), subject.store.rating_changes(found.game).await, "{}", found.game);
    }
    let told: Vec<_> = all.iter().map(|found| found.ratings.map(|both| both.white.given() > 0)).collect();
    assert_eq!(told, [Some(true), Some(false), None, None, Some(true)]);
    // Of a page that begins and ends among them, too.
    let page = subject.store.search(Search::default(), Some(all[0].place), 2).await.unwrap().games;
    assert_eq!(page, all[1..3]);
}

async fn only_games_that_have_ended_here_are_corrected_and_casual_ones_change_no_rating(subject: Subject) {
    let offset = subject.play(game(1), 2).await;
    for unended in [game(1), game(9)] {
        assert_eq!(correct(&subject, unended, Score::Draw).await, Corrected::NotEnded);
    }
    subject.append(offset, ended(game(1), 4)).await;
    assert_eq!(correct(&subject, game(1), Score::BothLose).await, from(Score::WhiteWins, false));
    assert_eq!(
        (standing(&subject.store, ALICE).await, found(&subject, Score::BothLose).await),
        (None, vec![game(1)])
    );
    let mut imported = started(game(2));
    let Event::Started(setup) = &mut imported.events[0] else { panic!("no start") };
    setup.imported = Some(Tags::default());
    let offset = subject.append(JournalOffset::NONE, imported).await;
    subject.append(offset, ended(game(2), 2)).await;
    assert_eq!(correct(&subject, game(2), Score::Draw).await, Corrected::Imported);
    // Too short to count, whatever its result.
    let short = subject.append(JournalOffset::NONE, started_rated(game(3))).await;
    subject.append(short, ended(game(3), 2)).await;
    assert_eq!(correct(&subject, game(3), Score::Draw).await, from(Score::WhiteWins, false));
}

async fn a_game_is_corrected_only_so_often(subject: Subject) {
    play_rated(&subject, game(1)).await;
    for number in 0..CORRECTIONS_MAX {
        let score = if number % 2 == 0 { Score::Draw } else { Score::BlackWins };
        assert!(matches!(correct(&subject, game(1), score).await, Corrected::From { .. }), "{number}");
    }
    let (kept, before) = (points(&subject).await, standing(&subject.store, ALICE).await);
    assert_eq!(correct(&subject, game(1), Score::BlackWins).await, Corrected::Same);
    assert_eq!(correct(&subject, game(1), Score::NoResult).await, Corrected::TooMany);
    assert_eq!((points(&subject).await, standing(&subject.store, ALICE).await), (kept, before));
}

async fn corrections_survive_a_restart(subject: Subject) {
    play_rated(&subject, game(1)).await;
    correct(&subject, game(1), Score::Draw).await;
    correct(&subject, game(1), Score::BlackWins).await;
    let (before, number) = (points(&subject).await, standing(&subject.store, BOB).await.unwrap().number);
    let Some((subject, ..)) = subject.restart() else { return };
    assert_eq!((points(&subject).await, number), (before, 3));
    assert_eq!(subject.store.tail(game(1), 1).await.unwrap().correction, Some(to(Score::BlackWins)));
    assert_eq!(correct(&subject, game(1), Score::BlackWins).await, Corrected::Same);
    assert_eq!(correct(&subject, game(1), Score::WhiteWins).await, from(Score::BlackWins, true));
}

over_every_store! {
    a_corrected_game_counts_as_that_everywhere_and_its_records_stay
    the_same_correction_again_changes_nothing_and_another_one_is_one_more
    a_search_tells_what_each_game_has_done_to_ratings
    only_games_that_have_ended_here_are_corrected_and_casual_ones_change_no_rating
    a_game_is_corrected_only_so_often
    corrections_survive_a_restart
}
