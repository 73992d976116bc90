//! Logs (written by `log`), and the metrics under one roof: every name is in the table below and nowhere else.
//!
//! Metrics are counted for the process. They are registered once, however many servers run in it, so tests can start
//! several. Hot paths hold a handle and pay one atomic addition.
//!
//! Deliberately absent: anything that names a person. Tokens are never logged or counted.

mod log;

use std::sync::OnceLock;

use metrics::{Counter, Gauge, Histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

pub use log::LastLines;
use log::Lines;

/// Buckets for times in seconds, from a tenth of a millisecond to ten seconds.
const SECONDS: &[f64] =
    &[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// Counters of one name that differ in their labels. Each has few values: they come from lists in the code, never from
/// a client.
#[derive(Debug)]
pub struct Family {
    name: &'static str,
}

impl Family {
    /// Counts one more of what has these labels. It looks the counter up: not for what a move does.
    pub fn count(&self, labels: &[(&'static str, &'static str)]) {
        metrics::counter!(self.name, labels).increment(1);
    }
}

/// A gauge that is 1 and has labels.
#[derive(Debug)]
pub struct Build {
    name: &'static str,
}

impl Build {
    /// Says which program this is.
    pub fn set(&self, labels: &[(&'static str, String)]) {
        metrics::gauge!(self.name, labels).set(1.0);
    }
}

macro_rules! metrics_table {
    ($($(#[doc = $meaning:literal])+ $field:ident: $kind:ident = $name:literal,)+) => {
        /// All metrics of the process.
        pub struct Metrics {
            $($(#[doc = $meaning])+ pub $field: $kind,)+
        }

        impl Metrics {
            /// Name and meaning of each, in the order of the table.
            pub const TABLE: &[(&str, &str)] = &[$(($name, concat!($($meaning),+).trim_ascii()),)+];

            fn register() -> Self {
                Self { $($field: metrics_table!(@register $kind, $name, concat!($($meaning),+).trim_ascii()),)+ }
            }
        }
    };
    (@register Counter, $name:literal, $meaning:expr) => {{
        metrics::describe_counter!($name, $meaning);
        metrics::counter!($name)
    }};
    (@register Gauge, $name:literal, $meaning:expr) => {{
        metrics::describe_gauge!($name, $meaning);
        metrics::gauge!($name)
    }};
    (@register Build, $name:literal, $meaning:expr) => {{
        metrics::describe_gauge!($name, $meaning);
        Build { name: $name }
    }};
    (@register Family, $name:literal, $meaning:expr) => {{
        metrics::describe_counter!($name, $meaning);
        Family { name: $name }
    }};
    (@register Histogram, $name:literal, $meaning:expr) => {{
        metrics::describe_histogram!($name, $meaning);
        metrics::histogram!($name)
    }};
}

metrics_table! {
    /// Open WebSocket connections.
    connections: Gauge = "zeitnot_connections",
    /// WebSocket connections opened.
    connections_opened: Counter = "zeitnot_connections_opened_total",
    /// WebSocket connections that the server closed, by the code in the close frame's reason.
    connections_closed_by_us: Family = "zeitnot_connections_closed_by_us_total",
    /// Bytes read from WebSockets.
    bytes_in: Counter = "zeitnot_bytes_in_total",
    /// Bytes written to WebSockets.
    bytes_out: Counter = "zeitnot_bytes_out_total",
    /// Messages read from WebSockets.
    frames_in: Counter = "zeitnot_frames_in_total",
    /// Messages rejected with `rejected`, by code.
    frames_rejected: Family = "zeitnot_frames_rejected_total",
    /// Guest accounts made.
    guests: Counter = "zeitnot_guests_total",
    /// Open challenges.
    challenges: Gauge = "zeitnot_challenges",
    /// HTTP requests, upgrades included.
    http_requests: Counter = "zeitnot_http_requests_total",
    /// HTTP answers, by route and by the first digit of the status.
    http_answers: Family = "zeitnot_http_answers_total",
    /// Bytes of the bodies of HTTP answers.
    http_body_bytes: Counter = "zeitnot_http_body_bytes_total",
    /// Connections rejected because their address has too many.
    connections_rejected: Counter = "zeitnot_connections_rejected_total",
    /// Games started.
    games_started: Counter = "zeitnot_games_started_total",
    /// Games ended.
    games_ended: Counter = "zeitnot_games_ended_total",
    /// Live games, with those at rest.
    games_live: Gauge = "zeitnot_games_live",
    /// Live games at rest: without an actor.
    games_resting: Gauge = "zeitnot_games_resting",
    /// Games with a chat.
    chats: Gauge = "zeitnot_chats",
    /// Lines of chat.
    chat_lines: Counter = "zeitnot_chat_lines_total",
    /// Moves that became durable.
    moves: Counter = "zeitnot_moves_total",
    /// Commands that a game rejected.
    commands_rejected: Counter = "zeitnot_commands_rejected_total",
    /// Questions about the end of a game or a dead position that needed more than a look.
    verdicts_asked: Counter = "zeitnot_verdicts_asked_total",
    /// Verdicts that stayed undecided and counted as "can checkmate".
    verdicts_undecided: Counter = "zeitnot_verdicts_undecided_total",
    /// Verdicts by the material on the board.
    verdicts_by_material: Counter = "zeitnot_verdicts_by_material_total",
    /// Verdicts by where pieces can ever stand.
    verdicts_by_static_test: Counter = "zeitnot_verdicts_by_static_test_total",
    /// Verdicts by an exhaustive search.
    verdicts_by_search: Counter = "zeitnot_verdicts_by_search_total",
    /// Verdicts by a line that ends with checkmate.
    verdicts_by_line: Counter = "zeitnot_verdicts_by_line_total",
    /// Questions whose answer was known from before.
    verdicts_known: Counter = "zeitnot_verdicts_known_total",
    /// Searches that died of a bug.
    verdicts_failed: Counter = "zeitnot_verdicts_failed_total",
    /// Questions that wait to be searched.
    verdicts_waiting: Gauge = "zeitnot_verdicts_waiting",
    /// Positions that searches for verdicts looked at, about.
    verdict_nodes: Counter = "zeitnot_verdict_nodes_total",
    /// Seconds from a question to its verdict.
    verdict_seconds: Histogram = "zeitnot_verdict_seconds",
    /// Seconds that a task which is ready waits for its turn, as probes find it. From `--scheduling-delay-max-ms` on
    /// everything but games is held back.
    scheduling_delay_seconds: Histogram = "zeitnot_scheduling_delay_seconds",
    /// Whether everything but games is held back.
    overloaded: Gauge = "zeitnot_overloaded",
    /// Whether this node takes no sockets because it reaches neither the database nor the bus, or does not hear the others.
    cut_off: Gauge = "zeitnot_cut_off",
    /// Seconds from a record's append to its commit.
    append_seconds: Histogram = "zeitnot_append_seconds",
    /// Seconds that the oldest append has waited for its commit, at least; from 5 on `/healthz` answers 503.
    oldest_append_seconds: Gauge = "zeitnot_oldest_append_seconds",
    /// Running games that were given up, so that other nodes play them on.
    games_released: Counter = "zeitnot_games_released_total",
    /// Games whose actor died of a bug.
    games_failed: Counter = "zeitnot_games_failed_total",
    /// Transactions of the data folder: one fsync each.
    journal_commits: Counter = "zeitnot_journal_commits_total",
    /// Records, accounts and challenges written in these transactions.
    journal_requests: Counter = "zeitnot_journal_requests_total",
    /// Length of the data folder's log in bytes, as of its last checkpoint.
    journal_log_bytes: Gauge = "zeitnot_journal_log_bytes",
    /// Games that were set aside because their records cannot be read.
    games_set_aside: Counter = "zeitnot_games_set_aside_total",
    /// Reads that found something in the data folder that is not as it was written.
    damaged_reads: Counter = "zeitnot_damaged_reads_total",
    /// Seconds since the log was wholly moved into the database.
    checkpoint_age_seconds: Gauge = "zeitnot_checkpoint_age_seconds",
    /// Size of the database in bytes, without its log.
    database_bytes: Gauge = "zeitnot_database_bytes",
    /// Backups by schedule that were made and checked.
    backups: Counter = "zeitnot_backups_total",
    /// Backups by schedule that failed.
    backups_failed: Counter = "zeitnot_backups_failed_total",
    /// Seconds since the last good backup by schedule; not a number without a schedule, infinite before the first.
    backup_age_seconds: Gauge = "zeitnot_backup_age_seconds",
    /// Lines of the log that were lost because nobody takes them from the standard error stream.
    log_lines_lost: Counter = "zeitnot_log_lines_lost_total",
    /// Bytes of memory that are resident.
    resident_bytes: Gauge = "zeitnot_resident_bytes",
    /// Open file descriptors, sockets among them.
    open_files: Gauge = "zeitnot_open_files",
    /// Always 1; the labels say which program this is.
    build: Build = "zeitnot_build_info",
}

impl std::fmt::Debug for Metrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

static EXPORTER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
static METRICS: OnceLock<Metrics> = OnceLock::new();

fn exporter() -> Option<&'static PrometheusHandle> {
    let install = || {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)
            .expect("the list of buckets is not empty");
        match builder.install_recorder() {
            Ok(handle) => Some(handle),
            Err(error) => {
                tracing::warn!(%error, "another metrics recorder is installed: /metrics is empty");
                None
            }
        }
    };
    EXPORTER.get_or_init(install).as_ref()
}

/// The metrics of this process.
pub fn metrics() -> &'static Metrics {
    METRICS.get_or_init(|| {
        exporter();
        Metrics::register()
    })
}

/// All metrics in Prometheus's text format. Also lets the histograms take in what was recorded since the last call, so
/// call [`tidy`] now and then when nobody asks.
pub(crate) fn render() -> String {
    metrics().log_lines_lost.increment(log::take_lost());
    exporter().map(PrometheusHandle::render).unwrap_or_default()
}

/// Lets the histograms take in what was recorded: without it they grow between two renderings.
pub(crate) fn tidy() {
    metrics().log_lines_lost.increment(log::take_lost());
    if let Some(handle) = exporter() {
        handle.run_upkeep();
    }
}

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The filter cannot be read.
    #[error("{0}; try --log info")]
    Filter(#[from] ParseError),
    /// The thread that writes it does not start.
    #[error("the log does not start: {0}")]
    Thread(#[from] std::io::Error),
}

/// Sends logs to the standard error stream, as text or with one JSON object a line, until the answer is dropped. Only
/// ours: what libraries say through the `log` crate is not taken, because it may hold whole messages, and so tokens.
///
/// # Errors
/// See [`LogError`].
pub fn log_to_stderr(filter: &str, as_json: bool) -> Result<LastLines, LogError> {
    let filter = EnvFilter::builder().parse(filter)?;
    let lines = Lines::start(&log::LOST, log::write_to_stderr)?;
    lines.take_panics();
    let last_lines = LastLines(lines.clone());
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(lines)
        // It would say on stderr that stderr cannot be written, and panic because that cannot be written either.
        .log_internal_errors(false);
    let is_set = if as_json {
        tracing::subscriber::set_global_default(log.json().flatten_event(true).finish())
    } else {
        tracing::subscriber::set_global_default(log.finish())
    };
    if is_set.is_err() {
        tracing::debug!("logs are set up already");
    }
    Ok(last_lines)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_of_one_family() {
        let names = Metrics::TABLE.iter().map(|(name, _)| *name).collect::<HashSet<_>>();
        assert_eq!(names.len(), Metrics::TABLE.len());
        assert!(names.iter().all(|name| name.starts_with("zeitnot_")));
    }

    #[test]
    fn every_metric_is_rendered_with_its_meaning() {
        metrics().append_seconds.record(0.002);
        metrics().connections_closed_by_us.count(&[("code", "flood")]);
        metrics().frames_rejected.count(&[("code", "not_json")]);
        metrics().http_answers.count(&[("route", "/healthz"), ("status", "2xx")]);
        metrics().build.set(&[("version", "1".to_owned())]);
        let text = render();
        for (name, meaning) in Metrics::TABLE {
            assert!(text.contains(&format!("# HELP {name} {meaning}")), "{name} is missing in:\n{text}");
        }
        assert!(text.contains("zeitnot_connections_closed_by_us_total{code=\"flood\"}"), "{text}");
        assert!(text.contains("zeitnot_append_seconds_bucket{le=\"0.0025\"}"), "{text}");
    }

    #[test]
    fn the_dashboard_shows_metrics_that_exist() {
        let dashboard = include_str!("../../deploy/grafana.json");
        let words = dashboard.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let shown = words.filter(|word| word.starts_with("zeitnot_")).collect::<HashSet<_>>();
        assert!(shown.len() > 10, "{shown:?}");
        for name in shown {
            let name = name.strip_suffix("_bucket").unwrap_or(name);
            assert!(Metrics::TABLE.iter().any(|(known, _)| *known == name), "there is no {name}");
        }
    }

    #[test]
    fn a_broken_filter_is_an_error() {
        assert!(log_to_stderr("zeitnot=loud=very", false).is_err());
    }
}
