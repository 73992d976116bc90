//! One connection to PostgreSQL: where to, with which settings, and what an error of it means.
//!
//! A warning counts as an error: PostgreSQL says by one that it gave up waiting for its standby, and then what it answered
//! `COMMIT` to may be lost with this server. Every connection begins with a write that is waited for, the *barrier*: after a
//! crash PostgreSQL shows rows that its standby has not got yet, and only after the barrier does reading them count.
//!
//! Deliberately absent: connecting again, and what is tried again (`journal`, `people`, `readers`).
//!
//! Invariant: nothing goes in plain text to another machine, unless the URL says `sslmode=disable`.

use std::collections::HashMap;
use std::error::Error as _;
use std::future::poll_fn;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fmt, io};

use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::error::{DbError, Severity, SqlState};
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Client, Config, Row, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};
use uuid::Uuid;

use super::fatal::Halt;
use crate::storage::ReadError;
use crate::sync::unpoisoned;

/// How long one address may take to be connected to.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// How long what was sent may stay without an acknowledgement by the other machine's kernel.
const UNHEARD_MAX: Duration = Duration::from_secs(5);

/// `on` is what an ack needs; `remote_apply` is more. A transaction in which this process stops is given up for it.
const SETTINGS: &str = "SELECT set_config('synchronous_commit', 'on', false) \
     WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply'); \
     SET idle_in_transaction_session_timeout = '2s'; SET lock_timeout = 0; SET statement_timeout = 0; \
     SET client_min_messages = 'warning'; SET default_transaction_isolation = 'read committed'";

/// Where a database is: `postgres://user:password@host:port/database`. `Debug` and `Display` do not show the password.
#[derive(Clone, PartialEq, Eq)]
pub struct ClusterUrl(Config);

impl FromStr for ClusterUrl {
    type Err = tokio_postgres::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.parse()?))
    }
}

impl fmt::Debug for ClusterUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClusterUrl({self})")
    }
}

impl fmt::Display for ClusterUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts = self.0.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        });
        let database = self.0.get_dbname().or(self.0.get_user()).unwrap_or_default();
        write!(f, "{database} at {}", hosts.collect::<Vec<_>>().join(", "))
    }
}

/// A database, for a process with this boot.
pub(super) struct Database {
    config: Config,
    tls: MakeRustlsConnect,
    pub(super) boot: Uuid,
    pub(super) halt: Halt,
}

impl Database {
    pub(super) fn new(ClusterUrl(config): &ClusterUrl, boot: Uuid, halt: Halt) -> Self {
        let mut config = config.clone();
        let is_near = config.get_hosts().iter().all(is_this_machine);
        // `prefer` would fall back to plain text.
        match config.get_ssl_mode() {
            SslMode::Prefer if is_near => config.ssl_mode(SslMode::Disable),
            SslMode::Prefer => config.ssl_mode(SslMode::Require),
            _ => &mut config,
        };
        config.application_name(application_name(boot));
        config.connect_timeout(CONNECT_WITHIN).tcp_user_timeout(UNHEARD_MAX);
        config.keepalives_idle(UNHEARD_MAX).keepalives_interval(Duration::from_secs(1)).keepalives_retries(5);
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        let is_encrypted = config.get_ssl_mode() != SslMode::Disable;
        Self { config, tls: tls(is_encrypted), boot, halt }
    }

    /// A connection with the settings, before its barrier.
    pub(super) async fn connect(&self) -> Result<Link, Failure> {
        let (client, mut connection) = self.config.connect(self.tls.clone()).await?;
        let warnings = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&warnings);
        #[expect(
            clippy::disallowed_methods,
            reason = "it ends with its connection, and with the store's runtime"
        )]
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
                if let AsyncMessage::Notice(notice) = message
                    && notice.parsed_severity() == Some(Severity::Warning)
                {
                    tracing::warn!(code = notice.code().code(), "PostgreSQL warns: {}", notice.message());
                    counted.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        let backend = Backend { pid: 0, started: String::new() };
        let mut link = Link { client, warnings, backend, statements: Mutex::default() };
        link.client.batch_execute(SETTINGS).await?;
        let row = link.client.query_one(OWN_BACKEND, &[]).await?;
        link.backend = Backend { pid: row.try_get(0)?, started: row.try_get(1)? };
        Ok(link)
    }

    /// Waits until a write of this connection is as durable as an ack. What was written before is, then, too.
    pub(super) async fn barrier(&self, link: &Link) -> Result<(), Failure> {
        let sql = "UPDATE nodes SET barrier = barrier + 1 WHERE boot = $1 AND NOT dead";
        let heard = link.warnings();
        match link.run(sql, &[&self.boot]).await? {
            0 => {
                self.halt.dead();
                Err(Failure::Dead)
            }
            _ if link.warnings() != heard => Err(Failure::Lost),
            _ => Ok(()),
        }
    }

    /// A connection whose reading counts.
    pub(super) async fn connect_behind_barrier(&self) -> Result<Link, Failure> {
        let link = self.connect().await?;
        self.barrier(&link).await?;
        Ok(link)
    }
}

const OWN_BACKEND: &str =
    "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()";

/// The name by which the connections of a boot are found.
pub(super) fn application_name(boot: Uuid) -> String {
    format!("zeitnot-{boot}")
}

fn is_this_machine(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
    }
}

/// Certificates are those that the machine trusts.
fn tls(is_encrypted: bool) -> MakeRustlsConnect {
    let mut roots = RootCertStore::empty();
    if is_encrypted {
        let found = rustls_native_certs::load_native_certs();
        for error in &found.errors {
            tracing::warn!(%error, "some of the machine's certificates cannot be read");
        }
        roots.add_parsable_certificates(found.certs);
    }
    let provider = Arc::new(crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider has the default versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    MakeRustlsConnect::new(config)
}

/// A process of PostgreSQL that serves one connection. Its pid alone may be another one's by now.
#[derive(Clone, Debug)]
pub(super) struct Backend {
    pub(super) pid: i32,
    pub(super) started: String,
}

/// A connection.
pub(super) struct Link {
    client: Client,
    warnings: Arc<AtomicU64>,
    pub(super) backend: Backend,
    /// Those that were used before, by their texts, which are constants.
    statements: Mutex<HashMap<&'static str, Statement>>,
}

impl Deref for Link {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

pub(super) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Link {
    /// How many warnings there were.
    pub(super) fn warnings(&self) -> u64 {
        self.warnings.load(Ordering::Relaxed)
    }

    async fn statement(&self, sql: &'static str) -> Result<Statement, Failure> {
        let known = unpoisoned(self.statements.lock()).get(sql).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let prepared = self.client.prepare(sql).await?;
        unpoisoned(self.statements.lock()).insert(sql, prepared.clone());
        Ok(prepared)
    }

    /// All rows of a query.
    pub(super) async fn rows(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Failure> {
        Ok(self.client.query(&self.statement(sql).await?, params).await?)
    }

    /// The only row of a query, if there is one.
    pub(super) async fn row(&self, sql: &'static str, params: Params<'_>) -> Result<Option<Row>, Failure> {
        Ok(self.client.query_opt(&self.statement(sql).await?, params).await?)
    }

    /// Whether a query has a row.
    pub(super) async fn has(&self, sql: &'static str, params: Params<'_>) -> Result<bool, Failure> {
        Ok(!self.rows(sql, params).await?.is_empty())
    }

    /// Changes something; the answer is how many rows.
    pub(super) async fn run(&self, sql: &'static str, params: Params<'_>) -> Result<u64, Failure> {
        Ok(self.client.execute(&self.statement(sql).await?, params).await?)
    }

    /// Ends the backend of a connection that was lost, and waits for its end: it may still be about to commit.
    pub(super) async fn end(&self, Backend { pid, started }: &Backend) -> Result<(), Failure> {
        let sql = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
                   WHERE pid = $1 AND backend_start = $2::text::timestamptz";
        let ended = self.rows(sql, &[pid, started]).await?;
        if ended.iter().all(|row| row.get(0)) { Ok(()) } else { Err(Failure::Again) }
    }
}

/// Why PostgreSQL did not do something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// The connection is gone, or may not be relied on: it is unknown what was done.
    Lost,
    /// Nothing was done, and it may be tried again: a deadlock, a full disk, a lock that somebody else has.
    Again,
    /// Nothing was done, and nothing has to be done now.
    Later,
    /// Nothing was done: the segment of a row is not there.
    NoSegment,
    /// What was read is not as it was written.
    Damaged(String),
    /// Nothing was done, and trying again would not help.
    Rejected(String),
    /// Another process serves from the database.
    Dead,
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.as_db_error() {
            Some(error) => Self::of_code(error),
            None if error.is_closed() => Self::Lost,
            None if error.source().is_some_and(|source| source.is::<io::Error>()) => Self::Lost,
            None => Self::Damaged(say(&error)),
        }
    }
}

impl Failure {
    fn of_code(error: &DbError) -> Self {
        let code = error.code();
        match code {
            _ if matches!(code.code().get(..2), Some("08")) => Self::Lost,
            &SqlState::ADMIN_SHUTDOWN
            | &SqlState::CRASH_SHUTDOWN
            | &SqlState::CANNOT_CONNECT_NOW
            | &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
            | &SqlState::READ_ONLY_SQL_TRANSACTION => Self::Lost,
            &SqlState::T_R_DEADLOCK_DETECTED
            | &SqlState::T_R_SERIALIZATION_FAILURE
            | &SqlState::LOCK_NOT_AVAILABLE
            | &SqlState::QUERY_CANCELED
            | &SqlState::IO_ERROR => Self::Again,
            // No space, no memory, too many connections.
            _ if matches!(code.code().get(..2), Some("53")) => Self::Again,
            &SqlState::CHECK_VIOLATION => Self::NoSegment,
            _ => Self::Rejected(format!("{}: {}", code.code(), error.message())),
        }
    }
}

impl From<Failure> for ReadError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Damaged(what) => Self::Damaged(what),
            other => Self::Unavailable(other.to_string()),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost => f.write_str("PostgreSQL cannot be reached"),
            Self::Again | Self::Later => f.write_str("PostgreSQL is busy, or its disk is full"),
            Self::NoSegment => f.write_str("a segment of the journal is not there"),
            Self::Damaged(what) | Self::Rejected(what) => f.write_str(what),
            Self::Dead => f.write_str("another zeitnot serves from the database"),
        }
    }
}

/// An error with its causes.
pub(super) fn say(error: &tokio_postgres::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
