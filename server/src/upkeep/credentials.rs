//! The check of passwords, second factors, recovery codes, the names of closed accounts, who is an admin, mutes, cuts,
//! what admins have done, blocks, rules for challenges, and reports.

use rusqlite::Row;
use rusqlite::types::Value;

use super::check::Checked;
use super::rows::{Table, each};

/// A table whose last column says whether the row is as it was written.
#[derive(Clone)]
struct Kept {
    table: Table<'static>,
    /// How many columns are copied.
    width: usize,
    /// What is in it, in the plural, for the report.
    what: &'static str,
    save: &'static str,
}

/// The tables of a schema of this version.
fn tables(version: usize) -> Vec<Kept> {
    let mut tables = TABLES.to_vec();
    if version < SETTINGS {
        tables.retain(|kept| kept.table.name != "settings");
    }
    if version < REPORTS {
        tables.retain(|kept| kept.table.name != "reports");
    }
    if version < CONTACTS {
        tables.retain(|kept| !["blocks", "challenge_rules"].contains(&kept.table.name));
    }
    if version < RESTRICTIONS {
        tables.retain(|kept| !["mutes", "cuts"].contains(&kept.table.name));
    }
    if version < ROLES {
        tables.retain(|kept| kept.table.name != "admins");
    }
    if version < SECOND_FACTORS {
        tables.retain(|kept| kept.table.name != "second_factors");
    }
    if version < ADMINS {
        tables.retain(|kept| kept.table.name != "audit");
        for kept in tables.iter_mut().filter(|kept| kept.table.name == "recovery_codes") {
            kept.table.columns = "hash, account, 0, sum = row_sum(hash, account)";
        }
    }
    tables
}

/// The version of the schema from which on there is an audit log, and a recovery code may end.
const ADMINS: usize = 12;

/// The version of the schema from which on there are second factors.
const SECOND_FACTORS: usize = 15;

/// The version of the schema from which on accounts are admins.
const ROLES: usize = 16;

/// The version of the schema from which on accounts are muted and networks are cut.
const RESTRICTIONS: usize = 17;

/// The version of the schema from which on accounts block others.
const CONTACTS: usize = 18;

/// The version of the schema from which on accounts report others.
const REPORTS: usize = 19;

/// The version of the schema from which on accounts have settings.
const SETTINGS: usize = 21;

const TABLES: [Kept; 12] = [
    Kept {
        table: Table {
            name: "passwords",
            columns: "account, hash, set_unix_ms, sum = row_sum(account, hash, set_unix_ms)",
            key: "account",
        },
        width: 3,
        what: "passwords",
        save: "INSERT INTO passwords (account, hash, set_unix_ms, sum) VALUES (?1, ?2, ?3, row_sum(?1, ?2, ?3))",
    },
    Kept {
        table: Table {
            name: "recovery_codes",
            columns: "hash, account, until_unix_ms, sum = row_sum(hash, account, until_unix_ms)",
            key: "hash",
        },
        width: 3,
        what: "recovery codes",
        save: "INSERT INTO recovery_codes (hash, account, until_unix_ms, sum) VALUES (?1, ?2, ?3, row_sum(?1, ?2, ?3))",
    },
    Kept {
        table: Table { name: "closed_names", columns: "hash, sum = row_sum(hash)", key: "hash" },
        width: 1,
        what: "names of closed accounts",
        save: "INSERT INTO closed_names (hash, sum) VALUES (?1, row_sum(?1))",
    },
    Kept {
        table: Table {
            name: "audit",
            columns: "id, at_unix_ms, by, act, sum = row_sum(at_unix_ms, by, act)",
            key: "id",
        },
        width: 4,
        what: "acts of admins",
        save: "INSERT INTO audit (id, at_unix_ms, by, act, sum) VALUES (?1, ?2, ?3, ?4, row_sum(?2, ?3, ?4))",
    },
    Kept {
        table: Table {
            name: "second_factors",
            columns: "account, secret, set_unix_ms, used_step, sum = row_sum(account, secret, set_unix_ms, used_step)",
            key: "account",
        },
        width: 4,
        what: "second factors",
        save: "INSERT INTO second_factors (account, secret, set_unix_ms, used_step, sum) \
               VALUES (?1, ?2, ?3, ?4, row_sum(?1, ?2, ?3, ?4))",
    },
    Kept {
        table: Table {
            name: "admins",
            columns: "account, granted_unix_ms, sum = row_sum(account, granted_unix_ms)",
            key: "account",
        },
        width: 2,
        what: "admins",
        save: "INSERT INTO admins (account, granted_unix_ms, sum) VALUES (?1, ?2, row_sum(?1, ?2))",
    },
    Kept {
        table: Table {
            name: "mutes",
            columns: "account, until_unix_ms, sum = row_sum(account, until_unix_ms)",
            key: "account",
        },
        width: 2,
        what: "mutes",
        save: "INSERT INTO mutes (account, until_unix_ms, sum) VALUES (?1, ?2, row_sum(?1, ?2))",
    },
    Kept {
        table: Table {
            name: "cuts",
            columns: "network, until_unix_ms, sum = row_sum(network, until_unix_ms)",
            key: "network",
        },
        width: 2,
        what: "cuts",
        save: "INSERT INTO cuts (network, until_unix_ms, sum) VALUES (?1, ?2, row_sum(?1, ?2))",
    },
    Kept {
        table: Table { name: "blocks", columns: "by, whom, sum = row_sum(by, whom)", key: "by, whom" },
        width: 2,
        what: "blocks",
        save: "INSERT INTO blocks (by, whom, sum) VALUES (?1, ?2, row_sum(?1, ?2))",
    },
    Kept {
        table: Table {
            name: "challenge_rules",
            columns: "account, rules, sum = row_sum(account, rules)",
            key: "account",
        },
        width: 2,
        what: "rules for challenges",
        save: "INSERT INTO challenge_rules (account, rules, sum) VALUES (?1, ?2, row_sum(?1, ?2))",
    },
    Kept {
        table: Table {
            name: "settings",
            columns: "account, settings, sum = row_sum(account, settings)",
            key: "account",
        },
        width: 2,
        what: "settings",
        save: "INSERT INTO settings (account, settings, sum) VALUES (?1, ?2, row_sum(?1, ?2))",
    },
    Kept {
        table: Table {
            name: "reports",
            columns: "id, at_unix_ms, by, about, game, reason, text, lines, handled_unix_ms, \
                sum = row_sum(at_unix_ms, by, about, game, reason, text, lines, handled_unix_ms)",
            key: "id",
        },
        width: 9,
        what: "reports",
        save: "INSERT INTO reports (id, at_unix_ms, by, about, game, reason, text, lines, handled_unix_ms, sum) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, row_sum(?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9))",
    },
];

/// An account that has a password is registered, also where its row had to be saved as a guest's.
const REGISTER: &str =
    "UPDATE accounts SET kind = 1, name_sum = row_sum(account, name, 1) WHERE account = ?1 AND kind = 0";

/// Checks all of them. What is in order is saved.
pub(super) fn check(at: &mut Checked<'_>) {
    if !at.has_credentials() {
        return;
    }
    for kept in tables(at.version) {
        kept.check(at);
    }
}

impl Kept {
    fn check(&self, at: &mut Checked<'_>) {
        let (source, mut count) = (at.source, 0_u64);
        let error = each(source, self.table, &mut |row| match self.read(row) {
            Ok((values, true)) => {
                count += 1;
                let values: Vec<&dyn rusqlite::ToSql> = values.iter().map(|value| value as _).collect();
                at.save(self.save, &values);
                if self.table.name == "passwords" {
                    at.save(REGISTER, &values[..1]);
                }
            }
            Ok((_, false)) => {
                at.report.damaged(self.what, format!("a row of the {} is not as it was written", self.what));
            }
            Err(_) => at.report.damaged(self.what, format!("a row of the {} cannot be read", self.what)),
        });
        at.unreadable(self.what, error);
        at.report.in_order(format!("{}: {count}", self.what));
    }

    fn read(&self, row: &Row<'_>) -> rusqlite::Result<(Vec<Value>, bool)> {
        let values = (0..self.width).map(|column| row.get(column)).collect::<rusqlite::Result<_>>()?;
        Ok((values, row.get(self.width)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::check;
    use super::TABLES;
    use crate::games::RecoveredGames;
    use crate::storage::sqlite::{STEPS, connect, connect_reader, database_in, migrate};

    const FILL: &str = "INSERT INTO accounts (account, made_unix_ms, name, kind, sum, name_sum) VALUES \
         (x'00000000000000000000000000000001', 7, 'Rook', 1, row_sum(x'00000000000000000000000000000001', 7, 0), \
          row_sum(x'00000000000000000000000000000001', 'Rook', 1)); \
         INSERT INTO tokens (hash, account, sum, about_sum) \
           SELECT x'0102', account, row_sum(x'0102', account, 142, 0), row_sum(x'0102', 0, 0, 0, '') FROM accounts; \
         INSERT INTO passwords (account, hash, set_unix_ms, sum) \
           SELECT account, '$argon2id$', 9, row_sum(account, '$argon2id$', 9) FROM accounts; \
         INSERT INTO recovery_codes (hash, account, sum) SELECT x'05', account, row_sum(x'05', account, 0) FROM accounts; \
         INSERT INTO closed_names (hash, sum) VALUES (x'06', row_sum(x'06')); \
         INSERT INTO audit (at_unix_ms, by, act, sum) VALUES (7, 'console', '{}', row_sum(7, 'console', '{}')); \
         INSERT INTO second_factors (account, secret, set_unix_ms, used_step, sum) \
           SELECT account, x'08', 9, 3, row_sum(account, x'08', 9, 3) FROM accounts; \
         INSERT INTO admins (account, granted_unix_ms, sum) SELECT account, 9, row_sum(account, 9) FROM accounts; \
         INSERT INTO mutes (account, until_unix_ms, sum) SELECT account, 9, row_sum(account, 9) FROM accounts; \
         INSERT INTO cuts (network, until_unix_ms, sum) VALUES ('192.0.2.0/24', 9, row_sum('192.0.2.0/24', 9)); \
         INSERT INTO blocks (by, whom, sum) SELECT account, x'09', row_sum(account, x'09') FROM accounts; \
         INSERT INTO challenge_rules (account, rules, sum) SELECT account, '{}', row_sum(account, '{}') FROM accounts; \
         INSERT INTO settings (account, settings, sum) SELECT account, '{}', row_sum(account, '{}') FROM accounts; \
         INSERT INTO reports (at_unix_ms, about, reason, text, lines, sum) \
           SELECT 7, account, 'spam', '', '[]', row_sum(7, NULL, account, NULL, 'spam', '', '[]', NULL) FROM accounts;";

    /// What a check says after this damage, and how many rows of each table are saved.
    fn saved(damage: &str) -> (String, [i64; TABLES.len()], i64) {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        std::fs::create_dir(&from).unwrap();
        let mut writer = connect(&database_in(&from)).unwrap();
        migrate(&mut writer, STEPS).unwrap();
        writer.execute_batch(FILL).unwrap();
        writer.execute_batch(damage).unwrap();
        let report = check(&from, Some(&to), &mut RecoveredGames::default()).unwrap();
        let saved = connect_reader(&database_in(&to)).unwrap();
        let number = |sql: &str| saved.query_row(sql, [], |row| row.get(0)).unwrap();
        let counts = TABLES.map(|kept| number(&format!("SELECT count(*) FROM {}", kept.table.name)));
        (report.to_string(), counts, number("SELECT kind FROM accounts"))
    }

    #[test]
    fn what_is_as_it_was_written_is_saved_and_the_rest_is_reported() {
        let (report, counts, kind) = saved("");
        assert!(!report.contains("DAMAGED"), "{report}");
        assert_eq!((counts, kind), ([1; TABLES.len()], 1));
        let damages = [
            "UPDATE passwords SET hash = '$argon2i$'",
            "UPDATE recovery_codes SET account = x'00'",
            "UPDATE closed_names SET hash = x'07'",
            "UPDATE audit SET by = 'nobody'",
            "UPDATE second_factors SET used_step = 0",
            "UPDATE admins SET granted_unix_ms = 1",
            "UPDATE mutes SET until_unix_ms = 1",
            "UPDATE cuts SET until_unix_ms = 1",
            "UPDATE blocks SET whom = x'0a'",
            "UPDATE challenge_rules SET rules = '[]'",
            "UPDATE settings SET settings = '[]'",
            "UPDATE reports SET reason = 'other'",
        ];
        for damage in damages {
            let (report, counts, _) = saved(damage);
            for (kept, count) in TABLES.iter().zip(counts) {
                let is_damaged = damage.starts_with(&format!("UPDATE {} ", kept.table.name));
                assert_eq!(count, i64::from(!is_damaged), "{damage}: {}", kept.what);
                let said = report.contains(&format!("DAMAGED, {}: 1", kept.what));
                assert_eq!(said, is_damaged, "{damage}: {report}");
            }
        }
    }

    #[test]
    fn what_an_older_folder_cannot_have_is_not_missed() {
        for version in 8..=STEPS.len() {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = connect(&database_in(folder.path())).unwrap();
            migrate(&mut writer, &STEPS[..version]).unwrap();
            let report = check(folder.path(), None, &mut RecoveredGames::default()).unwrap().to_string();
            assert!(!report.contains("DAMAGED") && report.contains("passwords: 0"), "{version}: {report}");
            assert_eq!(report.contains("second factors: 0"), version >= super::SECOND_FACTORS, "{version}");
            assert_eq!(report.contains("cuts: 0"), version >= super::RESTRICTIONS, "{version}");
        }
    }

    #[test]
    fn an_account_with_a_password_is_saved_as_registered_whatever_became_of_its_row() {
        let (report, _, kind) = saved("DELETE FROM accounts");
        assert!(report.contains("no name is saved"), "{report}");
        assert_eq!(kind, 1);
    }

    #[test]
    fn a_damaged_label_costs_no_token() {
        let (report, ..) = saved("UPDATE tokens SET label = 'Phone'");
        assert!(report.contains("DAMAGED, labels of tokens: 1") && report.contains("tokens: 1"), "{report}");
    }
}
