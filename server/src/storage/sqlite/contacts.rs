//! Who has blocked whom, the rules for challenges, settings, and reports, as rows.

use rusqlite::{Connection, OptionalExtension as _, ToSql, params};
use zeitnot_protocol::{AccountId, GameId};

use super::store::SqliteStore;
use crate::storage::{
    Block, ContactStore, HANDLED_KEPT_MS, REPORTS_MAX, ReadError, Reading, Report, ReportStore, Writing,
};

impl ContactStore for SqliteStore {
    fn block(&self, block: Block) -> Writing<()> {
        self.write(move |connection| keep(connection, block))
    }

    fn unblock(&self, block: Block) -> Writing<()> {
        self.write(move |connection| {
            let sql = "DELETE FROM blocks WHERE by = ?1 AND whom = ?2";
            connection.prepare_cached(sql)?.execute([key(block.by), key(block.whom)]).map(drop)
        })
    }

    fn set_challenge_rules(&self, account: AccountId, rules: String) -> Writing<()> {
        self.write(move |connection| {
            let sql = "INSERT OR REPLACE INTO challenge_rules (account, rules, sum) VALUES (?1, ?2, row_sum(?1, ?2))";
            connection.prepare_cached(sql)?.execute(params![key(account), rules]).map(drop)
        })
    }

    fn challenge_rules(&self, account: AccountId) -> Reading<Option<String>> {
        self.read(&self.reads.accounts, move |connection| {
            let sql = "SELECT rules, sum = row_sum(account, rules) FROM challenge_rules WHERE account = ?1";
            text_of(connection, sql, "challenge_rules", account)
        })
    }

    fn set_settings(&self, account: AccountId, settings: String) -> Writing<()> {
        self.write(move |connection| {
            let sql =
                "INSERT OR REPLACE INTO settings (account, settings, sum) VALUES (?1, ?2, row_sum(?1, ?2))";
            connection.prepare_cached(sql)?.execute(params![key(account), settings]).map(drop)
        })
    }

    fn settings(&self, account: AccountId) -> Reading<Option<String>> {
        self.read(&self.reads.accounts, move |connection| {
            let sql = "SELECT settings, sum = row_sum(account, settings) FROM settings WHERE account = ?1";
            text_of(connection, sql, "settings", account)
        })
    }
}

fn key(account: AccountId) -> [u8; 16] {
    account.as_u128().to_be_bytes()
}

fn keep(connection: &Connection, Block { by, whom }: Block) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO blocks (by, whom, sum) VALUES (?1, ?2, row_sum(?1, ?2))";
    connection.prepare_cached(sql)?.execute([key(by), key(whom)]).map(drop)
}

/// The text that a table has for an account, if it has one and that is as it was written.
fn text_of(
    connection: &Connection,
    sql: &str,
    table: &str,
    account: AccountId,
) -> Result<Option<String>, ReadError> {
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([key(account)], |row| Ok((row.get(0)?, row.get::<_, bool>(1)?)));
    match found.optional()? {
        Some((_, false)) => Err(ReadError::Damaged(format!("a row of {table} is not as it was written"))),
        found => Ok(found.map(|(text, _)| text)),
    }
}

/// All blocks at a start. One that is not as it was written is left out.
pub(super) fn blocks(connection: &Connection) -> rusqlite::Result<Vec<Block>> {
    let account = |bytes| AccountId::from_u128(u128::from_be_bytes(bytes));
    let mut statement =
        connection.prepare("SELECT by, whom, sum = row_sum(by, whom) FROM blocks ORDER BY by, whom")?;
    let rows = statement.query_map([], |row| {
        Ok((Block { by: account(row.get(0)?), whom: account(row.get(1)?) }, row.get::<_, bool>(2)?))
    })?;
    let mut blocks = Vec::new();
    for row in rows {
        let (block, is_sound) = row?;
        if is_sound {
            blocks.push(block);
        } else {
            tracing::error!(by = %block.by, whom = %block.whom, "a block is damaged: it is left out");
        }
    }
    Ok(blocks)
}

/// Forgets the blocks, the rules and the settings of an account, and that it has reported anything.
pub(super) fn remove(connection: &Connection, account: AccountId) -> rusqlite::Result<()> {
    for sql in [
        "DELETE FROM blocks WHERE by = ?1",
        "DELETE FROM blocks WHERE whom = ?1",
        "DELETE FROM challenge_rules WHERE account = ?1",
        "DELETE FROM settings WHERE account = ?1",
    ] {
        connection.prepare_cached(sql)?.execute([key(account)])?;
    }
    forget_reporter(connection, account)
}

impl ReportStore for SqliteStore {
    fn add_report(&self, report: Report) -> Writing<Option<u64>> {
        self.write(move |connection| add(connection, &report))
    }

    fn waiting_reports(&self, most: usize) -> Reading<Vec<Report>> {
        self.read(&self.reads.accounts, move |connection| {
            reports(connection, "handled_unix_ms IS NULL ORDER BY id LIMIT ?1", most)
        })
    }

    fn reports_by(&self, account: AccountId) -> Reading<Vec<Report>> {
        self.read(&self.reads.accounts, move |connection| {
            reports(connection, "by = ?1 ORDER BY id", key(account))
        })
    }

    fn handle_report(&self, number: u64, at_unix_ms: u64) -> Writing<bool> {
        self.write(move |connection| {
            // Whoever asks chose the number; one that SQLite cannot hold is no report's.
            let Ok(number) = i64::try_from(number) else { return Ok(false) };
            let sql = format!(
                "UPDATE reports SET handled_unix_ms = ?2, sum = {} WHERE id = ?1 AND handled_unix_ms IS NULL \
                               AND sum = {REPORT_SUM}",
                REPORT_SUM.replace("handled_unix_ms", "?2")
            );
            Ok(connection.prepare_cached(&sql)?.execute(params![number, at_unix_ms])? > 0)
        })
    }
}

/// The checksum of a report.
const REPORT_SUM: &str = "row_sum(at_unix_ms, by, about, game, reason, text, lines, handled_unix_ms)";

/// Adds a report, after those that were handled long ago are gone; `None` when as many wait as may be.
fn add(connection: &Connection, report: &Report) -> rusqlite::Result<Option<u64>> {
    let over = report.at_unix_ms.saturating_sub(HANDLED_KEPT_MS);
    connection.prepare_cached("DELETE FROM reports WHERE handled_unix_ms <= ?1")?.execute([over])?;
    let count: usize =
        connection.prepare_cached("SELECT count(*) FROM reports")?.query_row([], |row| row.get(0))?;
    if count >= REPORTS_MAX {
        let oldest = "DELETE FROM reports WHERE id = (SELECT id FROM reports WHERE handled_unix_ms IS NOT NULL \
                      ORDER BY handled_unix_ms LIMIT 1)";
        if connection.prepare_cached(oldest)?.execute([])? == 0 {
            return Ok(None);
        }
    }
    let sql = "INSERT INTO reports (at_unix_ms, by, about, game, reason, text, lines, sum) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, row_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL))";
    connection.prepare_cached(sql)?.execute(params![
        report.at_unix_ms,
        report.by.map(key),
        key(report.about),
        report.game.as_ref().map(GameId::as_bytes),
        report.reason,
        report.text,
        report.lines
    ])?;
    Ok(u64::try_from(connection.last_insert_rowid()).ok())
}

/// The reports that a condition finds. One that is not as it was written says so in place of its text.
fn reports(connection: &Connection, which: &str, value: impl ToSql) -> Result<Vec<Report>, ReadError> {
    let sql = format!(
        "SELECT id, at_unix_ms, by, about, game, reason, text, lines, handled_unix_ms, sum = {REPORT_SUM} FROM reports WHERE {which}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let account = |bytes| AccountId::from_u128(u128::from_be_bytes(bytes));
    let rows = statement.query_map([value], |row| {
        let game: Option<Vec<u8>> = row.get(4)?;
        let game = game.and_then(|bytes| std::str::from_utf8(&bytes).ok()?.parse().ok());
        let is_sound: bool = row.get(9)?;
        let text = |column| if is_sound { row.get(column) } else { Ok("damaged".to_owned()) };
        Ok(Report {
            number: row.get(0)?,
            at_unix_ms: row.get(1)?,
            by: row.get::<_, Option<_>>(2)?.map(account),
            about: account(row.get(3)?),
            game,
            reason: text(5)?,
            text: text(6)?,
            lines: if is_sound { row.get(7)? } else { "[]".to_owned() },
            handled_unix_ms: row.get(8)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Takes the name of a closed account off its reports.
fn forget_reporter(connection: &Connection, account: AccountId) -> rusqlite::Result<()> {
    let sql = format!(
        "UPDATE reports SET by = NULL, sum = {} WHERE by = ?1 AND sum = {REPORT_SUM}",
        REPORT_SUM.replace("by,", "NULL,")
    );
    connection.prepare_cached(&sql)?.execute([key(account)]).map(drop)
}
