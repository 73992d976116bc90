//! The options of an engine: what it says it has, and what is set.
//!
//! Invariant: at most [`MOST_OPTIONS`] are kept of what an engine says.

use std::str::FromStr;

use thiserror::Error;

use crate::search::Level;

/// Engines have some dozen options.
const MOST_OPTIONS: usize = 512;

/// An option that is to be set: `NAME=VALUE`.
///
/// ```
/// use zeitnot_bot::uci::UciOption;
///
/// let option: UciOption = "Skill Level=3".parse()?;
/// assert_eq!((option.name.as_str(), option.value.as_str()), ("Skill Level", "3"));
/// assert!("Threads".parse::<UciOption>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UciOption {
    /// The name; engines do not distinguish cases.
    pub name: String,
    /// The value; empty for buttons.
    pub value: String,
}

/// Not an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("an option is NAME=VALUE in one line")]
pub struct UciOptionError;

impl FromStr for UciOption {
    type Err = UciOptionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = text.split_once('=').ok_or(UciOptionError)?;
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || text.contains(['\n', '\r']) {
            return Err(UciOptionError);
        }
        Ok(Self { name: name.to_owned(), value: value.to_owned() })
    }
}

impl UciOption {
    fn new(name: &str, value: &impl ToString) -> Self {
        Self { name: name.to_owned(), value: value.to_string() }
    }
}

/// An option that an engine has.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Declared {
    name: String,
    /// The least and the greatest value of a number.
    range: Option<(i64, i64)>,
}

/// The options that an engine has.
#[derive(Clone, Default, Debug)]
pub(super) struct DeclaredOptions(Vec<Declared>);

impl DeclaredOptions {
    /// Notes a line of the engine, if it declares an option.
    pub(super) fn note(&mut self, line: &str) {
        if self.0.len() < MOST_OPTIONS
            && let Some(declared) = read(line)
        {
            self.0.push(declared);
        }
    }

    fn find(&self, name: &str) -> Option<&Declared> {
        self.0.iter().find(|declared| declared.name.eq_ignore_ascii_case(name))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// What makes the engine play like a level: a rating where it can be given one, else its skill, else
    /// nothing. The highest level is the engine as it is.
    pub(super) fn of_level(&self, level: Option<Level>) -> Vec<UciOption> {
        let Some(level) = level.filter(|level| *level != Level::HIGHEST) else { return Vec::new() };
        let steps = i64::from(Level::HIGHEST.number() - Level::LOWEST.number());
        let step = i64::from(level.number() - Level::LOWEST.number());
        let share = |(least, most): (i64, i64)| least + (most - least) * step / steps;
        let range = |name| self.find(name).and_then(|declared| declared.range);
        match (range("UCI_Elo"), range("Skill Level")) {
            (Some(range), _) if self.has("UCI_LimitStrength") => {
                vec![UciOption::new("UCI_LimitStrength", &true), UciOption::new("UCI_Elo", &share(range))]
            }
            (_, Some(range)) => vec![UciOption::new("Skill Level", &share(range))],
            _ => Vec::new(),
        }
    }
}

/// Reads `option name NAME type TYPE …`.
fn read(line: &str) -> Option<Declared> {
    let rest = line.strip_prefix("option name ")?;
    let (name, kind) = rest.split_once(" type ")?;
    let words: Vec<&str> = kind.split_ascii_whitespace().collect();
    let number = |key| {
        let at = words.iter().position(|word| *word == key)?;
        words.get(at + 1)?.parse().ok()
    };
    let range = number("min").zip(number("max")).filter(|(least, most)| least <= most);
    Some(Declared { name: name.trim().to_owned(), range })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(lines: &[&str]) -> DeclaredOptions {
        let mut options = DeclaredOptions::default();
        lines.iter().for_each(|line| options.note(line));
        options
    }

    const ELO: &str = "option name UCI_Elo type spin default 1320 min 1320 max 3190";
    const LIMIT: &str = "option name UCI_LimitStrength type check default false";
    const SKILL: &str = "option name Skill Level type spin default 20 min 0 max 20";

    #[test]
    fn options_are_found_in_any_case_and_nothing_else_is_one() {
        let options = declared(&[SKILL, "info string option name X type check", "option name broken"]);
        assert!(options.has("skill level") && !options.has("X") && !options.has("broken"));
    }

    #[test]
    fn a_level_is_a_rating_where_there_is_one_else_a_skill() {
        let shown = |options: &DeclaredOptions, number| {
            let set = options.of_level(Level::new(number).ok());
            set.iter().map(|option| option.value.clone()).collect::<Vec<_>>()
        };
        let both = declared(&[ELO, LIMIT, SKILL]);
        assert_eq!(shown(&both, 1), ["true", "1320"]);
        assert_eq!(shown(&both, 7), ["true", "2922"]);
        assert!(shown(&both, 8).is_empty());
        assert_eq!(shown(&declared(&[ELO, SKILL]), 1), ["0"]);
        assert!(shown(&declared(&[LIMIT]), 1).is_empty());
    }

    #[test]
    fn no_engine_fills_the_memory_with_options() {
        let mut options = DeclaredOptions::default();
        for number in 0..10_000 {
            options.note(&format!("option name X{number} type check default false"));
        }
        assert_eq!(options.0.len(), MOST_OPTIONS);
    }
}
