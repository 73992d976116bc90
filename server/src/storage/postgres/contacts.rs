//! Who has blocked whom, the rules for challenges, settings, and reports, as rows.

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;
use zeitnot_protocol::{AccountId, GameId};

use super::accounts::{account_of, key};
use super::connection::{Failure, Link};
use super::credentials::column;
use super::game_rows::game_of;
use super::store::PostgresStore;
use crate::storage::{
    Block, ContactStore, HANDLED_KEPT_MS, REPORTS_MAX, Reading, Report, ReportStore, Writing,
};

impl ContactStore for PostgresStore {
    fn block(&self, block: Block) -> Writing<()> {
        self.write(block, |link, Block { by, whom }| async move {
            let sql = "INSERT INTO blocks VALUES ($1, $2) ON CONFLICT DO NOTHING";
            link.run(sql, &[&key(by), &key(whom)]).await.map(drop)
        })
    }

    fn unblock(&self, block: Block) -> Writing<()> {
        self.write(block, |link, Block { by, whom }| async move {
            let sql = "DELETE FROM blocks WHERE by = $1 AND whom = $2";
            link.run(sql, &[&key(by), &key(whom)]).await.map(drop)
        })
    }

    fn set_challenge_rules(&self, account: AccountId, rules: String) -> Writing<()> {
        self.write((account, rules), |link, (account, rules)| async move {
            let sql = "INSERT INTO challenge_rules VALUES ($1, $2) \
                       ON CONFLICT (account) DO UPDATE SET rules = excluded.rules";
            link.run(sql, &[&key(account), &rules]).await.map(drop)
        })
    }

    fn challenge_rules(&self, account: AccountId) -> Reading<Option<String>> {
        self.reads.accounts.read(account, |link, account| async move {
            text_of(&link, "SELECT rules FROM challenge_rules WHERE account = $1", account).await
        })
    }

    fn set_settings(&self, account: AccountId, settings: String) -> Writing<()> {
        self.write((account, settings), |link, (account, settings)| async move {
            let sql = "INSERT INTO settings VALUES ($1, $2) \
                       ON CONFLICT (account) DO UPDATE SET settings = excluded.settings";
            link.run(sql, &[&key(account), &settings]).await.map(drop)
        })
    }

    fn settings(&self, account: AccountId) -> Reading<Option<String>> {
        self.reads.accounts.read(account, |link, account| async move {
            text_of(&link, "SELECT settings FROM settings WHERE account = $1", account).await
        })
    }
}

/// The text that a table has for an account, if it has one.
async fn text_of(link: &Link, sql: &'static str, account: AccountId) -> Result<Option<String>, Failure> {
    Ok(link.row(sql, &[&key(account)]).await?.map(|row| row.try_get(0)).transpose()?)
}

/// All blocks at a start.
pub(super) async fn blocks(link: &Link) -> Result<Vec<Block>, Failure> {
    let rows = link.rows("SELECT by, whom FROM blocks ORDER BY by, whom", &[]).await?;
    let block = |row: &Row| Ok(Block { by: account_of(row.try_get(0)?), whom: account_of(row.try_get(1)?) });
    rows.iter().map(block).collect()
}

/// Forgets the blocks, the rules and the settings of an account, and that it has reported anything.
pub(super) async fn remove(link: &Link, account: AccountId) -> Result<(), Failure> {
    for sql in [
        "DELETE FROM blocks WHERE by = $1 OR whom = $1",
        "DELETE FROM challenge_rules WHERE account = $1",
        "DELETE FROM settings WHERE account = $1",
        "UPDATE reports SET by = NULL WHERE by = $1",
    ] {
        link.run(sql, &[&key(account)]).await?;
    }
    Ok(())
}

impl ReportStore for PostgresStore {
    fn add_report(&self, report: Report) -> Writing<Option<u64>> {
        self.write(report, |link, report| async move { add(&link, &report).await })
    }

    fn waiting_reports(&self, most: usize) -> Reading<Vec<Report>> {
        self.reads.accounts.read(most, |link, most| async move {
            let sql = "SELECT id, at_unix_ms, by, about, game, reason, text, lines, handled_unix_ms FROM reports \
                       WHERE handled_unix_ms IS NULL ORDER BY id LIMIT $1";
            reports(&link, sql, &i64::try_from(most).unwrap_or(i64::MAX)).await
        })
    }

    fn reports_by(&self, account: AccountId) -> Reading<Vec<Report>> {
        self.reads.accounts.read(account, |link, account| async move {
            let sql = "SELECT id, at_unix_ms, by, about, game, reason, text, lines, handled_unix_ms FROM reports \
                       WHERE by = $1 ORDER BY id";
            reports(&link, sql, &key(account)).await
        })
    }

    fn handle_report(&self, number: u64, at_unix_ms: u64) -> Writing<bool> {
        self.write((number, at_unix_ms), |link, (number, at)| async move {
            // Whoever asks chose the number; one that a column cannot hold is no report's.
            let Ok(number) = i64::try_from(number) else { return Ok(false) };
            let sql = "UPDATE reports SET handled_unix_ms = $2 WHERE id = $1 AND handled_unix_ms IS NULL";
            Ok(link.run(sql, &[&number, &column(at)]).await? > 0)
        })
    }
}

/// Adds a report, after those that were handled long ago are gone; `None` when as many wait as may be.
async fn add(link: &Link, report: &Report) -> Result<Option<u64>, Failure> {
    let over = column(report.at_unix_ms.saturating_sub(HANDLED_KEPT_MS));
    link.run("DELETE FROM reports WHERE handled_unix_ms <= $1", &[&over]).await?;
    let count = link.row("SELECT count(*) FROM reports", &[]).await?;
    if count.map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()) >= REPORTS_MAX as u64 {
        let oldest = "DELETE FROM reports WHERE id = (SELECT id FROM reports WHERE handled_unix_ms IS NOT NULL \
                      ORDER BY handled_unix_ms LIMIT 1)";
        if link.run(oldest, &[]).await? == 0 {
            return Ok(None);
        }
    }
    let sql = "INSERT INTO reports (at_unix_ms, by, about, game, reason, text, lines) \
               VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id";
    let Report { at_unix_ms, by, about, game, reason, text, lines, .. } = report;
    let (by, about, game) = (by.map(key), key(*about), game.as_ref().map(GameId::as_str));
    let row = link.row(sql, &[&column(*at_unix_ms), &by, &about, &game, reason, text, lines]).await?;
    Ok(row.map(|row| row.get::<_, i64>(0).unsigned_abs()))
}

async fn reports(link: &Link, sql: &'static str, value: &(dyn ToSql + Sync)) -> Result<Vec<Report>, Failure> {
    link.rows(sql, &[value]).await?.iter().map(report_of).collect()
}

fn report_of(row: &Row) -> Result<Report, Failure> {
    Ok(Report {
        number: row.try_get::<_, i64>(0)?.unsigned_abs(),
        at_unix_ms: row.try_get::<_, i64>(1)?.unsigned_abs(),
        by: row.try_get::<_, Option<Uuid>>(2)?.map(account_of),
        about: account_of(row.try_get(3)?),
        game: row.try_get::<_, Option<&str>>(4)?.map(game_of).transpose()?,
        reason: row.try_get(5)?,
        text: row.try_get(6)?,
        lines: row.try_get(7)?,
        handled_unix_ms: row.try_get::<_, Option<i64>>(8)?.map(i64::unsigned_abs),
    })
}
