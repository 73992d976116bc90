//! Tests of what the lobby shows: an update applied to a view gives the next view, and neither is too
//! long.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use zeitnot_protocol::{
    AccountId, ByColor, CreateChallenge, GameId, GameOptions, LiveGame, Period, PlayerView, PoolId,
    ServerMessage, TimeControl, WireColor, WireVariant,
};
use zeitnot_rules::board::{ByColor as BySide, Color};
use zeitnot_rules::game::Micros;

use super::*;
use crate::games::ClockReading;

const FRAME_MAX: usize = Limits::STANDARD.frame_out_bytes as usize;

/// As long as a time control can be.
fn longest() -> TimeControl {
    let period = Period {
        moves: Some(200),
        base_ms: 86_400_000,
        increment_ms: Some(3_600_000),
        delay_ms: None,
        bronstein_ms: None,
    };
    TimeControl::Clock { periods: vec![period; 8], black_periods: Some(vec![period; 8]) }
}

fn player(number: u128) -> PlayerView {
    let unrated = PlayerView::unrated(AccountId::from_u128(number), "a_name_of_20_letters".to_owned());
    PlayerView { rating: Some(4_000), provisional: true, bot: true, ..unrated }
}

fn seek(number: u128, time_control: TimeControl) -> Challenge {
    let CreateChallenge { variant, .. } = CreateChallenge::with(time_control.clone());
    Challenge {
        challenge: ChallengeId::from_random(number),
        id: None,
        by: player(number),
        to: None,
        seek: true,
        rematch_of: None,
        color: None,
        variant,
        fen: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned()),
        time_control,
        options: GameOptions::default(),
        rated: true,
        rating_min: Some(4_000),
        rating_max: Some(4_000),
        accepted_by: None,
        ends_in_ms: None,
    }
}

fn game(number: u128, time_control: TimeControl) -> LiveBoard {
    let game = LiveGame {
        game: GameId::from_random(number),
        players: ByColor { white: player(1), black: player(2) },
        variant: WireVariant::Standard,
        time_control,
        rated: true,
        fen: "r1bqkb1r/pp1ppppp/2n2n2/2p5/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 100 1000".to_owned(),
        last: "e7e8q".parse().ok(),
        ply_count: 1_000,
        watchers: 1_000_000,
        white_ms: None,
        black_ms: None,
        running: None,
    };
    LiveBoard { game, clocks: Some(reading(u64::MAX)) }
}

/// Clocks that show as much as they can; White's runs, and shows 0 at `zero`.
fn reading(zero: u64) -> ClockReading {
    let clocks = Some(BySide { white: Micros(60_000_000), black: Micros(u64::MAX) });
    let running = Some((Color::White, ServiceInstant(zero)));
    ClockReading { seq: 1, clocks, running, base: 1, began: None, first_move: None }
}

fn games(numbers: impl IntoIterator<Item = u128>) -> Vec<LiveBoard> {
    numbers.into_iter().map(|number| game(number, TimeControl::Unlimited)).collect()
}

fn ids(live: &LiveView) -> Vec<GameId> {
    live.games.iter().map(|board| board.game.game).collect()
}

/// A view in which one person is here.
fn view(seeks: impl IntoIterator<Item = Challenge>, pools: Vec<PoolView>, live: LiveView) -> LobbyView {
    LobbyView::new(seeks, pools, 1, live)
}

const NOW: ServiceInstant = ServiceInstant(7);

fn id(number: u128) -> GameId {
    GameId::from_random(number)
}

#[test]
fn nothing_is_no_game() {
    assert_eq!(live_games(0, &[], None), LiveView::default());
}

#[test]
fn the_first_game_is_featured_until_there_is_one_that_stays() {
    let live = live_games(3, &games([3, 1, 2]), None);
    assert_eq!((live.total, live.featured), (3, Some(id(3))));
    assert_eq!(ids(&live), [id(3), id(1), id(2)]);
    let stays = live_games(3, &games([3, 1, 2]), Some(&game(2, TimeControl::Unlimited)));
    assert_eq!(stays.featured, Some(id(2)));
    assert_eq!(ids(&stays), [id(3), id(1), id(2)], "its place is that of its watchers");
}

#[test]
fn the_featured_game_is_among_twelve_whatever_its_place() {
    let live = live_games(100, &games(0..12), Some(&game(50, TimeControl::Unlimited)));
    assert_eq!(live.games.len(), 12);
    assert_eq!(ids(&live)[10..], [id(10), id(50)]);
    assert_eq!((live.total, live.featured), (100, Some(id(50))));
}

#[test]
fn the_longest_games_are_as_many_as_fit_and_the_featured_one_is_among_them() {
    let many = (0..12).map(|number| game(number, longest())).collect::<Vec<_>>();
    let live = live_games(12, &many, Some(&game(11, longest())));
    assert!((4..12).contains(&live.games.len()), "{}", live.games.len());
    assert_eq!(ids(&live).last(), Some(&id(11)));
}

#[test]
fn of_too_many_seeks_the_newest_are_shown_oldest_first() {
    let newest_first = (0..50).rev().map(|number| seek(number, longest()));
    let shown = view(newest_first, Vec::new(), LiveView::default()).seeks;
    assert!((5..50).contains(&shown.len()), "{}", shown.len());
    assert_eq!(shown.last().unwrap().challenge, ChallengeId::from_random(49));
    assert!(shown.is_sorted_by_key(|seek| seek.by.account));
}

#[test]
fn no_frame_is_too_long() {
    let pools = |waiting| PoolId::ALL.iter().map(move |&pool| PoolView { pool, waiting }).collect();
    let full = |from: u128, waiting| {
        let seeks = (from..from + 50).rev().map(|number| seek(number, longest()));
        let live =
            live_games(1_000_000, &(0..12).map(|n| game(from + n, longest())).collect::<Vec<_>>(), None);
        view(seeks, pools(waiting), live)
    };
    let short = (0..50).map(|number| seek(1_000 + number, TimeControl::Unlimited));
    let before = view(short, pools(1), LiveView::default());
    let after = full(0, u32::MAX);
    let id = "x".repeat(32).parse().ok();
    assert!(ServerMessage::Lobby(after.message(id, NOW)).to_text().len() <= FRAME_MAX);
    let news = news(&before, &after, NOW).unwrap();
    assert!(news.gone.len() > 30 && news.seeks.len() > 5 && news.live.is_some());
    assert!(ServerMessage::LobbyNews(news).to_text().len() <= FRAME_MAX);
}

#[test]
fn no_change_is_no_news() {
    let view = view([seek(1, TimeControl::Unlimited)], Vec::new(), live_games(1, &games([1]), None));
    assert_eq!(news(&view, &view, NOW), None);
}

/// What a client makes of news.
fn apply(lobby: &mut Lobby, news: LobbyNews) {
    let is_told_again = |seek: &Challenge| news.seeks.iter().any(|new| new.challenge == seek.challenge);
    lobby.seeks.retain(|seek| !news.gone.contains(&seek.challenge) && !is_told_again(seek));
    lobby.seeks.extend(news.seeks);
    for pool in &mut lobby.pools {
        if let Some(new) = news.pools.iter().find(|new| new.pool == pool.pool) {
            *pool = *new;
        }
    }
    lobby.here = news.here.unwrap_or(lobby.here);
    if let Some(live) = news.live {
        lobby.live = live;
    }
}

#[test]
fn news_applied_to_a_lobby_give_the_next_one() {
    let mut rng = StdRng::seed_from_u64(1);
    let mut next = |_| {
        let mut numbers = (0..60_u128).filter(|_| rng.random_bool(0.5)).collect::<Vec<_>>();
        numbers.reverse();
        let seeks = numbers.into_iter().map(|number| seek(number, TimeControl::Unlimited));
        let view = |&pool| PoolView { pool, waiting: rng.random_range(0..3) };
        let pools = PoolId::ALL.iter().map(view).collect();
        let shown = games(0..rng.random_range(0..3));
        let live = live_games(shown.len(), &shown, None);
        LobbyView::new(seeks, pools, rng.random_range(0..3), live)
    };
    let boards = (0..50).map(&mut next).collect::<Vec<_>>();
    let mut lobby = boards[0].message(None, NOW);
    for (before, after) in boards.iter().zip(&boards[1..]) {
        apply(&mut lobby, news(before, after, NOW).unwrap());
        lobby.seeks.sort_by_key(|seek| seek.by.account);
        assert_eq!(lobby, after.message(None, NOW));
    }
}

#[test]
fn clocks_are_those_of_the_instant_at_which_the_message_is_written() {
    let board = LiveBoard { clocks: Some(reading(100_000_000)), ..game(1, TimeControl::Unlimited) };
    let view = view([], Vec::new(), live_games(1, &[board], None));
    assert!(view.has_running_clocks());
    let shown = |at| {
        let game = view.message(None, ServiceInstant(at)).live.games.remove(0);
        (game.white_ms, game.running)
    };
    assert_eq!(shown(0), (Some(60_000), Some(WireColor::White)), "it still stands");
    assert_eq!(shown(70_000_000), (Some(30_000), Some(WireColor::White)));
    assert_eq!(shown(200_000_000), (Some(0), Some(WireColor::White)));
    assert_eq!(news(&view, &view, ServiceInstant(70_000_000)), None, "that time goes on is no news");
}
