//! Which games count, and what corrections of their results do.

mod corrections;
mod counting;
