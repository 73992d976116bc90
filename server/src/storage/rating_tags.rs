//! Numbers that stand for categories, points, causes and sides in rows of ratings. None is ever given a second meaning.

use zeitnot_rules::board::Color;
use zeitnot_rules::game::Category;

use super::rating::{Points, RatingCause};

/// The number of a category.
pub(crate) const fn category_tag(category: Category) -> u8 {
    match category {
        Category::Bullet => 1,
        Category::Blitz => 2,
        Category::Rapid => 3,
        Category::Classical => 4,
        Category::Correspondence => 5,
        Category::Chess960 => 6,
    }
}

/// The category of a number; `None` when there is none.
pub(super) fn category_of(tag: u8) -> Option<Category> {
    Category::ALL.into_iter().find(|category| category_tag(*category) == tag)
}

/// The number of what a player has got; `None` stands for a game that counts no longer.
pub(super) const fn points_tag(points: Option<Points>) -> u8 {
    match points {
        Some(Points::Loss) => 0,
        Some(Points::Draw) => 1,
        Some(Points::Win) => 2,
        None => 3,
    }
}

/// A number that stands for nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct UnknownTag;

/// What a player has got, by its number.
pub(super) fn points_of(tag: u8) -> Result<Option<Points>, UnknownTag> {
    let all = [Some(Points::Loss), Some(Points::Draw), Some(Points::Win), None];
    all.into_iter().find(|points| points_tag(*points) == tag).ok_or(UnknownTag)
}

/// The number of a cause.
pub(super) const fn cause_tag(cause: RatingCause) -> u8 {
    match cause {
        RatingCause::Game => 1,
        RatingCause::Correction => 2,
    }
}

/// The cause of a number; `None` when there is none.
pub(super) fn cause_of(tag: u8) -> Option<RatingCause> {
    [RatingCause::Game, RatingCause::Correction].into_iter().find(|cause| cause_tag(*cause) == tag)
}

/// The number of a side.
pub(super) const fn color_tag(color: Color) -> u8 {
    color.index() as u8
}

/// The side of a number; `None` when there is none.
pub(super) fn color_of(tag: u8) -> Option<Color> {
    Color::ALL.into_iter().find(|color| color_tag(*color) == tag)
}
