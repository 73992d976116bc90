//! What a link leads to, and what it says of that in words: of a challenge, of a game, of a player.
//!
//! Deliberately absent: the words of each language (`catalogue`).

use zeitnot_protocol::{
    ByColor, Challenge, LiveGame, Period, PlayerView, TimeControl, WireColor, WireVariant,
};
use zeitnot_rules::game::Category;
use zeitnot_rules::notation::pgn::PgnResult;
use zeitnot_rules::verdict::{Outcome, Reason};

use super::catalogue::Catalogue;
use crate::http::own_pages::Language;

/// Title, description, and what the picture shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wording {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) picture: &'static str,
}

/// What a link leads to, in no language yet.
#[derive(Clone, Debug)]
pub(super) enum About {
    Challenge(Challenge),
    Live {
        game: LiveGame,
        is_rated: bool,
    },
    Stored {
        players: ByColor<PlayerView>,
        time_control: TimeControl,
        variant: WireVariant,
        is_rated: bool,
        outcome: Option<Outcome>,
        plies: u32,
    },
    Player {
        name: String,
        /// In each category that was played: the points, and whether they are provisional.
        ratings: Vec<(Category, u32, bool)>,
    },
}

impl About {
    /// What the link says in a language.
    pub(super) fn told(&self, language: Language) -> Wording {
        let words = Catalogue::of(language);
        match self {
            Self::Challenge(challenge) => told_challenge(words, challenge),
            Self::Live { game, is_rated } => {
                let terms = terms(words, game.variant, &game.time_control, *is_rated);
                let (before, after) = words.in_progress_move;
                let number = game.ply_count / 2 + 1;
                Wording {
                    title: pair(&game.players),
                    description: format!("{terms}. {before}{number}{after} {}", words.open_and_watch),
                    picture: words.position,
                }
            }
            Self::Stored { players, time_control, variant, is_rated, outcome, plies } => {
                let terms = terms(words, *variant, time_control, *is_rated);
                let (pair, moves) = (pair(players), (words.moves)(plies.div_ceil(2)));
                let (title, description) = match outcome {
                    Some(outcome) => {
                        let (score, end) = (PgnResult::of(Some(outcome)).token(), ending(words, outcome));
                        (format!("{pair}, {score}"), format!("{end}, {moves}. {terms}."))
                    }
                    None => (pair, format!("{terms}. {}, {moves}.", words.in_progress)),
                };
                Wording { title, description, picture: words.last_position }
            }
            Self::Player { name, ratings } => {
                let rating = |(category, points, is_provisional): &(Category, u32, bool)| {
                    let mark = if *is_provisional { "?" } else { "" };
                    format!("{} {points}{mark}", (words.category)(*category))
                };
                let told = ratings.iter().map(rating).collect::<Vec<_>>().join(", ");
                let games = if told.is_empty() { words.games } else { words.games_and_ratings };
                Wording {
                    title: name.clone(),
                    description: format!("{games}{told}."),
                    picture: words.first_position,
                }
            }
        }
    }
}

fn told_challenge(words: &'static Catalogue, challenge: &Challenge) -> Wording {
    let color = match challenge.color {
        Some(WireColor::White) => words.you_have_black,
        Some(WireColor::Black) => words.you_have_white,
        None => "",
    };
    let (before, after) = words.play_with;
    let (by, clock) = (named(&challenge.by), clock(words, &challenge.time_control));
    let terms = terms(words, challenge.variant, &challenge.time_control, challenge.rated);
    Wording {
        title: format!("{before}{by}{after}{clock}"),
        description: format!("{terms}.{color} {}", words.open_and_accept),
        picture: words.first_position,
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
fn terms(words: &Catalogue, variant: WireVariant, time_control: &TimeControl, is_rated: bool) -> String {
    let chess = match variant {
        WireVariant::Standard => words.chess[0],
        WireVariant::Chess960 => words.chess[1],
    };
    format!("{}, {}", chess[usize::from(is_rated)], clock(words, time_control))
}

/// `3+2`, `90+30 for 40 moves, then 30+30`, `3 days a move`, `without clocks`.
fn clock(words: &Catalogue, time_control: &TimeControl) -> String {
    match time_control {
        TimeControl::Clock { periods, .. } => {
            let periods: Vec<_> = periods.iter().map(|one| period(words, one)).collect();
            periods.join(words.then)
        }
        TimeControl::Days { days } => (words.days)(*days),
        TimeControl::Unlimited => words.unlimited.to_owned(),
    }
}

fn period(words: &Catalogue, period: &Period) -> String {
    let seconds = period.base_ms / 1_000;
    let base = match seconds % 60 {
        0 => format!("{}", seconds / 60),
        rest => format!("{}:{rest:02}", seconds / 60),
    };
    let bonus = period.increment_ms.or(period.delay_ms).or(period.bronstein_ms).unwrap_or(0) / 1_000;
    let (before, after) = words.for_moves;
    let moves = period.moves.map(|moves| format!("{before}{moves}{after}")).unwrap_or_default();
    format!("{base}+{bonus}{moves}")
}

fn ending(words: &Catalogue, outcome: &Outcome) -> String {
    let how = (words.how)(outcome.reason);
    match outcome.reason {
        Reason::Aborted | Reason::FirstMoveLimit | Reason::BothAway => how.to_owned(),
        _ => format!("{} {how}", (words.who)(outcome.score)),
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::AccountId;
    use zeitnot_rules::board::Color;

    use super::*;

    fn of_clock(base_ms: u32, increment_ms: u32) -> TimeControl {
        let period = Period { base_ms, increment_ms: Some(increment_ms), ..Period::default() };
        TimeControl::Clock { periods: vec![period], black_periods: None }
    }

    #[test]
    fn clocks_are_told_as_players_call_them() {
        let clock = |time_control: &TimeControl| super::clock(Catalogue::of(Language::English), time_control);
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
        let about = |outcome: Outcome, plies: u32| About::Stored {
            players: ByColor { white: rated.clone(), black: player("Castle") },
            time_control: of_clock(180_000, 2_000),
            variant: WireVariant::Standard,
            is_rated: false,
            outcome: Some(outcome),
            plies,
        };
        let resigned = about(Outcome::win(Color::Black, Reason::Resignation), 33);
        let told = resigned.told(Language::English);
        assert_eq!(told.title, "Rook (1623?) \u{2013} Castle, 0-1");
        assert_eq!(told.description, "Black won by resignation, 17 moves. Casual chess, 3+2.");
        for (language, description) in [
            (Language::German, "Schwarz gewinnt durch Aufgabe, 17 Züge. Freundschaftliche Partie, 3+2."),
            (Language::French, "Les Noirs gagnent par abandon, 17 coups. Partie amicale, 3+2."),
            (Language::Spanish, "Ganan las negras por abandono, 17 jugadas. Partida amistosa, 3+2."),
        ] {
            assert_eq!(resigned.told(language).description, description);
        }
        let draw = about(Outcome::draw(Reason::FiftyMoves), 1).told(Language::English);
        assert_eq!(draw.description, "Draw by the fifty-move rule, 1 move. Casual chess, 3+2.");
    }

    #[test]
    fn a_player_is_told_with_ratings() {
        let about = |ratings| About::Player { name: "Rook".to_owned(), ratings };
        let none = about(Vec::new()).told(Language::English);
        assert_eq!((&*none.title, &*none.description), ("Rook", "Chess games."));
        let ratings = vec![(Category::Blitz, 1_623, false), (Category::Chess960, 1_500, true)];
        let some = about(ratings).told(Language::English);
        assert_eq!(some.description, "Chess games and ratings: blitz 1623, Chess960 1500?.");
    }
}
