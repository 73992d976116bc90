//! What the archive is searched by: of each game that has ended who played it, what kind of game it was, and which
//! positions were on the board in its first plies.
//!
//! All of it follows from the records of the game and the last correction of its result, so an index of it can be made again
//! from the archive at any time.
//!
//! Deliberately absent: where it is kept (`sqlite`, `memory`), and what somebody looks for ([`Search`](super::Search)).
//!
//! Invariants: a [`Facet`] never changes its meaning, because stored rows have it; nor does a [`PositionKey`], because the
//! keys of the position hash never change.

use std::sync::Arc;

use zeitnot_protocol::AccountId;
use zeitnot_rules::board::{ByColor, Color, Move, Position};
use zeitnot_rules::game::{Category, GameSetup};
use zeitnot_rules::verdict::{Outcome, Reason, Score};

use super::encoding::result_tags;
use super::{Correction, EndedGame, Record};

/// Plies after which a position is no longer indexed: openings are looked for, and most later positions are in one game.
pub const INDEXED_PLIES: usize = 30;

/// A player as the archive is searched for one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Who {
    /// An account.
    Account(AccountId),
    /// Somebody who has no account here, by name in small letters without white space: see [`Who::named`].
    Name(String),
}

impl Who {
    /// Somebody without an account, whatever the case of the name's letters and wherever there is white space:
    /// `Carlsen,Magnus` and `CARLSEN, Magnus` are one.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self::Name(name.split_whitespace().collect::<String>().to_lowercase())
    }

    /// Who had a seat; `None` for somebody without an account whose name is not known.
    fn at(setup: &GameSetup, seat: Color) -> Option<Self> {
        match setup.players[seat] {
            0 => setup.name_elsewhere(seat).map(Self::named),
            account => Some(Self::Account(AccountId::from_u128(account))),
        }
    }
}

/// What kind of game it was, in twelve bits: from the lowest, four of the reason, three of the score, three of the
/// category, whether it was rated, whether it was imported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Facet(pub u16);

impl Facet {
    const SCORE: u16 = 4;
    const CATEGORY: u16 = 7;
    const RATED: u16 = 10;
    const IMPORTED: u16 = 11;

    fn of(setup: &GameSetup, outcome: &Outcome) -> Self {
        let (score, reason) = result_tags(outcome);
        Self(
            u16::from(reason)
                | u16::from(score) << Self::SCORE
                | category_tag(setup.category()) << Self::CATEGORY
                | u16::from(setup.rated) << Self::RATED
                | u16::from(setup.imported.is_some()) << Self::IMPORTED,
        )
    }

    /// Whether the game ended so.
    #[must_use]
    pub fn has_score(self, score: Score) -> bool {
        self.0 >> Self::SCORE & 7 == score_tag(score)
    }
}

fn score_tag(score: Score) -> u16 {
    result_tags(&Outcome { score, reason: Reason::Arbiter, proof: None }).0.into()
}

fn reason_tag(reason: Reason) -> u16 {
    result_tags(&Outcome { score: Score::Draw, reason, proof: None }).1.into()
}

fn category_tag(category: Category) -> u16 {
    match category {
        Category::Bullet => 0,
        Category::Blitz => 1,
        Category::Rapid => 2,
        Category::Classical => 3,
        Category::Correspondence => 4,
        Category::Chess960 => 5,
    }
}

/// Which kinds of games are looked for. What is `None` may be anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FacetFilter {
    /// The result.
    pub score: Option<Score>,
    /// How it ended.
    pub reason: Option<Reason>,
    /// The category.
    pub category: Option<Category>,
    /// Whether it was rated.
    pub rated: Option<bool>,
    /// Whether it was imported.
    pub imported: Option<bool>,
}

impl FacetFilter {
    /// The bits that count, and what they must be.
    #[must_use]
    pub fn mask(&self) -> FacetMask {
        let parts = [
            (self.reason.map(reason_tag), 0xf, 0),
            (self.score.map(score_tag), 7, Facet::SCORE),
            (self.category.map(category_tag), 7, Facet::CATEGORY),
            (self.rated.map(u16::from), 1, Facet::RATED),
            (self.imported.map(u16::from), 1, Facet::IMPORTED),
        ];
        let mut mask = FacetMask { bits: 0, values: 0 };
        for (value, width, at) in parts {
            if let Some(value) = value {
                mask.bits |= width << at;
                mask.values |= value << at;
            }
        }
        mask
    }
}

/// A [`FacetFilter`], ready to be compared with many facets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FacetMask {
    pub(super) bits: u16,
    pub(super) values: u16,
}

impl FacetMask {
    /// Whether a game of this kind is looked for.
    #[must_use]
    pub const fn takes(self, facet: Facet) -> bool {
        facet.0 & self.bits == self.values
    }

    /// Whether any game is.
    #[must_use]
    pub const fn takes_all(self) -> bool {
        self.bits == 0
    }
}

/// The first 48 bits of a position's hash. Among the twenty million positions of a million games another one has the key
/// of the one that is looked for with odds of one in ten million, so nothing else is compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PositionKey(pub i64);

impl PositionKey {
    /// The key of a position.
    #[must_use]
    pub const fn of(position: &Position) -> Self {
        // With its sign the number takes six bytes of a row.
        Self((position.zobrist() as i64) >> 16)
    }
}

/// What the archive is searched by, of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameFacts {
    /// What kind of game it was.
    pub facet: Facet,
    /// Who played.
    pub players: ByColor<Option<Who>>,
    /// What was on the board, each once, in order.
    pub positions: Vec<PositionKey>,
}

impl GameFacts {
    /// Those of a game with these records and this last correction; `None` when they do not begin a game and end it.
    #[must_use]
    pub fn of(records: &[Arc<Record>], correction: Option<Correction>) -> Option<Self> {
        EndedGame::of(records, correction).map(|ended| Self::of_ended(&ended))
    }

    /// Those of a game.
    #[must_use]
    pub fn of_ended(ended: &EndedGame<'_>) -> Self {
        let (setup, mut opening) = (ended.setup, ended.moves());
        opening.truncate(INDEXED_PLIES);
        Self {
            facet: Facet::of(setup, ended.outcome),
            players: ByColor { white: Who::at(setup, Color::White), black: Who::at(setup, Color::Black) },
            positions: positions(&setup.start, &opening),
        }
    }
}

/// The keys of a position and of those after each of these moves, up to one that is not legal.
fn positions(start: &Position, moves: &[Move]) -> Vec<PositionKey> {
    let (mut position, mut keys) = (start.clone(), vec![PositionKey::of(start)]);
    for mv in moves {
        if position.play(*mv).is_err() {
            break;
        }
        keys.push(PositionKey::of(&position));
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// What a row of a player says of one who played both sides, as the same name of an imported game may.
pub(super) const BOTH_SEATS: i64 = 3;

/// What it says of who played this side.
pub(super) const fn seat_bit(seat: Color) -> i64 {
    match seat {
        Color::White => 1,
        Color::Black => 2,
    }
}

/// The rows of a game's players: the seats, the player, and the opponent.
pub(crate) fn seats_of<P: Copy + PartialEq>(
    white: Option<P>,
    black: Option<P>,
) -> impl Iterator<Item = (i64, P, Option<P>)> {
    let is_one = white == black;
    let [of_white, of_black] = Color::ALL.map(seat_bit);
    let first = white.map(|white| (if is_one { BOTH_SEATS } else { of_white }, white, black));
    let second = black.filter(|_| !is_one).map(|black| (of_black, black, white));
    first.into_iter().chain(second)
}
