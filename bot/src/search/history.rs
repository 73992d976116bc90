//! Which quiet moves have been good and bad so far in this search.
//!
//! A move that cuts off is rewarded, and the quiet moves that were tried before it in vain are blamed: by
//! themselves, as replies to the opponent's last move, and as followers of the side's own last move.
//! Deliberately absent: captures, which are ordered by what they win.
//!
//! Invariant: no count is further from zero than [`COUNT_MAX`], and no rank further than three times that.

use zeitnot_rules::board::{Color, Move, Role, Square};

use super::tree::MAX_PLY;

/// No count is further from zero.
const COUNT_MAX: i32 = 16_384;

/// The kinds of steps: six roles, 64 squares.
const STEPS: usize = 6 * 64;

/// A move without where it comes from: which role goes where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step(u16);

impl Step {
    pub(super) const fn new(role: Role, to: Square) -> Self {
        Self((role.index() * 64 + to.index()) as u16)
    }
}

/// Where a quiet move is tried: whose turn it is, how deep in the line, and the steps before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) side: Color,
    pub(super) ply: usize,
    /// The opponent's last step.
    pub(super) last: Option<Step>,
    /// The side's own last step.
    pub(super) own: Option<Step>,
}

/// The counts of one search.
pub(super) struct History {
    killers: [[Option<Move>; 2]; MAX_PLY],
    moves: Box<[[[i16; 64]; 64]; 2]>,
    replies: Box<[i16]>,
    followers: Box<[i16]>,
}

impl History {
    pub(super) fn new() -> Self {
        let pairs = || vec![0; 2 * STEPS * STEPS].into_boxed_slice();
        Self {
            killers: [[None; 2]; MAX_PLY],
            moves: Box::new([[[0; 64]; 64]; 2]),
            replies: pairs(),
            followers: pairs(),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.killers = [[None; 2]; MAX_PLY];
        self.moves.as_flattened_mut().as_flattened_mut().fill(0);
        self.replies.fill(0);
        self.followers.fill(0);
    }

    /// The counts that matter at a place.
    pub(super) fn at(&self, place: &Place) -> Counts<'_> {
        Counts {
            moves: &self.moves[place.side.index()],
            replies: row(&self.replies, place.side, place.last),
            followers: row(&self.followers, place.side, place.own),
        }
    }

    /// The two quiet moves that cut off last at this ply.
    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers.get(ply).copied().unwrap_or_default()
    }

    /// Remembers a quiet move that was too good for the opponent.
    pub(super) fn cut_off(&mut self, ply: usize, mv: Move) {
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != Some(mv)
        {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Rewards a quiet move, or blames it where the bonus is negative.
    pub(super) fn reward(&mut self, place: &Place, step: Step, mv: Move, bonus: i32) {
        let side = place.side;
        change(&mut self.moves[side.index()][mv.from.index()][mv.to.index()], bonus);
        if let Some(last) = place.last {
            change(&mut self.replies[pair_index(side, last, step)], bonus);
        }
        if let Some(own) = place.own {
            change(&mut self.followers[pair_index(side, own, step)], bonus);
        }
    }
}

/// The counts that matter at one place.
pub(super) struct Counts<'a> {
    moves: &'a [[i16; 64]; 64],
    replies: Option<&'a [i16]>,
    followers: Option<&'a [i16]>,
}

impl Counts<'_> {
    /// How good a quiet move has been.
    pub(super) fn of(&self, step: Step, mv: Move) -> i32 {
        let pair = |row: Option<&[i16]>| row.map_or(0, |row| i32::from(row[usize::from(step.0)]));
        i32::from(self.moves[mv.from.index()][mv.to.index()]) + pair(self.replies) + pair(self.followers)
    }
}

/// What a cut-off at this depth is worth.
pub(super) fn bonus(depth: i32) -> i32 {
    (170 * depth - 60).clamp(0, 1_800)
}

/// The counts of all steps after the one before.
fn row(pairs: &[i16], side: Color, before: Option<Step>) -> Option<&[i16]> {
    let start = pair_index(side, before?, Step(0));
    pairs.get(start..start + STEPS)
}

fn pair_index(side: Color, before: Step, step: Step) -> usize {
    (side.index() * STEPS + usize::from(before.0)) * STEPS + usize::from(step.0)
}

/// Moves a count towards the end of its range, the less the nearer it is: so it never leaves it.
fn change(count: &mut i16, bonus: i32) {
    let old = i32::from(*count);
    *count = (old + bonus - old * bonus.abs() / COUNT_MAX) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_stays_in_its_range_whatever_is_added() {
        let mut count = 0;
        for _ in 0..10_000 {
            change(&mut count, bonus(40));
        }
        assert!(i32::from(count) <= COUNT_MAX && count > 10_000, "{count}");
        for _ in 0..10_000 {
            change(&mut count, -bonus(40));
        }
        assert!(i32::from(count) >= -COUNT_MAX && count < -10_000, "{count}");
    }

    #[test]
    fn a_count_depends_on_the_steps_before() {
        let (a, b) = (Square::from_index(20), Square::from_index(30));
        let (step, mv) = (Step::new(Role::Knight, b), Move::new(a, b));
        let place = |last, own| Place { side: Color::White, ply: 3, last, own };
        let (one, two) = (Some(Step::new(Role::Queen, a)), Some(Step::new(Role::Rook, a)));
        let mut history = History::new();
        history.reward(&place(one, two), step, mv, 600);
        let count = |place: Place| history.at(&place).of(step, mv);
        assert_eq!(count(place(one, two)), 1_800);
        assert_eq!(count(place(one, one)), 1_200);
        assert_eq!(count(place(None, None)), 600);
        assert_eq!(count(Place { side: Color::Black, ..place(one, two) }), 0);
        history.clear();
        assert_eq!(history.at(&place(one, two)).of(step, mv), 0);
    }
}
