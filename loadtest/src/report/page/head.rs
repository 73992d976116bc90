//! What a run was and what came of it; what is wrong, what happened when, what was printed.

use maud::{Markup, html};

use super::super::run::{Mark, MarkKind, Outcome, Run};
use super::super::text::figure;
use super::plot::table;
use super::scale::time_label;

/// The title of the page.
pub(super) fn title(run: &Run) -> String {
    format!("{}: {}, {}", run.name, badge(&run.outcome).1, run.began)
}

/// The class of an outcome, and its word.
const fn badge(outcome: &Outcome) -> (&'static str, &'static str) {
    match outcome {
        Outcome::Passed => ("good", "passed"),
        Outcome::Failed => ("bad", "failed"),
        Outcome::Inconclusive(_) => ("unsure", "inconclusive"),
        Outcome::Stopped(_) => ("bad", "stopped"),
    }
}

/// The head of the page.
pub(super) fn markup(run: &Run) -> Markup {
    let (class, word) = badge(&run.outcome);
    html! {
        header {
            h1 { (run.name) " " span.badge.(class) { (word) } }
            p.lede { (sentence(run)) }
            pre.command { code { (command(run)) } }
            dl.facts {
                @for (what, value) in facts(run) { div { dt { (what) } dd { (value) } } }
            }
        }
    }
}

/// The outcome in one sentence.
fn sentence(run: &Run) -> String {
    let judged: Vec<bool> = run.figures.iter().filter_map(super::super::Figure::holds).collect();
    let missed = judged.iter().filter(|holds| !**holds).count();
    let limits = match (judged.len(), missed) {
        (0, _) => "Nothing was required of its figures.".to_owned(),
        (1, 0) => "The limit holds.".to_owned(),
        (all, 0) => format!("All {all} limits hold."),
        (all, missed) => {
            format!("{missed} of {all} limits {} missed.", if missed == 1 { "is" } else { "are" })
        }
    };
    match &run.outcome {
        Outcome::Failed if missed == 0 => {
            format!("{}, but something is wrong.", limits.trim_end_matches('.'))
        }
        Outcome::Passed | Outcome::Failed => limits,
        Outcome::Inconclusive(why) => format!("Its figures do not count: {why}."),
        Outcome::Stopped(why) => format!("It came to no end: {why}."),
    }
}

/// The command line, without the folder of the program.
fn command(run: &Run) -> String {
    let words = run.command.iter().enumerate().map(|(place, word)| match place {
        0 => word.rsplit('/').next().unwrap_or(word).to_owned(),
        _ if word.is_empty() || word.contains(|c: char| c.is_whitespace() || "'\"$&|;<>()*".contains(c)) => {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
        _ => word.clone(),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn facts(run: &Run) -> Vec<(&'static str, String)> {
    let machine = &run.machine;
    let gib = machine.memory_bytes as f64 / f64::from(1 << 30);
    let mut facts = vec![
        ("Began", run.began.replace('T', " ").replace('Z', " UTC")),
        ("Took", took(run.seconds)),
        ("Server", run.programs.server.clone().unwrap_or_default()),
        ("Load generator", run.programs.loadtest.clone()),
        ("Cores", format!("{} ({})", machine.cores, machine.processor)),
        ("Memory", format!("{} GiB", figure(gib))),
        ("Kernel", machine.kernel.clone()),
        ("Sync of the disk", machine.sync_ms.map_or_else(String::new, |ms| format!("{} ms", figure(ms)))),
    ];
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

fn took(seconds: f64) -> String {
    if seconds < 180.0 {
        format!("{} s", figure(seconds))
    } else {
        format!("{} min", time_label(seconds, seconds))
    }
}

/// What is wrong.
pub(super) fn findings(run: &Run) -> Markup {
    html! {
        @if !run.findings.is_empty() {
            section.wrong {
                h2 { "What is wrong" }
                ul { @for finding in &run.findings { li { (finding) } } }
            }
        }
    }
}

/// What happened when, as a table.
pub(super) fn marks(run: &Run) -> Markup {
    let head = ["time", "what", "", "took, s"].map(str::to_owned);
    let row = |mark: &Mark| {
        let kind = if mark.kind == MarkKind::Fault { "fault" } else { "phase" };
        let took = mark.until.map_or_else(|| "-".to_owned(), |until| figure(until - mark.at));
        vec![time_label(mark.at, run.seconds), mark.label.clone(), kind.to_owned(), took]
    };
    html! {
        @if !run.marks.is_empty() {
            section {
                h2 { "What happened when" }
                details {
                    summary { (run.marks.len()) @if run.marks.len() == 1 { " fault or phase" } @else { " faults and phases" } }
                    (table(&head, &run.marks.iter().map(row).collect::<Vec<_>>()))
                }
            }
        }
    }
}

/// What the command printed.
pub(super) fn printed(run: &Run) -> Markup {
    html! {
        @if !run.output.is_empty() {
            section {
                h2 { "What it printed" }
                pre.printed tabindex="0" { (run.output) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Figure, Recorder};
    use super::*;

    fn run(figures: &[Figure], outcome: Outcome) -> Run {
        let recorder = Recorder::silent();
        figures.iter().for_each(|figure| recorder.figure(figure.clone()));
        let command = ["/a/b/zeitnot-loadtest", "crash", "--data", "/my disk"].map(str::to_owned);
        recorder.finish("crash", command.into(), outcome)
    }

    #[test]
    fn the_sentence_says_what_came_of_it() {
        let figure = |value| Figure::once("lost", "moves", "", value).at_most(0.0);
        assert_eq!(sentence(&run(&[figure(0.0)], Outcome::Passed)), "The limit holds.");
        assert_eq!(sentence(&run(&[figure(0.0), figure(2.0)], Outcome::Failed)), "1 of 2 limits is missed.");
        let why = Outcome::Inconclusive("a busy machine".to_owned());
        assert_eq!(sentence(&run(&[figure(0.0)], why)), "Its figures do not count: a busy machine.");
    }

    #[test]
    fn the_command_can_be_pasted_into_a_shell() {
        assert_eq!(command(&run(&[], Outcome::Passed)), "zeitnot-loadtest crash --data '/my disk'");
    }
}
