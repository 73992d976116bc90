//! The queue as a state machine, and the threads around it.

mod desk;
mod pool;
