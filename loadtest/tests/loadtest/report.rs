//! Reports of runs: what a bench records is in the JSON file and on the page, two runs are compared, and
//! a file that is no run says why.

use hdrhistogram::Histogram;
use zeitnot_loadtest::bench::{self, BenchOptions, LatencyOptions};
use zeitnot_loadtest::conditions::is_inconclusive;
use zeitnot_loadtest::report::before_after::BeforeAfter;
use zeitnot_loadtest::report::json_file::{self, Unreadable};
use zeitnot_loadtest::report::options::ReportOptions;
use zeitnot_loadtest::report::{Better, Figure, MarkKind, Outcome, Recorder, Run, Series, page};

use crate::crash::zeitnot;

fn rounds(values: &[f64]) -> Series {
    let mut rounds = Series::default();
    values.iter().for_each(|&value| rounds.push(value));
    rounds
}

/// A run with everything that a report can have; `factor` makes its figures greater.
fn run(factor: f64) -> Run {
    let recorder = Recorder::silent();
    let p99 = rounds(&[4.0 * factor, 5.0 * factor, 6.0 * factor]);
    recorder.figure(Figure::of_rounds("p99 of moves", "alone", "ms", &p99).at_most(7.0));
    recorder.figure(Figure::of_rounds("p99 of moves", "beside <hard> games", "ms", &p99));
    recorder.figure(Figure::once("Moves accepted in time", "", "%", 97.0).at_least(90.0));
    recorder.figure(Figure::once("Played", "moves", "", 123_456.0).better(Better::Neither));
    let mut times = Histogram::new_with_bounds(1, 60_000_000, 3).expect("the bounds are in order");
    for micros in 1..=20_000 {
        times.saturating_record((f64::from(micros) * factor) as u64);
    }
    recorder.curve("Latency of moves", "alone", &times);
    let mut latencies = recorder.latencies("moves");
    (1..100).for_each(|ms| latencies.record(ms * 1_000));
    recorder.phase("round 1", || recorder.add(latencies));
    let kill = recorder.begin(MarkKind::Fault, "kill");
    recorder.end(kill);
    recorder.finding("lost: a & b".to_owned());
    recorder.printed("seed 7\n");
    let command = ["zeitnot-loadtest", "crash", "--rate", "200"].map(str::to_owned);
    recorder.finish("crash", command.into(), Outcome::Failed)
}

#[test]
fn a_run_is_the_same_after_it_was_written_and_read() {
    let run = run(1.0);
    assert_eq!(json_file::read(&json_file::write(&run).unwrap()).unwrap(), run);
}

/// The parts of a page between these two texts.
fn between<'p>(page: &'p str, start: &str, end: &str) -> Vec<&'p str> {
    page.split(start).skip(1).filter_map(|rest| rest.split(end).next()).collect()
}

#[test]
fn a_page_has_every_figure_every_plot_every_mark_and_nothing_from_elsewhere() {
    let run = run(1.0);
    let page = page::render(&run, None);
    let titles = between(&page, "<h3>", "</h3>");
    // How many moves there are in a second is known only of a run that takes half of one.
    let over_time = if titles.contains(&"Rate of moves") { 2 } else { 1 };
    assert_eq!(titles[0], "Latency of moves");
    assert_eq!(titles[over_time..], ["Latency of moves", "p99 of moves, round by round"]);
    for figure in between(&page, "<figure", "</figure>") {
        assert_eq!(
            figure.matches("role=\"img\" aria-label=").count(),
            2,
            "for wide and narrow windows: {figure}"
        );
        assert!(figure.contains("<details>") && figure.contains("<tbody><tr><th scope=\"row\">"), "{figure}");
        assert!(figure.contains("class=\"title\"") && figure.contains("class=\"unit\""), "{figure}");
    }
    for text in [
        "p99 of moves",
        "beside &lt;hard&gt; games",
        "5.00 ms",
        "Moves accepted in time",
        "97.00 %",
        "123456",
        "at most 7",
        "at least 90",
        "All 2 limits hold, but something is wrong.",
        "lost: a &amp; b",
        "seed 7",
        "zeitnot-loadtest crash --rate 200",
        &run.machine.kernel,
        &run.programs.loadtest,
    ] {
        assert!(page.contains(text), "no {text:?} in {page}");
    }
    // Each plot over time is drawn for two windows.
    assert_eq!(page.matches("<g class=\"fault\">").count(), 2 * over_time);
    for foreign in ["<script", "src=", "href=", "url(", "@import", "http:", "https:", "<hard>"] {
        assert!(!page.contains(foreign), "{foreign:?} in {page}");
    }
}

#[test]
fn two_runs_are_compared_figure_by_figure_and_curve_over_curve() {
    let (before, after) = (run(1.0), run(2.0));
    let compared = BeforeAfter::of(&before, &after);
    let ratios: Vec<_> = compared.rows.iter().map(|row| row.ratio.unwrap()).collect();
    assert_eq!(ratios, [2.0, 2.0, 1.0, 1.0]);
    let table = compared.table().to_string();
    let words = table.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("p99 of moves alone 5.00 ms 10.00 ms 2.00x"), "{table}");
    let page = page::render(&after, Some(&before));
    assert!(page.contains("Before and after") && page.contains("2.00x"), "{page}");
    assert!(page.contains("alone, before"), "{page}");
    assert_eq!(page.matches("class=\"line c0 before\"").count(), 3, "two windows and the legend");
}

#[test]
fn a_file_that_is_no_run_says_why() {
    let text = json_file::write(&run(1.0)).unwrap();
    let cut = json_file::read(&text[..text.len() / 2]).unwrap_err();
    assert!(matches!(cut, Unreadable::Damaged(_)), "{cut}");
    let older = text.replacen("\"version\":1", "\"version\":0", 1);
    let older = json_file::read(&older).unwrap_err();
    assert_eq!(older, Unreadable::Version(0));
    assert!(older.to_string().contains("version 0") && older.to_string().contains("version 1"), "{older}");
    for other in ["{}", "[1]", "7", "{\"schema\":\"other\",\"version\":1}"] {
        assert_eq!(json_file::read(other).unwrap_err(), Unreadable::Other, "{other}");
    }
    let field = json_file::read(&text.replacen("\"figures\":[", "\"figures\":[7,", 1)).unwrap_err();
    assert!(matches!(field, Unreadable::Field(_)), "{field}");
}

#[test]
fn what_is_wrong_with_the_files_is_found_before_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("old.json");
    std::fs::write(&old, json_file::write(&run(1.0)).unwrap()).expect("a file");
    let compare = ReportOptions { compare: Some(old), ..ReportOptions::default() };
    let error = compare.prepare("bench latency").unwrap_err().to_string();
    assert!(error.contains("a run of `crash`, and this is one of `bench latency`"), "{error}");
    let nowhere =
        ReportOptions { report: Some(folder.path().join("no/such.html")), ..ReportOptions::default() };
    let error = nowhere.prepare("crash").unwrap_err().to_string();
    assert!(error.contains("cannot write"), "{error}");
    let files = ReportOptions {
        report: Some(folder.path().join("run.html")),
        json: Some(folder.path().join("run.json")),
        ..compare
    };
    let mut printed = Vec::new();
    files.prepare("crash").unwrap().write(&run(2.0), &mut printed).unwrap();
    assert!(String::from_utf8(printed).unwrap().contains("2.00x"));
    assert_eq!(json_file::load(&folder.path().join("run.json")).unwrap().name, "crash");
    assert!(std::fs::read_to_string(folder.path().join("run.html")).unwrap().starts_with("<!DOCTYPE html>"));
}

#[test]
fn a_bench_records_its_figures_latencies_and_rounds() {
    let Some(binary) = zeitnot() else { return };
    let options = LatencyOptions {
        games: 8,
        rate: 200,
        seconds: 0.5,
        plies: 200,
        rounds: 2,
        server_core: None,
        data: None,
        zeitnot: Some(binary),
    };
    let recorder = Recorder::of_program(true).unwrap();
    // Whether the targets hold, or the machine is too busy to tell, depends on the machine.
    let mut printed = Vec::new();
    if let Err(error) = bench::run(&BenchOptions::Latency(options), &recorder, &mut printed) {
        assert!(is_inconclusive(&error), "the bench comes to its end: {error:#}");
    }
    let printed = String::from_utf8(printed).unwrap();
    let moves_of =
        |line: &str| -> Option<u64> { line.split("; ").nth(1)?.split_once(" moves")?.0.parse().ok() };
    let moves: Vec<u64> = printed.lines().filter_map(moves_of).collect();
    let run = recorder.finish("bench latency", Vec::new(), Outcome::Passed);
    let p99 = run.figures.iter().find(|figure| figure.name == "p99" && figure.group == "Latency of moves");
    let p99 = p99.expect("a figure");
    assert!(p99.rounds.len() == 2 && p99.limit.is_some(), "{p99:?}");
    assert_eq!(moves.len(), 2, "{printed}");
    assert_eq!(run.curves[0].count, moves.iter().sum::<u64>(), "every move of both rounds: {printed}");
    assert!(run.series.iter().any(|series| series.plot == "Latency of moves" && series.name == "p99"));
    let phases: Vec<_> = run.marks.iter().map(|mark| &*mark.label).collect();
    assert_eq!(phases, ["round 1", "round 2"]);
    assert!(run.machine.sync_ms.is_some() && run.programs.server.is_some(), "{:?}", run.machine);
}
