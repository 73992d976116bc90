//! The `zeitnot` binary: settings, logs, the listener, the runtime. Everything else is the library's.

use std::fmt::Display;
use std::io::{BufWriter, ErrorKind, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser as _;
use zeitnot_server::entropy::Entropy;
use zeitnot_server::games::{self, RecoveredGames};
use zeitnot_server::ratings::Glicko;
use zeitnot_server::upkeep::{
    CheckError, Diagnosis, ExportError, Report, Verified, backup, check, diagnose, export, import, move_in,
    verify_ratings,
};
use zeitnot_server::{
    Act, AdminAct, AskError, Config, ExportFormat, LogFormat, RunError, Server, ask, listener,
    raise_file_limit, runtime, shutdown, telemetry, try_to_say,
};

fn main() -> ExitCode {
    let config = Config::parse();
    if let (Some(url), Some(act)) = (&config.cluster, &config.act)
        && act.needs_folder()
    {
        try_to_say(&format!(
            "this works on a data folder, and the data are in the database {url}: see docs/cluster.md for what does it there"
        ));
        return ExitCode::FAILURE;
    }
    let done = match &config.act {
        None => serve(&config),
        Some(Act::Backup { file }) => {
            let mut replay = RecoveredGames::default();
            backup(&config.data, file, &mut replay, &|| true).map_err(anyhow::Error::from)
        }
        Some(Act::Ratings { .. }) => {
            return say_what_was_found(verify_ratings(&config.data, &Glicko), Verified::is_in_order);
        }
        Some(Act::Admin { act }) => return have_done(&config, act),
        Some(Act::Token { name, bot }) => make_token(&config, name, *bot),
        Some(Act::Export { since, format }) => return write_games(&config, *since, *format),
        Some(Act::Import { file }) => return bring_in(&config, file.as_deref()),
        Some(Act::Doctor) => {
            return say_what_was_found(Ok(diagnose(&config.data, config.listen)), Diagnosis::is_in_order);
        }
        Some(Act::Check { what, save }) => {
            let what = what.as_deref().unwrap_or(&config.data);
            let found = check(what, save.as_deref(), &mut RecoveredGames::default());
            return say_what_was_found(found, Report::is_in_order);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_why(&error);
            match error.downcast_ref() {
                Some(RunError::OutsideWithLobby) => ExitCode::from(SERVES_NO_LONGER),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

/// Imports a file of games, or moves the data folder into a database.
fn bring_in(config: &Config, file: Option<&Path>) -> ExitCode {
    let done = match (file, &config.cluster) {
        (Some(file), _) => import(&config.data, file)
            .map(|imported| say(&imported, imported.is_whole()))
            .map_err(anyhow::Error::from),
        (None, Some(url)) => {
            let boot = Entropy::from_os().node_boot();
            move_in(&config.data, url, boot, &mut RecoveredGames::default())
                .map(|moved| say(&moved, true))
                .map_err(anyhow::Error::from)
        }
        (None, None) => Err(anyhow::anyhow!("name a PGN file, or a database with --cluster")),
    };
    done.unwrap_or_else(|error| {
        say_why(&error);
        ExitCode::FAILURE
    })
}

fn serve(config: &Config) -> anyhow::Result<()> {
    let _last_lines = telemetry::log_to_stderr(&config.log, config.log_format == LogFormat::Json)
        .context("--log cannot be used")?;
    match raise_file_limit() {
        Ok(files) => tracing::info!(files, "open files allowed"),
        Err(error) => tracing::warn!(%error, "the limit of open files stays as it is"),
    }
    runtime(config.workers).context("the runtime does not start")?.block_on(async {
        let bound = listener::bind(config.listen)?;
        if let Some(doubt) = config.doubts(config.listen) {
            tracing::warn!("{doubt}");
        }
        let metrics = config
            .metrics_listen
            .map(|metrics| listener::bind_metrics(metrics, config.listen))
            .transpose()?;
        // Before anybody is told of the address: a signal that comes early must not kill.
        let asked_to_stop = shutdown::asked_to_stop().context("signals cannot be heard")?;
        let server = Server::open(config)?;
        // Not before: who connects to a server whose folder cannot be used would wait, and be cut.
        let listener = bound.listen()?;
        let address = listener.local_addr()?;
        if let Some(metrics) = metrics {
            let metrics = metrics.listen()?;
            let address = metrics.local_addr()?;
            server.serve_metrics(metrics);
            std::io::stdout()
                .write_all(format!("zeitnot metrics on http://{address}/metrics\n").as_bytes())?;
        }
        std::io::stdout().write_all(format!("zeitnot listening on http://{address}\n").as_bytes())?;
        let stop_begins = async {
            asked_to_stop.await;
            shutdown::end_within_the_limit(!config.bus.is_empty());
        };
        Ok(server.serve(listener, stop_begins).await?)
    })
}

/// The exit code of a server that may serve no longer, as that of one whose data cannot be written.
const SERVES_NO_LONGER: u8 = 74;

/// The exit code of a check that could not read anything. 2 is that of a flag that is unknown.
const UNREADABLE: u8 = 3;

/// Prints what a check has found; whether all is in order.
fn say_what_was_found<R: Display>(
    found: Result<R, CheckError>,
    is_in_order: impl Fn(&R) -> bool,
) -> ExitCode {
    match found {
        Ok(report) => say(&report, is_in_order(&report)),
        Err(error) => {
            say_why(&error.into());
            ExitCode::from(UNREADABLE)
        }
    }
}

/// Has a running server do something, and prints what it says.
fn have_done(config: &Config, act: &AdminAct) -> ExitCode {
    match ask(&config.data, act) {
        Ok(text) => say(&text, true),
        Err(error) => {
            say_why(&error.into());
            ExitCode::FAILURE
        }
    }
}

/// Prints a token alone, for a script to take, and beside it what it is.
fn make_token(config: &Config, name: &str, bot: bool) -> anyhow::Result<()> {
    let act = AdminAct::Token { name: name.to_owned(), bot };
    let token = match ask(&config.data, &act) {
        Err(AskError::NoServer(_)) => {
            runtime(config.workers).context("the runtime does not start")?.block_on(async {
                let server = Server::open(config)?;
                Ok::<_, anyhow::Error>(server.act_and_stop(act).await?)
            })?
        }
        answered => answered?,
    };
    let kind = if bot { "the bot " } else { "" };
    try_to_say(&format!("a token of {kind}{name} that plays and challenges; nobody is shown it again:"));
    std::io::stdout().write_all(token.as_bytes())?;
    Ok(())
}

/// Prints a report or an answer.
#[expect(clippy::print_stdout, reason = "it is what was asked for")]
fn say(report: &impl Display, is_in_order: bool) -> ExitCode {
    print!("{report}");
    if is_in_order { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes the games that have ended to the standard output. Whoever reads them may stop to.
fn write_games(config: &Config, since: Option<u64>, format: ExportFormat) -> ExitCode {
    let format = match format {
        ExportFormat::Pgn => games::ExportFormat::Pgn,
        ExportFormat::Ndjson => games::ExportFormat::Ndjson,
    };
    let (mut out, mut text) = (BufWriter::new(std::io::stdout().lock()), String::new());
    let exported = export(&config.data, since, &mut |game| {
        text.clear();
        format.write(game, config.public_url.as_ref(), &mut text);
        out.write_all(text.as_bytes())
    });
    let exported = exported.and_then(|exported| Ok(out.flush().map(|()| exported)?));
    match exported {
        Ok(exported) if exported.damaged == 0 => ExitCode::SUCCESS,
        Ok(exported) => {
            try_to_say(&format!("{} games are damaged; `zeitnot check` names them", exported.damaged));
            ExitCode::FAILURE
        }
        Err(ExportError::Io(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            say_why(&error.into());
            ExitCode::FAILURE
        }
    }
}

/// What failed, why, and what to do.
fn say_why(error: &anyhow::Error) {
    try_to_say(&format!("{error:#}"));
}
