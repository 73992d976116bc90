//! Openings by name, or by a part of it, or by code: those that a text may mean, and the positions of all that it means.
//!
//! Names are compared by their words, in large or small letters, with accents or without, so that nobody has to know how
//! the list spells them.
//!
//! Deliberately absent: names in other languages than English.

use std::sync::LazyLock;

use zeitnot_rules::board::Position;

use super::{Opening, lines, position_after};

/// The most openings that a text finds.
pub(crate) const FOUND_MAX: usize = 20;

/// The most positions that a text stands for. No name of the list has so many.
pub(crate) const POSITIONS_MAX: usize = 512;

/// A line of the list.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) opening: Opening,
    /// In SAN, with spaces.
    pub(crate) moves: &'static str,
    /// The one after them.
    pub(super) position: Position,
    /// The name as names are compared.
    words: String,
}

/// The shortest lines first.
pub(super) static LINES: LazyLock<Vec<Named>> = LazyLock::new(|| {
    let named = |(opening, moves): (Opening, &'static str)| {
        Some(Named { opening, moves, position: position_after(moves)?, words: words_of(opening.name) })
    };
    let mut lines: Vec<_> = lines().filter_map(named).collect();
    lines.sort_by_key(|line| line.moves.split(' ').count());
    lines
});

/// The words of a name, in small letters without accents. The list has American English: "defence" is a word of it, too.
fn words_of(name: &str) -> String {
    let plain: String =
        name.to_lowercase().chars().filter(|letter| !"'’".contains(*letter)).map(plain).collect();
    let words = plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<_> = words.map(|word| if word == "defence" { "defense" } else { word }).collect();
    words.join(" ")
}

/// A letter without its accent, of those that the list has.
const fn plain(letter: char) -> char {
    match letter {
        'á' | 'ä' => 'a',
        'é' => 'e',
        'ó' | 'ö' | 'ø' => 'o',
        'ü' => 'u',
        'ć' => 'c',
        other => other,
    }
}

/// What some words are called in other names.
const ALSO: [(&str, &str); 2] = [("spanish", "ruy lopez"), ("petroff", "petrov")];

/// Whether a name has these words, each at least the beginning of one of its own, in any order; or whether this is its code.
fn has(line: &Named, wanted: &str) -> bool {
    let is_there = |part: &str| {
        line.words
            .match_indices(part)
            .any(|(at, _)| at == 0 || line.words.as_bytes().get(at - 1) == Some(&b' '))
    };
    let also = |word| ALSO.iter().any(|(known, other)| *known == word && is_there(other));
    !wanted.is_empty()
        && (line.opening.eco.eq_ignore_ascii_case(wanted)
            || wanted.split(' ').all(|word| is_there(word) || also(word)))
}

/// At most [`FOUND_MAX`] openings that have these words in their names, or this code: the one that is called so, then those
/// whose names begin so, then those that have it as it stands, then the others, each after fewer moves first. A name comes
/// once, with its shortest line.
pub(crate) fn find(text: &str) -> Vec<&'static Named> {
    let wanted = words_of(text);
    if wanted.is_empty() {
        return Vec::new();
    }
    let inside = format!(" {wanted}");
    let rank = |line: &Named| match () {
        () if line.words == wanted => Some(0),
        () if line.words.starts_with(&wanted) => Some(1),
        () if line.words.contains(&inside) => Some(2),
        () if has(line, &wanted) => Some(3),
        () => None,
    };
    let mut ranked: Vec<_> = LINES.iter().filter_map(|line| Some((rank(line)?, line))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut found: Vec<&Named> = Vec::new();
    for (_, line) in ranked {
        if found.len() < FOUND_MAX && found.iter().all(|before| before.opening.name != line.opening.name) {
            found.push(line);
        }
    }
    found
}

/// The positions of the opening that is called so, and of all its variations; where none is called so, those of all openings
/// that have these words in their names, or this code. A variation is often reached by other moves than those of the list, and
/// so without the position of its opening. The shortest lines come first.
pub(crate) fn positions_of(name: &str) -> impl Iterator<Item = &'static Position> {
    let wanted = words_of(name);
    let is_name = LINES.iter().any(|line| is_of(line, &wanted));
    let means = move |line: &&Named| if is_name { is_of(line, &wanted) } else { has(line, &wanted) };
    LINES.iter().filter(means).take(POSITIONS_MAX).map(|line| &line.position)
}

/// Whether a line has this name, or the name of one of its variations: `Family: Variation, Subvariation`.
fn is_of(line: &Named, wanted: &str) -> bool {
    let is_part = |(place, _): (usize, &str)| words_of(&line.opening.name[..place]) == wanted;
    !wanted.is_empty()
        && line.words.starts_with(wanted)
        && (line.words == wanted || line.opening.name.match_indices([':', ',']).any(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        find(text).iter().map(|line| line.opening.name).collect()
    }

    #[test]
    fn an_opening_is_found_by_the_beginning_of_any_word_of_its_name_however_it_is_spelt() {
        assert_eq!(find("sicilian").first().map(|line| line.moves), Some("e4 c5"));
        assert_eq!(names("Sicilian Defence").first(), Some(&"Sicilian Defense"));
        assert_eq!(names("grunfeld").first(), Some(&"Grünfeld Defense"));
        assert_eq!(names("kings indian").first(), Some(&"King's Indian Attack"));
        assert_eq!(names("najdorf").first(), Some(&"Sicilian Defense: Najdorf Variation"));
        assert!(names("dorf").iter().all(|name| !name.contains("Najdorf")), "within a word");
        assert_eq!((names("xyzzy").len(), names("—").len(), names("").len()), (0, 0, 0));
    }

    #[test]
    fn words_may_come_in_any_order_and_a_code_stands_for_its_openings() {
        let najdorf = "Sicilian Defense: Najdorf Variation";
        assert_eq!(names("najdorf sicilian").first(), Some(&najdorf));
        assert_eq!(names("b90").first(), Some(&najdorf));
        assert_eq!(names("Spanish Berlin").first(), Some(&"Ruy Lopez: Berlin Defense"));
        let means = |text: &str, moves: &str| {
            let wanted = position_after(moves).unwrap();
            positions_of(text).any(|position| *position == wanted)
        };
        // No opening is called so: all that may be meant are.
        let indian = "d4 Nf6 c4 g6 Nc3";
        assert!(
            means("King's Indian", "Nf3 d5 g3")
                && means("kings ind", indian)
                && means("indian kings", indian)
        );
        assert!(means("B90", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6") && !means("B90", "e4 c5"));
        assert!(means("spanish", "e4 e5 Nf3 Nc6 Bb5"));
    }

    #[test]
    fn no_more_than_twenty_are_found_each_name_once() {
        let mut found = names("s");
        assert_eq!(found.len(), FOUND_MAX);
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), FOUND_MAX);
    }

    #[test]
    fn a_name_stands_for_its_positions_and_those_of_its_variations() {
        assert_eq!(positions_of("sicilian defense").next(), position_after("e4 c5").as_ref());
        // A variation that came about without the position of its opening.
        let scotch = position_after("e4 Nc6 d4 e5 Nf3 Nf6 Nc3").unwrap();
        let is_scotch = |position: &Position| position.zobrist() == scotch.zobrist();
        assert!(positions_of("Four Knights Game").any(is_scotch));
        // A family of which the list has only variations.
        assert!(positions_of("Colle System").next().is_some());
        assert_eq!(positions_of("xyzzy").chain(positions_of("")).chain(positions_of("F00")).count(), 0);
    }

    #[test]
    fn every_name_of_the_list_has_its_positions_and_not_too_many() {
        for line in LINES.iter() {
            let own = position_after(line.moves).unwrap();
            let family = line.opening.name.split(':').next().unwrap();
            for name in [line.opening.name, family] {
                let count = positions_of(name).count();
                assert!((1..POSITIONS_MAX).contains(&count), "{name}: {count}");
            }
            assert!(positions_of(line.opening.name).any(|position| *position == own), "{}", line.moves);
        }
    }
}
