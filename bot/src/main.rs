//! The `zeitnot-bot` binary: plays as a bot account, or runs one subcommand of the library.

mod bot_account;

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result};
use bot_account::AccountOptions;
use clap::{Args, Parser, Subcommand};
use zeitnot_bot::matches::{Control, MatchTerms, Player, PlayerName, ladder, play_match};
use zeitnot_bot::uci::UciOption;

/// A computer opponent for Zeitnot. Without a subcommand it plays as a bot account on a server.
#[derive(Parser)]
#[command(
    name = "zeitnot-bot",
    version,
    subcommand_negates_reqs = true,
    args_conflicts_with_subcommands = true
)]
struct Flags {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    account: Option<AccountOptions>,
}

#[derive(Subcommand)]
enum Command {
    /// Lets two players play a match, each opening twice with colours swapped.
    ///
    /// Exits 1 when a game ended by an illegal move, on time, or because an engine failed.
    Match(MatchOptions),
    /// Lets each level play against the one below, and the highest against the lowest.
    ///
    /// Exits 1 when a level scores less than 60 % against the one below it.
    Ladder(TermOptions),
}

#[derive(Args)]
struct MatchOptions {
    /// A player: `level:1` to `level:8`, or the path of a UCI engine.
    first: PlayerName,
    /// The other player.
    second: PlayerName,
    /// An option of the first engine; may be given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    first_option: Vec<UciOption>,
    /// An option of the second engine.
    #[arg(long, value_name = "NAME=VALUE")]
    second_option: Vec<UciOption>,
    /// Writes the games to this file.
    #[arg(long)]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    terms: TermOptions,
}

#[derive(Args)]
struct TermOptions {
    /// How many games; an odd number counts as the next even one.
    #[arg(long, default_value_t = 40)]
    games: usize,
    /// How many positions are looked at for each move.
    #[arg(long, default_value_t = 20_000, conflicts_with = "time_control")]
    nodes: u64,
    /// Clocks instead of nodes: seconds for the game, a plus, seconds for each move, as in 60+0.
    #[arg(long, value_parser = clock)]
    time_control: Option<Control>,
    /// What everything that is drawn by lot follows from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games are played at a time.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

impl TermOptions {
    fn terms(&self) -> MatchTerms {
        MatchTerms {
            games: self.games,
            control: self.time_control.unwrap_or(Control::Nodes(self.nodes)),
            seed: self.seed,
            threads: self.threads,
        }
    }
}

fn clock(text: &str) -> Result<Control, String> {
    let wanted = || format!("`{text}` is not of the form 60+0");
    let (base, increment) = text.split_once('+').ok_or_else(wanted)?;
    let seconds = |part: &str| {
        let seconds: f64 = part.parse().map_err(|_| wanted())?;
        Duration::try_from_secs_f64(seconds).map_err(|_| wanted())
    };
    Ok(Control::Clock { base: seconds(base)?, increment: seconds(increment)? })
}

fn main() -> ExitCode {
    match run(&Flags::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "the error of a program belongs on stderr")]
            {
                eprintln!("zeitnot-bot: {error:#}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Runs the subcommand, or plays; whether it passed.
fn run(flags: &Flags) -> Result<bool> {
    let mut out = io::stdout();
    let command = match (&flags.command, &flags.account) {
        (Some(command), _) => command,
        (None, Some(account)) => return bot_account::run(account).map(|()| true),
        (None, None) => anyhow::bail!("--server and --token say where to play"),
    };
    match command {
        Command::Match(options) => {
            let players = [
                Player { name: options.first.clone(), options: options.first_option.clone() },
                Player { name: options.second.clone(), options: options.second_option.clone() },
            ];
            let outcome = play_match(&players, &options.terms.terms())?;
            if let Some(path) = &options.pgn {
                std::fs::write(path, &outcome.pgn)
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
            for (loser, ending) in &outcome.faults {
                writeln!(out, "{loser} lost: {ending:?}")?;
            }
            writeln!(out, "{} - {}  {}", options.first, options.second, outcome.tally)?;
            Ok(outcome.faults.is_empty())
        }
        Command::Ladder(options) => {
            let played = ladder(&options.terms(), &mut out)?;
            Ok(played.iter().all(zeitnot_bot::matches::Step::holds))
        }
    }
}
