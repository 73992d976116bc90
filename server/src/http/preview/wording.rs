//! What a link says in words: of a challenge, of a game, of a player. In English, because nobody knows who reads it.

use std::fmt::Write as _;

use zeitnot_protocol::{
    ByColor, Challenge, LiveGame, Period, PlayerView, TimeControl, WireColor, WireVariant,
};
use zeitnot_rules::game::{Category, GameSetup};
use zeitnot_rules::notation::pgn::PgnResult;
use zeitnot_rules::verdict::{Outcome, Reason, Score};

/// Title, description, and what the picture shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wording {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) picture: String,
}

impl Wording {
    pub(super) fn challenge(challenge: &Challenge) -> Self {
        let by = named(&challenge.by);
        let clock = clock(&challenge.time_control);
        let color = match challenge.color {
            Some(WireColor::White) => " You have Black.",
            Some(WireColor::Black) => " You have White.",
            None => "",
        };
        let terms = terms(challenge.variant, &challenge.time_control, challenge.rated);
        Self {
            title: format!("Play chess with {by}: {clock}"),
            description: format!("{terms}.{color} Open the link and accept."),
            picture: "The first position".to_owned(),
        }
    }

    pub(super) fn live(game: &LiveGame, is_rated: bool) -> Self {
        let terms = terms(game.variant, &game.time_control, is_rated);
        let said = format!("{terms}. In progress, move {}. Open the link and watch.", game.ply_count / 2 + 1);
        Self {
            title: pair(&game.players),
            description: said,
            picture: "The position on the board".to_owned(),
        }
    }

    pub(super) fn stored(
        players: &ByColor<PlayerView>,
        time_control: &TimeControl,
        setup: &GameSetup,
        outcome: Option<&Outcome>,
        plies: u32,
    ) -> Self {
        let terms = terms(setup.variant.into(), time_control, setup.rated);
        let pair = pair(players);
        let moves = plies.div_ceil(2);
        let moves = if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") };
        let (title, description) = match outcome {
            Some(outcome) => {
                let (score, end) = (PgnResult::of(Some(outcome)).token(), ending(outcome));
                (format!("{pair}, {score}"), format!("{end}, {moves}. {terms}."))
            }
            None => (pair, format!("{terms}. In progress, {moves}.")),
        };
        Self { title, description, picture: "The last position".to_owned() }
    }

    pub(super) fn player(name: &str, ratings: impl Iterator<Item = (Category, u32, bool)>) -> Self {
        let mut description = "Chess games".to_owned();
        for (index, (category, rating, is_provisional)) in ratings.enumerate() {
            let before = if index == 0 { " and ratings: " } else { ", " };
            let mark = if is_provisional { "?" } else { "" };
            // Writing to a text does not fail.
            write!(description, "{before}{} {rating}{mark}", category_name(category)).ok();
        }
        description.push('.');
        Self { title: name.to_owned(), description, picture: "The first position".to_owned() }
    }
}

const fn category_name(category: Category) -> &'static str {
    match category {
        Category::Bullet => "bullet",
        Category::Blitz => "blitz",
        Category::Rapid => "rapid",
        Category::Classical => "classical",
        Category::Correspondence => "correspondence",
        Category::Chess960 => "Chess960",
    }
}

/// A player's name, with the rating if there is one.
fn named(player: &PlayerView) -> String {
    let mark = if player.provisional { "?" } else { "" };
    match player.rating {
        Some(rating) => format!("{} ({rating}{mark})", player.name),
        None => player.name.clone(),
    }
}

fn pair(players: &ByColor<PlayerView>) -> String {
    format!("{} \u{2013} {}", named(&players.white), named(&players.black))
}

/// `Rated blitz` has no word for most clocks, so the clock itself is told: `Rated chess, 3+2`.
fn terms(variant: WireVariant, time_control: &TimeControl, is_rated: bool) -> String {
    let rated = if is_rated { "Rated" } else { "Casual" };
    let chess = match variant {
        WireVariant::Standard => "chess",
        WireVariant::Chess960 => "Chess960",
    };
    format!("{rated} {chess}, {}", clock(time_control))
}

/// `3+2`, `90+30 for 40 moves, then 30+30`, `3 days a move`, `without clocks`.
fn clock(time_control: &TimeControl) -> String {
    match time_control {
        TimeControl::Clock { periods, .. } => {
            let periods: Vec<_> = periods.iter().map(period).collect();
            periods.join(", then ")
        }
        TimeControl::Days { days: 1 } => "1 day a move".to_owned(),
        TimeControl::Days { days } => format!("{days} days a move"),
        TimeControl::Unlimited => "without clocks".to_owned(),
    }
}

fn period(period: &Period) -> String {
    let seconds = period.base_ms / 1_000;
    let base = match seconds % 60 {
        0 => format!("{}", seconds / 60),
        rest => format!("{}:{rest:02}", seconds / 60),
    };
    let bonus = period.increment_ms.or(period.delay_ms).or(period.bronstein_ms).unwrap_or(0) / 1_000;
    let moves = period.moves.map(|moves| format!(" for {moves} moves")).unwrap_or_default();
    format!("{base}+{bonus}{moves}")
}

fn ending(outcome: &Outcome) -> String {
    let how = match outcome.reason {
        Reason::Checkmate => "by checkmate",
        Reason::Resignation => "by resignation",
        Reason::Stalemate => "by stalemate",
        Reason::DeadPosition => "in a dead position",
        Reason::Agreement => "by agreement",
        Reason::FlagFall => "on time",
        Reason::ThreefoldRepetition => "by threefold repetition",
        Reason::FiftyMoves => "by the fifty-move rule",
        Reason::FivefoldRepetition => "by fivefold repetition",
        Reason::SeventyFiveMoves => "by the seventy-five-move rule",
        Reason::Abandonment => "because the opponent left",
        Reason::Aborted => return "The game was aborted".to_owned(),
        Reason::FirstMoveLimit => return "The game ended before it began".to_owned(),
        Reason::BothAway => return "Both players left".to_owned(),
        Reason::Arbiter => "by the arbiter",
    };
    let who = match outcome.score {
        Score::WhiteWins => "White won",
        Score::BlackWins => "Black won",
        Score::Draw => "Draw",
        Score::BothLose | Score::HalfToWhite | Score::HalfToBlack => "Decided",
        Score::NoResult => "Without a result",
    };
    format!("{who} {how}")
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::AccountId;
    use zeitnot_rules::board::{Color, Position};
    use zeitnot_rules::game::Profile;

    use super::*;

    fn of_clock(base_ms: u32, increment_ms: u32) -> TimeControl {
        let period = Period { base_ms, increment_ms: Some(increment_ms), ..Period::default() };
        TimeControl::Clock { periods: vec![period], black_periods: None }
    }

    #[test]
    fn clocks_are_told_as_players_call_them() {
        assert_eq!(clock(&of_clock(180_000, 2_000)), "3+2");
        assert_eq!(clock(&of_clock(30_000, 0)), "0:30+0");
        let long =
            Period { moves: Some(40), base_ms: 5_400_000, increment_ms: Some(30_000), ..Period::default() };
        let rest = Period { base_ms: 1_800_000, delay_ms: Some(5_000), ..Period::default() };
        let both = TimeControl::Clock { periods: vec![long, rest], black_periods: None };
        assert_eq!(clock(&both), "90+30 for 40 moves, then 30+5");
        assert_eq!(clock(&TimeControl::Days { days: 3 }), "3 days a move");
    }

    #[test]
    fn a_game_says_who_played_and_how_it_ended() {
        let player = |name: &str| PlayerView::unrated(AccountId::from_u128(1), name.to_owned());
        let rated = PlayerView { rating: Some(1_623), provisional: true, ..player("Rook") };
        let players = ByColor { white: rated, black: player("Castle") };
        let ids = zeitnot_rules::board::ByColor { white: 1, black: 2 };
        let unlimited = zeitnot_rules::game::TimeControl::Unlimited;
        let setup = GameSetup::casual(ids, unlimited, Profile::casual(), 0);
        assert_eq!(setup.start, Position::standard());
        let outcome = Outcome::win(Color::Black, Reason::Resignation);
        let wording = Wording::stored(&players, &of_clock(180_000, 2_000), &setup, Some(&outcome), 33);
        assert_eq!(wording.title, "Rook (1623?) \u{2013} Castle, 0-1");
        assert_eq!(wording.description, "Black won by resignation, 17 moves. Casual chess, 3+2.");
        let draw = Outcome::draw(Reason::FiftyMoves);
        let wording = Wording::stored(&players, &of_clock(180_000, 2_000), &setup, Some(&draw), 1);
        assert_eq!(wording.description, "Draw by the fifty-move rule, 1 move. Casual chess, 3+2.");
    }

    #[test]
    fn a_player_is_told_with_ratings() {
        let none = Wording::player("Rook", std::iter::empty());
        assert_eq!((&*none.title, &*none.description), ("Rook", "Chess games."));
        let ratings = [(Category::Blitz, 1_623, false), (Category::Chess960, 1_500, true)];
        let some = Wording::player("Rook", ratings.into_iter());
        assert_eq!(some.description, "Chess games and ratings: blitz 1623, Chess960 1500?.");
    }
}
