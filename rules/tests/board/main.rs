//! Positions and moves, apart from counts (`perft`) and the comparison with cozy-chess
//! (`differential`).

mod identity;
mod moves;
mod playout;
mod reference;
mod setup;
mod wild;
