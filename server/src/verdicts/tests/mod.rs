//! The queue as a state machine, and the threads around it.

mod pool;
mod scheduler;
