//! The tables of a data folder whose rows go into the database as they are, column by column.
//!
//! In a folder ids of games and challenges are bytes, and an instant that is not there is 0.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::MoveError;
use crate::storage::postgres::{Cell, Filling, Form};

use Form::{Account, Bytes, Int, Number, Small, Text};

/// A table.
pub(super) struct Table {
    name: &'static str,
    /// What is in it, in the plural.
    pub(super) what: &'static str,
    /// Each column of the database, with what of the folder goes there.
    columns: &'static [(&'static str, Form, &'static str)],
}

impl Table {
    /// Copies all rows; how many.
    pub(super) fn copy(&self, source: &Connection, filling: &mut Filling) -> Result<u64, MoveError> {
        let from = self.columns.iter().map(|(.., from)| *from).collect::<Vec<_>>().join(", ");
        let columns: Vec<_> = self.columns.iter().map(|(name, form, _)| (*name, *form)).collect();
        let mut statement = source.prepare(&format!("SELECT {from} FROM {}", self.name))?;
        let cells = |row: &rusqlite::Row<'_>| (0..columns.len()).map(|at| row.get(at).map(cell)).collect();
        let rows = statement.query_map([], cells)?;
        filling.copy(self.name, &columns, rows.map(|row| row.map_err(MoveError::from)))
    }
}

fn cell(value: Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Integer(number) => Cell::Number(number),
        // No table has one.
        Value::Real(number) => Cell::Text(number.to_string()),
        Value::Text(text) => Cell::Text(text),
        Value::Blob(bytes) => Cell::Bytes(bytes),
    }
}

/// All of them.
pub(super) const ALL: &[Table] = &[
    Table {
        name: "accounts",
        what: "accounts",
        columns: &[
            ("account", Account, "account"),
            ("made_unix_ms", Number, "made_unix_ms"),
            ("kind", Small, "kind"),
            ("name", Text, "name"),
            ("seen_day", Number, "seen_day"),
        ],
    },
    Table { name: "closed_names", what: "names of closed accounts", columns: &[("hash", Bytes, "hash")] },
    Table {
        name: "tokens",
        what: "tokens",
        columns: &[
            ("hash", Bytes, "hash"),
            ("account", Account, "account"),
            ("kind", Small, "kind"),
            ("made_unix_ms", Number, "made_unix_ms"),
            ("used_day", Number, "used_day"),
            ("label", Text, "label"),
            ("scopes", Number, "scopes"),
            ("until_unix_ms", Number, "nullif(until_unix_ms, 0)"),
        ],
    },
    Table {
        name: "passwords",
        what: "passwords",
        columns: &[
            ("account", Account, "account"),
            ("hash", Text, "hash"),
            ("set_unix_ms", Number, "set_unix_ms"),
        ],
    },
    Table {
        name: "recovery_codes",
        what: "recovery codes",
        columns: &[
            ("hash", Bytes, "hash"),
            ("account", Account, "account"),
            ("until_unix_ms", Number, "nullif(until_unix_ms, 0)"),
        ],
    },
    Table {
        name: "second_factors",
        what: "second factors",
        columns: &[
            ("account", Account, "account"),
            ("secret", Bytes, "secret"),
            ("set_unix_ms", Number, "nullif(set_unix_ms, 0)"),
            ("used_step", Number, "used_step"),
        ],
    },
    Table {
        name: "admins",
        what: "admins",
        columns: &[("account", Account, "account"), ("granted_unix_ms", Number, "granted_unix_ms")],
    },
    Table {
        name: "audit",
        what: "acts of admins",
        columns: &[
            ("id", Number, "id"),
            ("at_unix_ms", Number, "at_unix_ms"),
            ("by", Text, "by"),
            ("act", Text, "act"),
        ],
    },
    Table {
        name: "mutes",
        what: "mutes",
        columns: &[("account", Account, "account"), ("until_unix_ms", Number, "until_unix_ms")],
    },
    Table {
        name: "cuts",
        what: "cuts",
        columns: &[("network", Text, "network"), ("until_unix_ms", Number, "until_unix_ms")],
    },
    Table { name: "blocks", what: "blocks", columns: &[("by", Account, "by"), ("whom", Account, "whom")] },
    Table {
        name: "challenge_rules",
        what: "rules for challenges",
        columns: &[("account", Account, "account"), ("rules", Text, "rules")],
    },
    Table {
        name: "settings",
        what: "settings",
        columns: &[("account", Account, "account"), ("settings", Text, "settings")],
    },
    Table {
        name: "reports",
        what: "reports",
        columns: &[
            ("id", Number, "id"),
            ("at_unix_ms", Number, "at_unix_ms"),
            ("by", Account, "by"),
            ("about", Account, "about"),
            ("game", Text, "CAST(game AS TEXT)"),
            ("reason", Text, "reason"),
            ("text", Text, "text"),
            ("lines", Text, "lines"),
            ("handled_unix_ms", Number, "handled_unix_ms"),
        ],
    },
    Table {
        name: "challenges",
        what: "open challenges",
        columns: &[
            ("id", Number, "id"),
            ("challenge", Text, "CAST(challenge AS TEXT)"),
            ("owner", Account, "owner"),
            ("terms", Text, "terms"),
            ("rematch_of", Text, "CAST(rematch_of AS TEXT)"),
            ("accepted_by", Account, "accepted_by"),
            ("until_unix_ms", Number, "until_unix_ms"),
        ],
    },
    Table {
        name: "ratings",
        what: "ratings",
        columns: &[
            ("account", Account, "account"),
            ("category", Small, "category"),
            ("points", Number, "points"),
            ("deviation", Number, "deviation"),
            ("volatility", Number, "volatility"),
            ("games", Number, "games"),
            ("number", Number, "number"),
            ("at_unix_ms", Number, "at_unix_ms"),
        ],
    },
    Table {
        name: "rating_events",
        what: "changes of ratings",
        columns: &[
            ("account", Account, "account"),
            ("category", Small, "category"),
            ("number", Number, "number"),
            ("cause", Small, "cause"),
            ("game", Text, "CAST(game AS TEXT)"),
            // Of the changes by one game the end is the first.
            ("change", Int, "row_number() OVER (PARTITION BY game, color ORDER BY id) - 1"),
            ("color", Small, "color"),
            ("opponent", Account, "opponent"),
            ("opponent_points", Number, "opponent_points"),
            ("opponent_deviation", Number, "opponent_deviation"),
            ("opponent_volatility", Number, "opponent_volatility"),
            ("score", Small, "score"),
            ("before_points", Number, "before_points"),
            ("before_deviation", Number, "before_deviation"),
            ("before_volatility", Number, "before_volatility"),
            ("after_points", Number, "after_points"),
            ("after_deviation", Number, "after_deviation"),
            ("after_volatility", Number, "after_volatility"),
            ("games", Number, "games"),
            ("at_unix_ms", Number, "at_unix_ms"),
        ],
    },
    Table {
        name: "corrections",
        what: "corrections",
        columns: &[
            ("id", Number, "id"),
            ("game", Text, "CAST(game AS TEXT)"),
            ("score", Small, "score"),
            ("after", Number, "after"),
            ("at_unix_ms", Number, "at_unix_ms"),
        ],
    },
    Table {
        name: "set_aside",
        what: "rows of games that were set aside",
        columns: &[
            ("id", Number, "id"),
            ("game", Bytes, "game"),
            ("seq", Number, "seq"),
            ("record", Bytes, "record"),
        ],
    },
];
