//! Bugs that tests seed on purpose, to show that the checks catch them. Outside tests nothing of them is compiled.
//!
//! [`bug!`] puts a bug into a body as one line.

#[cfg(test)]
mod switch;

#[cfg(test)]
pub(crate) use switch::{SeededBug, Seeding, assert_found, is_seeded};

/// What a body does wrong where a test has seeded this bug: runs a statement, or gives a variable another value.
macro_rules! bug {
    ($name:ident => let $variable:ident = $value:expr) => {
        #[cfg(test)]
        let $variable = if $crate::seeded_bugs::is_seeded($crate::seeded_bugs::SeededBug::$name) {
            $value
        } else {
            $variable
        };
    };
    ($name:ident => $statement:expr) => {
        #[cfg(test)]
        if $crate::seeded_bugs::is_seeded($crate::seeded_bugs::SeededBug::$name) {
            $statement;
        }
    };
}

pub(crate) use bug;
