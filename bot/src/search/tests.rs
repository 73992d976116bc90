//! What a searcher must find, what it must not do, and that its answers follow from its arguments.

mod answers;
mod bounds;
