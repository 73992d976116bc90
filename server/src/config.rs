//! What can be set from outside: flags, each with an environment variable.
//!
//! Only what somebody who runs a server must be able to change. Everything else is a named constant where it is used,
//! or one of `zeitnot_protocol::Limits`.

mod secret_url;

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};
use zeitnot_protocol::Limits;

use secret_url::secret_url;

use crate::admin::AdminAct;
use crate::cluster::{BusOptions, BusRejection, BusUrl};
use crate::net::{Network, Origin};
use crate::storage::ClusterUrl;
use crate::storage::sqlite::TEMPORARY;
use crate::time::unix_ms;
use crate::upkeep::Schedule;

/// A realtime chess server over WebSockets.
#[derive(Clone, Debug, Parser)]
#[command(name = "zeitnot", version, about)]
pub struct Config {
    /// Address and port to listen on; port 0 takes any free one.
    #[arg(long, env = "ZEITNOT_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,

    /// The folder that holds everything the server keeps. `:memory:` is a temporary one that is removed at the end.
    #[arg(long, env = "ZEITNOT_DATA", default_value = "data", value_name = "FOLDER", global = true)]
    pub data: PathBuf,

    /// Where games and accounts are kept: `sqlite` in the data folder; `memory` forgets them, for measurements.
    #[arg(
        long,
        env = "ZEITNOT_JOURNAL",
        default_value = "sqlite",
        value_name = "KIND",
        conflicts_with = "cluster"
    )]
    pub journal: JournalKind,

    /// A PostgreSQL database that keeps everything in place of the data folder: `postgres://user@host/database`. Several
    /// servers on one need `--bus`. A password is best in the variable, which other users of the machine do not see.
    #[arg(long, env = "ZEITNOT_CLUSTER", value_name = "URL", hide_env_values = true, global = true,
          value_parser = secret_url::<ClusterUrl>())]
    pub cluster: Option<ClusterUrl>,

    /// The NATS servers over which several servers of one database reach each other, the same ones in the same order for
    /// all: `tls://a:4222,tls://b:4222`. The first that answers is used.
    #[arg(long, env = "ZEITNOT_BUS", value_name = "URL", value_delimiter = ',', requires = "cluster",
          value_parser = secret_url::<BusUrl>())]
    pub bus: Vec<BusUrl>,

    /// A file with what NATS lets this server in by: one line with `name:password` or with the seed of an nkey, or a
    /// `.creds` file.
    #[arg(long, env = "ZEITNOT_BUS_CREDS", value_name = "FILE", requires = "bus")]
    pub bus_creds: Option<PathBuf>,

    /// Allow `nats://`, which is plain text, to other machines. Who can write to that network can move for anybody.
    #[arg(long, env = "ZEITNOT_BUS_PLAINTEXT", requires = "bus")]
    pub bus_plaintext: bool,

    /// Threads that serve connections and games. Default: one per processor core.
    #[arg(long, env = "ZEITNOT_WORKERS", value_name = "N")]
    pub workers: Option<NonZeroUsize>,

    /// Threads that search for verdicts, of low priority; each may need 300 MB. Default: all cores but one, at most two.
    #[arg(long, env = "ZEITNOT_VERDICT_THREADS", value_name = "N")]
    pub verdict_threads: Option<NonZeroUsize>,

    /// What to log, as in `info` or `zeitnot_server=debug`. Logs go to the standard error stream.
    #[arg(long, env = "ZEITNOT_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,

    /// How a line of the log is written.
    #[arg(long, env = "ZEITNOT_LOG_FORMAT", default_value = "text", value_name = "FORMAT")]
    pub log_format: LogFormat,

    /// Address and port for `/metrics`, which is nobody else's business: not the public port, and best the loopback
    /// interface or a private network. Default: no metrics.
    #[arg(long, env = "ZEITNOT_METRICS_LISTEN", value_name = "ADDRESS:PORT")]
    pub metrics_listen: Option<SocketAddr>,

    /// Open connections from one address (IPv6: one /64).
    #[arg(long, env = "ZEITNOT_CONNECTIONS_PER_ADDRESS", value_name = "N",
          default_value_t = Limits::STANDARD.connections_per_address, value_parser = clap::value_parser!(u32).range(1..))]
    pub connections_per_address: u32,

    /// New connections from one address in a minute. Default: four times those it may have open.
    #[arg(long, env = "ZEITNOT_NEW_CONNECTIONS_PER_ADDRESS_PER_MINUTE", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=RATE_MAX))]
    pub new_connections_per_address_per_minute: Option<u32>,

    /// Guest accounts made from one address in a minute.
    #[arg(long, env = "ZEITNOT_GUESTS_PER_ADDRESS_PER_MINUTE", value_name = "N",
          default_value_t = Limits::STANDARD.guests_per_address_per_minute, value_parser = clap::value_parser!(u32).range(1..=RATE_MAX))]
    pub guests_per_address_per_minute: u32,

    /// Tokens that no account has, from one address in a minute. Then none from there is looked at for a while.
    #[arg(long, env = "ZEITNOT_BAD_TOKENS_PER_ADDRESS_PER_MINUTE", value_name = "N",
          default_value_t = Limits::STANDARD.bad_tokens_per_address_per_minute, value_parser = clap::value_parser!(u32).range(1..=RATE_MAX))]
    pub bad_tokens_per_address_per_minute: u32,

    /// Games of one account that begin in a minute.
    #[arg(long, env = "ZEITNOT_GAMES_PER_ACCOUNT_PER_MINUTE", value_name = "N",
          default_value_t = Limits::STANDARD.games_per_account_per_minute, value_parser = clap::value_parser!(u32).range(1..=RATE_MAX))]
    pub games_per_account_per_minute: u32,

    /// Games that begin in a minute for players at one address (IPv6: one /64).
    #[arg(long, env = "ZEITNOT_GAMES_PER_ADDRESS_PER_MINUTE", value_name = "N",
          default_value_t = Limits::STANDARD.games_per_address_per_minute, value_parser = clap::value_parser!(u32).range(1..=RATE_MAX))]
    pub games_per_address_per_minute: u32,

    /// Games that begin in a day for players at one address (IPv6: one /64).
    #[arg(long, env = "ZEITNOT_GAMES_PER_ADDRESS_PER_DAY", value_name = "N",
          default_value_t = Limits::STANDARD.games_per_address_per_day, value_parser = clap::value_parser!(u32).range(1..=RATE_MAX))]
    pub games_per_address_per_day: u32,

    /// Games in memory on the whole server; no game begins beyond. One takes up to 7 KiB of memory without its
    /// players, so the default is 700 MiB. Games at rest do not count.
    #[arg(long, env = "ZEITNOT_LIVE_GAMES_MAX", value_name = "N", default_value_t = LIVE_GAMES_MAX,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub live_games_max: u32,

    /// Let bots wait in the pools, too. Otherwise pools are for people, and bots play by challenges.
    #[arg(long, env = "ZEITNOT_BOTS_IN_POOLS")]
    pub bots_in_pools: bool,

    /// No computer opponent. Otherwise the accounts Computer-1 to Computer-8 play whoever challenges them, each at its
    /// level, with what others leave of the processor.
    #[arg(long, env = "ZEITNOT_NO_COMPUTER")]
    pub no_computer: bool,

    /// A UCI engine that plays as the computer opponent, in place of the searcher of this program.
    #[arg(long, env = "ZEITNOT_COMPUTER_ENGINE", value_name = "PATH", conflicts_with = "no_computer")]
    pub computer_engine: Option<PathBuf>,

    /// How long nobody may follow a game, in seconds, before it comes to rest: it leaves memory, its clock goes on, and
    /// it comes back when somebody asks for it.
    #[arg(long, env = "ZEITNOT_REST_AFTER_S", value_name = "SECONDS", default_value_t = 600,
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub rest_after_s: u32,

    /// Challenges, seeks and rematches that an account makes in a minute.
    #[arg(long, env = "ZEITNOT_CHALLENGES_PER_ACCOUNT_PER_MINUTE", value_name = "N",
          default_value_t = Limits::STANDARD.challenges_per_account_per_minute,
          value_parser = clap::value_parser!(u32).range(1..=RATE_MAX))]
    pub challenges_per_account_per_minute: u32,

    /// Frames per second that are read from a connection on average; more wait in the network.
    #[arg(long, env = "ZEITNOT_FRAMES_PER_SECOND", value_name = "N",
          default_value_t = Limits::STANDARD.frames_per_second, value_parser = clap::value_parser!(u32).range(1..=RATE_MAX))]
    pub frames_per_second: u32,

    /// Frames that are read from a connection at once after a quiet time.
    #[arg(long, env = "ZEITNOT_FRAMES_BURST", value_name = "N",
          default_value_t = Limits::STANDARD.frames_burst, value_parser = clap::value_parser!(u32).range(1..))]
    pub frames_burst: u32,

    /// What the HTTP requests of one address may cost in a minute, and those of one account: a file costs 1, a game from the
    /// archive 20.
    #[arg(long, env = "ZEITNOT_HTTP_COST_PER_MINUTE", value_name = "N",
          default_value_t = Limits::STANDARD.http_cost_per_minute, value_parser = clap::value_parser!(u32).range(20..=RATE_MAX))]
    pub http_cost_per_minute: u32,

    /// How late tasks may run, in milliseconds, before everything but games is held back; 0: however late. What is held back
    /// is delayed, or answered with 503 and Retry-After.
    #[arg(long, env = "ZEITNOT_SCHEDULING_DELAY_MAX_MS", value_name = "N", default_value_t = 4)]
    pub scheduling_delay_max_ms: u32,

    /// A folder for backups by schedule, best on another disk. Each is made slowly, beside the games, and checked.
    /// Default: no backups.
    #[arg(long, env = "ZEITNOT_BACKUP_TO", value_name = "FOLDER", conflicts_with = "cluster")]
    pub backup_to: Option<PathBuf>,

    /// The age of the newest backup at which the next one is made, in days, hours or minutes.
    #[arg(long, env = "ZEITNOT_BACKUP_EVERY", value_name = "TIME", default_value = "24h", value_parser = span)]
    pub backup_every: Duration,

    /// Backups that are kept; older ones are removed after a new one was made and checked.
    #[arg(long, env = "ZEITNOT_BACKUP_KEEP", value_name = "N", default_value = "7")]
    pub backup_keep: NonZeroUsize,

    /// Where browsers find this server, such as `https://chess.example.org`: whose cookies count. Default: `http://` and
    /// the Host of each request.
    #[arg(long, env = "ZEITNOT_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<Origin>,

    /// Whom to tell of a weakness of this server, such as `mailto:security@example.org`: shown at
    /// `/.well-known/security.txt`. Default: nobody, and that path is unknown.
    #[arg(long, env = "ZEITNOT_SECURITY_CONTACT", value_name = "URI", value_parser = contact)]
    pub security_contact: Option<String>,

    /// A proxy whose X-Forwarded-For and X-Forwarded-Proto are believed: an address, or a network such as 10.0.0.0/8. May be
    /// given several times; in the variable, separated by commas.
    #[arg(long, env = "ZEITNOT_TRUSTED_PROXY", value_name = "ADDRESS", value_delimiter = ',')]
    pub trusted_proxy: Vec<Network>,

    /// How long the head of a request may take, in milliseconds: a browser needs a hundredth of it, and a client that
    /// drips a head octet by octet holds a connection no longer. An idle connection is closed after it too. No flag; a
    /// test cannot wait so long.
    #[arg(skip = 10_000_u32)]
    pub head_timeout_ms: u32,

    /// The limits that no flag changes. A test shortens the timeouts among them.
    #[arg(skip = Limits::STANDARD)]
    pub other_limits: Limits,

    /// Something else to do than to serve.
    #[command(subcommand)]
    pub act: Option<Act>,
}

/// What the program can do beside serving.
#[derive(Clone, PartialEq, Eq, Debug, Subcommand)]
pub enum Act {
    /// Copies the data folder's database to FILE, also while a server runs.
    Backup {
        /// A file that does not exist yet.
        file: PathBuf,
    },
    /// Says whether everything in a data folder is as it was written, also while a server runs. Exit code 0: in order, 1:
    /// damaged, 3: cannot be read.
    Check {
        /// A data folder or a backup. Default: the data folder.
        what: Option<PathBuf>,
        /// Saves all that can be read into this new folder, from which a server can start.
        #[arg(long, value_name = "FOLDER")]
        save: Option<PathBuf>,
    },
    /// Compares the ratings in the data folder with its games, also while a server runs. Exit code 0: every number is
    /// what the games come to, 1: some are not, 3: it cannot be read.
    Ratings {
        /// Folds all rated games anew, and names each difference.
        #[arg(long, required = true)]
        verify: bool,
    },
    /// Writes the games of a data folder that have ended, the first one first, also while a server runs. Exit code 1: some
    /// are damaged, or nothing can be read.
    Export {
        /// Only those that ended then or later: a day of UTC, 2026-11-21, or an instant, 2026-11-21T13:14:15Z.
        #[arg(long, value_name = "DATE", value_parser = instant)]
        since: Option<u64>,
        /// How games are written.
        #[arg(long, value_name = "FORMAT", default_value = "pgn")]
        format: ExportFormat,
    },
    /// Does something on the server that serves from the data folder. Exit code 1: it was not done.
    Admin {
        /// What.
        #[command(subcommand)]
        act: AdminAct,
    },
    /// Prints a token with which a program plays and challenges. Its account is registered if there is none of that name.
    /// It works beside a server that serves from the data folder, and without one. Exit code 1: there is no token.
    Token {
        /// The name of the account.
        #[arg(long, value_name = "NAME")]
        name: String,
        /// Makes the account a bot, for ever.
        #[arg(long)]
        bot: bool,
    },
    /// Adds the games of a PGN file to the finished games of a data folder from which no server serves. A game that is there
    /// already is not added again. Exit code 0: all games of the file are there, 1: some are rejected, or it failed.
    ///
    /// Without a file and with --cluster: moves all that is in the data folder into an empty database, in one transaction.
    Import {
        /// The file, of any length.
        file: Option<PathBuf>,
    },
    /// Says whether this machine is fit for a server: its limits, disk, clocks and port. Exit code 0: it is, 1: look at it.
    Doctor,
}

impl Act {
    /// Whether it reads or writes the database in a data folder itself.
    #[must_use]
    pub const fn needs_folder(&self) -> bool {
        match self {
            Self::Backup { .. }
            | Self::Check { .. }
            | Self::Ratings { .. }
            | Self::Export { .. }
            | Self::Import { file: Some(_) } => true,
            Self::Import { file: None } | Self::Admin { .. } | Self::Token { .. } | Self::Doctor => false,
        }
    }
}

/// How games are exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ExportFormat {
    /// As PGN, with an empty line between games.
    Pgn,
    /// As JSON, one game a line.
    Ndjson,
}

/// Where games and accounts are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum JournalKind {
    /// In the data folder.
    Sqlite,
    /// Nowhere: they are gone with the process.
    Memory,
}

/// A URI that a `Contact` of RFC 9116 may be, on one line.
fn contact(text: &str) -> Result<String, &'static str> {
    let is_uri = ["mailto:", "https://", "tel:"].iter().any(|scheme| text.starts_with(scheme));
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    if is_uri && is_plain { Ok(text.to_owned()) } else { Err("not a mailto:, https:// or tel: address") }
}

/// An instant, in milliseconds of Unix time.
fn instant(text: &str) -> Result<u64, &'static str> {
    unix_ms(text).ok_or("not a day such as 2026-11-21, or an instant such as 2026-11-21T13:14:15Z")
}

/// A span of whole days, hours or minutes, such as `1d`, `6h` or `30m`: no shorter than a minute.
fn span(text: &str) -> Result<Duration, &'static str> {
    let seconds = [("d", 86_400), ("h", 3_600), ("m", 60)].iter().find_map(|(unit, seconds)| {
        let count: u32 = text.strip_suffix(unit)?.parse().ok().filter(|count| *count > 0)?;
        Some(u64::from(count) * seconds)
    });
    seconds.map(Duration::from_secs).ok_or("not a time such as 1d, 6h or 30m")
}

/// How a line of the log is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// See [`Config::live_games_max`].
const LIVE_GAMES_MAX: u32 = 100_000;

/// One a microsecond: the finest rate that an allowance counts.
const RATE_MAX: i64 = 1_000_000;

impl Config {
    /// The settings without any flag, on a free port of the loopback interface, with a temporary folder and without the
    /// computer opponent: for tests.
    #[must_use]
    pub fn for_tests() -> Self {
        // Nothing in a test depends on how busy its machine is.
        Self::parse_from(
            "zeitnot --listen 127.0.0.1:0 --data :memory: --scheduling-delay-max-ms 0 --no-computer"
                .split(' '),
        )
    }

    /// New connections in a minute: by default four times the open ones, so that a client that lost all
    /// of them can reconnect several times.
    fn new_connections(&self) -> u32 {
        let most = u32::try_from(RATE_MAX).unwrap_or(u32::MAX);
        let by_default = || self.connections_per_address.saturating_mul(4).min(most);
        self.new_connections_per_address_per_minute.unwrap_or_else(by_default)
    }

    /// What is likely to be a mistake in these settings, when the server listens there.
    #[must_use]
    pub fn doubts(&self, listens: SocketAddr) -> Option<&'static str> {
        let is_open = !listens.ip().to_canonical().is_loopback();
        (is_open && self.public_url.is_none()).then_some(
            "others can reach this server and there is no --public-url: whatever host a request names is taken for this \
             server's own, and a browser's cookie counts there",
        )
    }

    /// The backups that are wanted, of a folder that lasts.
    #[must_use]
    pub fn backups(&self) -> Option<Schedule> {
        let (from, to) = (self.lasting_folder()?.to_owned(), self.backup_to.clone()?);
        let (every, keep) = (self.backup_every, self.backup_keep.get());
        Some(Schedule { from, to, every, keep })
    }

    /// How this server reaches the others of its database, if there are any.
    ///
    /// # Errors
    /// When the flags about the bus are not safe, or its credentials cannot be read.
    pub(crate) fn bus(&self) -> Result<Option<BusOptions>, BusRejection> {
        if self.bus.is_empty() {
            return Ok(None);
        }
        BusOptions::new(self.bus.clone(), self.bus_creds.as_deref(), self.bus_plaintext).map(Some)
    }

    /// The data folder, unless all is gone with the process.
    pub(crate) fn lasting_folder(&self) -> Option<&Path> {
        let lasts = self.journal == JournalKind::Sqlite && self.cluster.is_none();
        self.admin_folder().filter(|_| lasts)
    }

    /// The folder for the socket of admins, unless all is gone with the process.
    pub(crate) fn admin_folder(&self) -> Option<&Path> {
        let lasts = self.journal == JournalKind::Sqlite && self.data != Path::new(TEMPORARY);
        lasts.then_some(&*self.data)
    }

    /// The limits that hold with these settings, as `welcome` shows them.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            connections_per_address: self.connections_per_address,
            new_connections_per_address_per_minute: self.new_connections(),
            guests_per_address_per_minute: self.guests_per_address_per_minute,
            bad_tokens_per_address_per_minute: self.bad_tokens_per_address_per_minute,
            games_per_account_per_minute: self.games_per_account_per_minute,
            games_per_address_per_minute: self.games_per_address_per_minute,
            games_per_address_per_day: self.games_per_address_per_day,
            challenges_per_account_per_minute: self.challenges_per_account_per_minute,
            frames_per_second: self.frames_per_second,
            frames_burst: self.frames_burst,
            http_cost_per_minute: self.http_cost_per_minute,
            ..self.other_limits
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_flags_are_well_formed_and_each_has_an_environment_variable() {
        let command = Config::command();
        command.clone().debug_assert();
        for flag in
            command.get_arguments().filter(|flag| !["help", "version"].contains(&flag.get_id().as_str()))
        {
            let name = flag.get_long().unwrap().replace('-', "_").to_uppercase();
            assert_eq!(flag.get_env().unwrap().to_str().unwrap(), format!("ZEITNOT_{name}"));
        }
    }

    #[test]
    fn what_is_in_deploy_names_variables_that_exist() {
        let deployed = [
            include_str!("../../deploy/Dockerfile"),
            include_str!("../../deploy/compose.yaml"),
            include_str!("../../deploy/zeitnot.service"),
        ];
        let words = deployed.concat();
        let words = words.split(|c: char| !c.is_ascii_uppercase() && c != '_');
        let named = words.filter(|word| word.starts_with("ZEITNOT_")).collect::<HashSet<_>>();
        assert!(named.len() > 5, "{named:?}");
        let command = Config::command();
        let known =
            command.get_arguments().filter_map(|flag| flag.get_env()?.to_str()).collect::<HashSet<_>>();
        assert_eq!(named.difference(&known).collect::<Vec<_>>(), Vec::<&&str>::new());
    }

    #[test]
    fn backups_are_made_of_a_folder_that_lasts_when_there_is_somewhere_to_put_them() {
        let backups = |arguments: &[&str]| Config::parse_from([&["zeitnot"], arguments].concat()).backups();
        assert!(backups(&[]).is_none());
        let daily = backups(&["--backup-to", "copies"]).unwrap();
        assert_eq!((daily.every, daily.keep), (Duration::from_secs(86_400), 7));
        let often =
            backups(&["--backup-to", "copies", "--backup-every", "30m", "--backup-keep", "2"]).unwrap();
        assert_eq!((often.every, often.keep), (Duration::from_secs(1_800), 2));
        assert!(backups(&["--backup-to", "copies", "--journal", "memory"]).is_none());
        assert!(backups(&["--data", ":memory:", "--backup-to", "copies"]).is_none());
        for wrong in ["0h", "5", "h", "-1h", "1.5h", "1w"] {
            assert!(
                Config::try_parse_from(["zeitnot", &format!("--backup-every={wrong}")]).is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn without_flags_the_standard_limits_hold() {
        assert_eq!(Config::for_tests().limits(), Limits::STANDARD);
    }

    #[test]
    fn a_flag_raises_a_limit() {
        let config = Config::parse_from(["zeitnot", "--connections-per-address", "20000"]);
        assert_eq!(config.limits().connections_per_address, 20_000);
        assert_eq!(config.limits().new_connections_per_address_per_minute, 80_000, "it follows");
        let config = Config::parse_from(["zeitnot", "--new-connections-per-address-per-minute", "7"]);
        assert_eq!(config.limits().new_connections_per_address_per_minute, 7);
    }

    #[test]
    fn proxies_and_the_public_address() {
        let config = Config::parse_from([
            "zeitnot",
            "--trusted-proxy",
            "10.0.0.0/8,fd00::1",
            "--trusted-proxy",
            "127.0.0.1",
            "--public-url",
            "https://chess.example.org/",
        ]);
        let proxies = config.trusted_proxy.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(proxies, ["10.0.0.0/8", "fd00::1/128", "127.0.0.1/32"]);
        assert_eq!(config.public_url.unwrap().to_string(), "https://chess.example.org");
        assert!(Config::try_parse_from(["zeitnot", "--public-url", "chess.example.org"]).is_err());
        assert!(Config::try_parse_from(["zeitnot", "--trusted-proxy", "everybody"]).is_err());
    }

    #[test]
    fn a_contact_is_an_address() {
        let read = |text| Config::try_parse_from(["zeitnot", "--security-contact", text]);
        let contact = "mailto:security@example.org";
        assert_eq!(read(contact).unwrap().security_contact.as_deref(), Some(contact));
        for wrong in ["", "security@example.org", "https://a b", "mailto:a\nExpires: never"] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_bus_needs_a_database_and_is_not_plain_text_over_a_network() {
        let read = |arguments: &[&str]| {
            let config = Config::try_parse_from([&["zeitnot"], arguments].concat())
                .map_err(|error| error.to_string())?;
            config.bus().map(|bus| bus.is_some()).map_err(|error| error.to_string())
        };
        let cluster = ["--cluster", "postgres://zeitnot@db.example.org/zeitnot"];
        let with = |arguments: &[&'static str]| read(&[&cluster, arguments].concat());
        assert_eq!((read(&[]), with(&[])), (Ok(false), Ok(false)));
        assert_eq!(with(&["--bus", "tls://a.example:4222,tls://b.example:4222"]), Ok(true));
        assert_eq!(with(&["--bus", "nats://a.example", "--bus-plaintext"]), Ok(true));
        for (wrong, says) in [
            (read(&["--bus", "tls://a.example"]), "--cluster"),
            (with(&["--bus-plaintext"]), "--bus"),
            (with(&["--bus-creds", "creds"]), "--bus"),
            (with(&["--bus", "nats://a.example"]), "--bus-plaintext"),
            (with(&["--bus", "nats://me:secret@127.0.0.1"]), "--bus-creds"),
            (with(&["--bus", "http://a.example"]), "tls://"),
        ] {
            let error = wrong.unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn an_open_server_without_a_public_url_is_doubted() {
        let (open, local) = ("0.0.0.0:80".parse().unwrap(), "[::1]:80".parse().unwrap());
        let plain = Config::for_tests();
        assert!(plain.doubts(open).unwrap().contains("--public-url"));
        assert_eq!(plain.doubts(local), None);
        let named = Config::parse_from(["zeitnot", "--public-url", "https://chess.example.org"]);
        assert_eq!(named.doubts(open), None);
    }

    #[test]
    fn a_limit_of_none_is_rejected() {
        assert!(Config::try_parse_from(["zeitnot", "--frames-per-second", "0"]).is_err());
        assert!(Config::try_parse_from(["zeitnot", "--workers", "0"]).is_err());
    }
}
