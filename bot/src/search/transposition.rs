//! The transposition table: what was found out about positions that have been searched.
//!
//! A search begins a new generation, in which no entry of an earlier one counts, unless it is told to go on with what the last
//! one has left: so any other search depends on nothing but its arguments.
//!
//! Invariants: the table never grows. An entry is a hint about a position whose hash is equal in 32
//! bits and in its place; a move from it is tried only if it is legal.

use zeitnot_rules::board::{Move, PackedMove};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    AtLeast,
    /// The score is at most this.
    AtMost,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) mv: Option<Move>,
    pub(super) score: i32,
    pub(super) depth: i32,
    pub(super) bound: Bound,
    /// What the position is worth without looking ahead; in check a value that no position has.
    pub(super) worth: i32,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The lower half of the hash.
    check: u32,
    /// The search that wrote it; 0 for none.
    generation: u16,
    mv: Option<PackedMove>,
    score: i16,
    worth: i16,
    depth: i8,
    bound: Bound,
}

const VACANT: Entry =
    Entry { check: 0, generation: 0, mv: None, score: 0, worth: 0, depth: 0, bound: Bound::AtMost };

/// A table of bounded size.
pub(super) struct Table {
    entries: Box<[Entry]>,
    generation: u16,
}

impl Table {
    /// A table that takes at most `bytes`, and has at least one entry.
    pub(super) fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Entry>()).max(1);
        Self { entries: vec![VACANT; count].into_boxed_slice(), generation: 0 }
    }

    /// What the entries take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.entries)
    }

    /// Begins a search: what earlier ones have written does not count any more.
    pub(super) fn begin(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.entries.fill(VACANT);
            self.generation = 1;
        }
    }

    /// The upper bits of the hash choose the place, the lower ones are compared.
    fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.entries.len() as u128) >> 64) as usize
    }

    /// What this search knows of the position with this hash.
    pub(super) fn get(&self, hash: u64) -> Option<Known> {
        let entry = &self.entries[self.place(hash)];
        if entry.generation != self.generation || entry.check != hash as u32 {
            return None;
        }
        Some(Known {
            mv: entry.mv.map(PackedMove::unpack),
            score: entry.score.into(),
            depth: entry.depth.into(),
            bound: entry.bound,
            worth: entry.worth.into(),
        })
    }

    /// Stores what was found. A deeper entry of the same search about another position stays for a
    /// shallow one, so that the table does not fill with leaves.
    pub(super) fn put(&mut self, hash: u64, known: &Known) {
        let generation = self.generation;
        let place = self.place(hash);
        let entry = &mut self.entries[place];
        let counts = entry.generation == generation;
        let same = counts && entry.check == hash as u32;
        let is_exact = same && known.bound == Bound::Exact;
        if counts && !is_exact && i32::from(entry.depth) > known.depth + 3 {
            return;
        }
        let remembered = if same { entry.mv } else { None };
        *entry = Entry {
            check: hash as u32,
            generation,
            mv: known.mv.map(PackedMove::from).or(remembered),
            score: small(known.score),
            worth: small(known.worth),
            depth: known.depth.clamp(i8::MIN.into(), i8::MAX.into()) as i8,
            bound: known.bound,
        };
    }
}

fn small(number: i32) -> i16 {
    number.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

#[cfg(test)]
mod tests {
    use zeitnot_rules::board::Square;

    use super::*;

    fn known(score: i32, depth: i32) -> Known {
        Known { mv: None, score, depth, bound: Bound::Exact, worth: 0 }
    }

    #[test]
    fn the_size_is_never_above_what_was_asked_for_but_for_one_entry() {
        for bytes in [0, 1, 100, 4_096, 1 << 20] {
            let mut table = Table::new(bytes);
            table.begin();
            let before = table.bytes();
            assert!(before <= bytes.max(size_of::<Entry>()), "{before} for {bytes}");
            for number in 0..20_000_u64 {
                table.put(number.wrapping_mul(0x9e37_79b9_7f4a_7c15), &known(1, 1));
            }
            assert_eq!(table.bytes(), before);
        }
    }

    #[test]
    fn an_entry_is_found_by_its_hash_and_only_in_its_search() {
        let mut table = Table::new(1 << 16);
        table.begin();
        table.put(42, &known(-17, 5));
        let found = table.get(42).expect("it was stored");
        assert_eq!((found.score, found.depth, found.bound), (-17, 5, Bound::Exact));
        assert!(table.get(43).is_none());
        table.begin();
        assert!(table.get(42).is_none());
    }

    #[test]
    fn no_entry_comes_back_when_the_generations_have_gone_round() {
        let mut table = Table::new(1 << 10);
        table.begin();
        table.put(42, &known(1, 1));
        for _ in 0..=u32::from(u16::MAX) {
            table.begin();
            assert!(table.get(42).is_none());
        }
    }

    #[test]
    fn a_deep_entry_outlasts_a_leaf_about_another_position() {
        let mut table = Table::new(0);
        table.begin();
        table.put(1, &known(10, 9));
        table.put(2, &known(20, 0));
        assert!(table.get(1).is_some() && table.get(2).is_none());
        table.put(2, &known(20, 8));
        assert!(table.get(1).is_none() && table.get(2).is_some());
    }

    #[test]
    fn a_position_keeps_its_move_and_its_deep_score_unless_the_new_one_is_exact() {
        let mv = Move::new(Square::from_index(12), Square::from_index(28));
        let bound = |depth| Known { bound: Bound::AtMost, ..known(30, depth) };
        let mut table = Table::new(0);
        table.begin();
        table.put(1, &Known { mv: Some(mv), ..known(10, 9) });
        table.put(1, &bound(2));
        assert_eq!(table.get(1).map(|known| (known.score, known.depth)), Some((10, 9)));
        table.put(1, &bound(8));
        assert_eq!(table.get(1).map(|known| (known.score, known.mv)), Some((30, Some(mv))));
        table.put(1, &known(20, 1));
        assert_eq!(table.get(1).map(|known| (known.score, known.mv)), Some((20, Some(mv))));
        table.put(2, &known(40, 6));
        assert!(table.get(2).is_some_and(|known| known.mv.is_none()), "another position");
    }
}
