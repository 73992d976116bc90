//! The benches of the durable server, small: every move is accepted, every game is recovered. No
//! time is judged.

use zeitnot_loadtest::bench::{self, BenchOptions, LatencyOptions, RestartOptions};
use zeitnot_loadtest::conditions::is_inconclusive;
use zeitnot_loadtest::report::Recorder;

use crate::crash::zeitnot;

/// What the bench prints.
fn report(options: &BenchOptions) -> String {
    let mut out = Vec::new();
    // Whether the targets hold, or the machine is too busy to tell, depends on the machine.
    if let Err(error) = bench::run(options, &Recorder::silent(), &mut out) {
        assert!(is_inconclusive(&error), "the bench comes to its end: {error:#}");
    }
    String::from_utf8(out).expect("a report is text")
}

fn pace(rate: u32, seconds: f64, plies: u16) -> Option<String> {
    let options = LatencyOptions {
        games: 8,
        rate,
        seconds,
        plies,
        rounds: 1,
        server_core: None,
        data: None,
        zeitnot: Some(zeitnot()?),
    };
    Some(report(&BenchOptions::Latency(options)))
}

/// The number before these words.
fn number(report: &str, words: &str) -> f64 {
    let (before, _) = report.split_once(words).unwrap_or_else(|| panic!("no {words:?} in {report}"));
    let figure = before.rsplit(' ').next().expect("there is always a last part");
    figure.parse().unwrap_or_else(|_| panic!("no number before {words:?} in {report}"))
}

#[test]
fn a_steady_pace_asks_for_every_move() {
    let Some(report) = pace(200, 0.5, 200) else { return };
    let moves = number(&report, " moves, ");
    assert!((99.0..=101.0).contains(&moves), "{report}");
    for target in ["log at most ", "P10 p50 ", "P10 p99 "] {
        assert!(report.lines().any(|line| line.starts_with(target)), "{report}");
    }
}

#[test]
fn without_a_rate_games_are_played_to_their_end_and_begun_anew() {
    let Some(report) = pace(0, 1.0, 10) else { return };
    assert!(number(&report, " moves, ") > 100.0, "{report}");
    assert!(!report.contains("games begun anew 0;"), "{report}");
    assert!(!report.contains("P10"), "the times of a closed loop are not judged: {report}");
}

#[test]
fn all_games_are_there_after_a_restart() {
    let Some(binary) = zeitnot() else { return };
    let options = RestartOptions { games: 60, plies: 20, rounds: 2, data: None, zeitnot: Some(binary) };
    let report = report(&BenchOptions::Restart(options));
    assert!(report.starts_with("60 live games of 20 plies, "), "{report}");
    assert!(report.contains("round 2: listening after "), "{report}");
    assert!(report.lines().any(|line| line.starts_with("P11 ")), "{report}");
}
