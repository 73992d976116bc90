//! The check of accounts, names, tokens and open challenges.

use std::collections::{HashMap, HashSet};

use rusqlite::types::Value;
use rusqlite::{Connection, Row};
use zeitnot_protocol::{AccountId, ChallengeId};
use zeitnot_rules::game::PlayerName;

use super::check::Checked;
use super::rows::{Table, each};
use crate::storage::Kind;

/// Checks all of them. What is in order is saved. An account that has a token and no readable row is saved as a guest without
/// a name, and is named in the report, with the name that the index of names has for it: that has no checksum.
pub(super) fn check(at: &mut Checked<'_>) {
    let known = accounts(at);
    tokens(at, &known);
    challenges(at);
}

fn shown(id: &[u8]) -> String {
    <[u8; 16]>::try_from(id).map_or_else(
        |_| "an account whose id is damaged".to_owned(),
        |id| format!("the account {}", AccountId::from_u128(u128::from_be_bytes(id))),
    )
}

const SAVE_ACCOUNT: &str = "INSERT OR IGNORE INTO accounts (account, made_unix_ms, name, kind, seen_day, sum, name_sum) \
     VALUES (?1, ?2, ?3, ?4, ?5, row_sum(?1, ?2, ?5), row_sum(?1, ?3, ?4))";

/// The kind of an account whose own cannot be read.
const GUEST: i64 = Kind::Guest as i64;

/// The accounts that were found.
fn accounts(at: &mut Checked<'_>) -> HashSet<Vec<u8>> {
    let columns = match at.version {
        1 | 2 => "account, made_unix_ms, name, 0, 0, 1, 1",
        3 | 4 => {
            "account, made_unix_ms, name, 0, 0, sum = row_sum(account, made_unix_ms), name_sum = row_sum(account, name)"
        }
        5..=7 => {
            "account, made_unix_ms, name, kind, 0, sum = row_sum(account, made_unix_ms), \
             name_sum = row_sum(account, name, kind)"
        }
        _ => {
            "account, made_unix_ms, name, kind, seen_day, sum = row_sum(account, made_unix_ms, seen_day), \
             name_sum = row_sum(account, name, kind)"
        }
    };
    let (source, mut known, mut names) = (at.source, HashSet::new(), 0_u64);
    let error = each(source, Table { name: "accounts", columns, key: "account" }, &mut |row| {
        let Ok((id, made, name, kind, seen, is_sound, has_sound_name)) = account(row) else {
            return at.report.damaged("accounts", "a row of the accounts cannot be read".to_owned());
        };
        let is_name = name.as_deref().is_none_or(|name| name.parse::<PlayerName>().is_ok());
        let has_name = has_sound_name && is_name && Kind::of_number(kind).is_some();
        let (name, kind, made, seen) = match (is_sound, has_name) {
            (true, true) => (name, kind, made, seen),
            (true, false) => {
                at.report.damaged("names", format!("the name of {} is not as it was written", shown(&id)));
                (None, GUEST, made, seen)
            }
            // The other checksum is of id, name and kind, so only the times at which it was made and seen are lost.
            (false, true) => {
                let what = format!("when {} was made is not as it was written", shown(&id));
                at.report.damaged("accounts", what);
                (name, kind, 0, 0)
            }
            (false, false) => {
                return at.report.damaged("accounts", format!("{} is not as it was written", shown(&id)));
            }
        };
        names += u64::from(name.is_some());
        at.save(SAVE_ACCOUNT, &[&id, &made, &name, &kind, &seen]);
        known.insert(id);
    });
    at.unreadable("the accounts", error);
    at.report.in_order(format!("accounts: {}, with a name: {names}", known.len()));
    known
}

/// Id, when it was made, name, kind, when it was seen, and whether the two checksums are right.
type AccountRow = (Vec<u8>, i64, Option<String>, i64, i64, bool, bool);

fn account(row: &Row<'_>) -> rusqlite::Result<AccountRow> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?))
}

fn tokens(at: &mut Checked<'_>, known: &HashSet<Vec<u8>>) {
    let columns = match at.version {
        // Before version 11 all were sessions: 142 are their scopes.
        1 | 2 => "hash, account, 1, 0, 0, 0, '', 1, 142, 0",
        3..=7 => "hash, account, sum = row_sum(hash, account), 0, 0, 0, '', 1, 142, 0",
        8..=10 => {
            "hash, account, sum = row_sum(hash, account), kind, made_unix_ms, used_day, label, \
             about_sum = row_sum(hash, kind, made_unix_ms, used_day, label), 142, 0"
        }
        _ => {
            "hash, account, sum = row_sum(hash, account, scopes, until_unix_ms), kind, made_unix_ms, used_day, label, \
             about_sum = row_sum(hash, kind, made_unix_ms, used_day, label), scopes, until_unix_ms"
        }
    };
    let (source, mut count, mut names, mut without_row) = (at.source, 0_u64, None, HashSet::new());
    let error = each(source, Table { name: "tokens", columns, key: "hash" }, &mut |row| {
        let read = || Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(8)?, row.get(9)?));
        let Ok::<TokenRow, rusqlite::Error>((hash, account, is_sound, scopes, until)) = read() else {
            return at.report.damaged("tokens", "a row of the tokens cannot be read".to_owned());
        };
        if !is_sound {
            // Which of both is damaged is not known, so nobody gets in with it.
            return at.report.damaged("tokens", format!("a token, perhaps of {}", shown(&account)));
        }
        // An account may have several tokens.
        if !known.contains(&account) && without_row.insert(account.clone()) {
            let name = names.get_or_insert_with(|| names_by_index(source)).get(&account);
            let name = name.map_or_else(String::new, |name| format!("; it may have been {name:?}"));
            let what = format!("{} has a token and no readable row: no name is saved{name}", shown(&account));
            at.report.damaged("accounts", what);
            at.save(SAVE_ACCOUNT, &[&account, &0, &None::<String>, &GUEST, &0]);
        }
        count += 1;
        let about = about_token(row);
        if about.is_none() {
            at.report.damaged("labels of tokens", format!("what is shown of a token of {}", shown(&account)));
        }
        let (kind, made, used, label) = about.unwrap_or_default();
        at.save(SAVE_TOKEN, &[&hash, &account, &kind, &made, &used, &label, &scopes, &until]);
    });
    at.unreadable("the tokens", error);
    at.report.in_order(format!("tokens: {count}"));
}

/// Hash, account, whether both and the rest are as they were written, scopes, and when it expires.
type TokenRow = (Vec<u8>, Vec<u8>, bool, u8, i64);

const SAVE_TOKEN: &str = "INSERT INTO tokens \
     (hash, account, kind, made_unix_ms, used_day, label, scopes, until_unix_ms, sum, about_sum) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, row_sum(?1, ?2, ?7, ?8), row_sum(?1, ?3, ?4, ?5, ?6))";

/// What its owner is shown of a token: kind, when it was made and used, and label. `None`: it is not as it was written.
fn about_token(row: &Row<'_>) -> Option<(i64, i64, i64, String)> {
    let is_sound: bool = row.get(7).ok()?;
    is_sound.then(|| Some((row.get(3).ok()?, row.get(4).ok()?, row.get(5).ok()?, row.get(6).ok()?)))?
}

/// What the index of names says, as far as it can be read. It has no checksums.
fn names_by_index(source: &Connection) -> HashMap<Vec<u8>, String> {
    let sql = "SELECT account, name FROM accounts INDEXED BY account_by_name WHERE name IS NOT NULL";
    let mut found = HashMap::new();
    let Ok(mut statement) = source.prepare(sql) else { return found };
    let Ok(rows) = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))) else { return found };
    found.extend(rows.map_while(Result::ok));
    found
}

fn challenges(at: &mut Checked<'_>) {
    let columns = match at.version {
        // Before version 10 none had an end: each gets a day, as the step to that version gives it.
        1 => "id, challenge, owner, terms, NULL, (unixepoch() + 86400) * 1000, NULL, 1",
        2 => "id, challenge, owner, terms, rematch_of, (unixepoch() + 86400) * 1000, NULL, 1",
        3..10 => {
            "id, challenge, owner, terms, rematch_of, (unixepoch() + 86400) * 1000, NULL, \
             sum = row_sum(challenge, owner, terms, rematch_of)"
        }
        10..14 => {
            "id, challenge, owner, terms, rematch_of, until_unix_ms, NULL, \
             sum = row_sum(challenge, owner, terms, rematch_of, until_unix_ms)"
        }
        _ => {
            "id, challenge, owner, terms, rematch_of, until_unix_ms, accepted_by, \
             sum = row_sum(challenge, owner, terms, rematch_of, until_unix_ms, accepted_by)"
        }
    };
    let (source, mut count) = (at.source, 0_u64);
    let error = each(source, Table { name: "challenges", columns, key: "id" }, &mut |row| {
        let values: rusqlite::Result<Vec<Value>> = (0..7).map(|column| row.get(column)).collect();
        let (Ok(values), Ok(is_sound)) = (values, row.get::<_, bool>(7)) else {
            return at.report.damaged("challenges", "a row of the challenges cannot be read".to_owned());
        };
        if !is_sound || !is_challenge(&values[1]) {
            return at.report.damaged("challenges", "an open challenge is not as it was written".to_owned());
        }
        count += 1;
        let sql = "INSERT INTO challenges (id, challenge, owner, terms, rematch_of, until_unix_ms, accepted_by, sum) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, row_sum(?2, ?3, ?4, ?5, ?6, ?7))";
        let values: Vec<&dyn rusqlite::ToSql> = values.iter().map(|value| value as _).collect();
        at.save(sql, &values);
    });
    at.unreadable("the challenges", error);
    at.report.in_order(format!("open challenges: {count}"));
}

fn is_challenge(value: &Value) -> bool {
    let Value::Blob(bytes) = value else { return false };
    std::str::from_utf8(bytes).is_ok_and(|text| text.parse::<ChallengeId>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::super::check::check;
    use crate::games::RecoveredGames;
    use crate::storage::sqlite::{STEPS, connect, connect_reader, database_in, migrate};

    const FILL: &str = "INSERT INTO accounts (account, made_unix_ms, name, kind, sum, name_sum) VALUES \
         (x'00000000000000000000000000000001', 7, 'Rook', 1, row_sum(x'00000000000000000000000000000001', 7, 0), \
          row_sum(x'00000000000000000000000000000001', 'Rook', 1)); \
         INSERT INTO tokens (hash, account, sum, about_sum) \
         SELECT x'0102', account, row_sum(x'0102', account, 142, 0), row_sum(x'0102', 0, 0, 0, '') FROM accounts;";

    /// What a check says of an account after this damage, and with which name and kind it is saved.
    fn saved(damage: &str) -> (String, (Option<String>, i64)) {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        std::fs::create_dir(&from).unwrap();
        let mut writer = connect(&database_in(&from)).unwrap();
        migrate(&mut writer, STEPS).unwrap();
        writer.execute_batch(FILL).unwrap();
        writer.execute_batch(damage).unwrap();
        let report = check(&from, Some(&to), &mut RecoveredGames::default()).unwrap();
        let saved = connect_reader(&database_in(&to)).unwrap();
        let sql = "SELECT name, kind FROM accounts";
        let saved = saved.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        (report.to_string(), saved)
    }

    #[test]
    fn an_open_challenge_is_in_order_and_saved_with_the_account_that_has_accepted_it() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        std::fs::create_dir(&from).unwrap();
        let mut writer = connect(&database_in(&from)).unwrap();
        migrate(&mut writer, STEPS).unwrap();
        for (challenge, accepted_by) in [("AAAAAAAAAAAA", None), ("BBBBBBBBBBBB", Some([2_u8; 16]))] {
            let sql = "INSERT INTO challenges (challenge, owner, terms, until_unix_ms, accepted_by, sum) \
                       VALUES (?1, ?2, '{}', 9, ?3, row_sum(?1, ?2, '{}', NULL, 9, ?3))";
            writer.execute(sql, (challenge.as_bytes(), [1_u8; 16], accepted_by)).unwrap();
        }
        let report = check(&from, Some(&to), &mut RecoveredGames::default()).unwrap().to_string();
        assert!(report.contains("open challenges: 2") && !report.contains("DAMAGED"), "{report}");
        let saved = connect_reader(&database_in(&to)).unwrap();
        let sql = "SELECT count(*), count(accepted_by), \
                   min(sum = row_sum(challenge, owner, terms, rematch_of, until_unix_ms, accepted_by)) FROM challenges";
        let saved = saved.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        assert_eq!(saved, (2, 1, 1), "all, accepted, as they are read");
    }

    #[test]
    fn a_name_is_saved_where_it_is_as_it_was_written_and_else_the_report_says_so() {
        for damage in ["made_unix_ms = 8", "sum = sum + 1"] {
            let (report, name) = saved(&format!("UPDATE accounts SET {damage}"));
            assert_eq!(name, (Some("Rook".to_owned()), 1), "{damage}");
            assert!(report.contains("when the account") && report.contains("accounts: 1"), "{report}");
        }
        for damage in ["name = 'Bishop'", "kind = 2"] {
            let (report, name) = saved(&format!("UPDATE accounts SET {damage}"));
            assert_eq!(name, (None, 0), "{damage}");
            assert!(report.contains("DAMAGED, names: 1"), "{report}");
        }
        let (report, name) = saved("UPDATE accounts SET name_sum = 1, sum = 1");
        assert_eq!(name, (None, 0));
        assert!(report.contains("no name is saved; it may have been \"Rook\""), "{report}");
        let another = "INSERT INTO tokens (hash, account, sum, about_sum) \
                       SELECT x'0304', account, row_sum(x'0304', account, 142, 0), row_sum(x'0304', 0, 0, 0, '') FROM accounts; ";
        let (report, name) = saved(&format!("{another} DELETE FROM accounts"));
        assert!(report.contains("accounts: 1") && report.contains("tokens: 2"), "{report}");
        assert_eq!(name, (None, 0));
        assert!(report.contains("has a token and no readable row: no name is saved"), "{report}");
    }
}
