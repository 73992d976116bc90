//! The positions that are still to be expanded, most promising first.
//!
//! There is one stack for each score from 0 to 255. Among equals the last one in comes first, so
//! the search goes deep before it goes wide.

/// Numbers of positions by score.
pub(super) struct Frontier {
    stacks: Vec<Vec<u32>>,
    /// All stacks below this one are empty.
    lowest: usize,
}

impl Frontier {
    pub(super) fn new() -> Self {
        Self { stacks: vec![Vec::new(); 256], lowest: 256 }
    }

    pub(super) fn push(&mut self, number: u32, score: u8) {
        self.stacks[usize::from(score)].push(number);
        self.lowest = self.lowest.min(score.into());
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        while let Some(stack) = self.stacks.get_mut(self.lowest) {
            if let Some(number) = stack.pop() {
                return Some(number);
            }
            self.lowest += 1;
        }
        None
    }
}
