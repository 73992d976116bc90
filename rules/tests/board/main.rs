//! Positions and moves, apart from counts (`perft`).

mod differential;
mod identity;
mod moves;
mod playout;
mod reference;
mod setup;
mod wild;
