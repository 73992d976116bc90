//! Two runs of the same command beside each other: each figure before and after, with its ratio.
//!
//! Deliberately absent: a test of significance. A change is called clear when the rounds before and
//! after do not overlap, and there are at least three of each.

use super::run::{Better, Figure, Run};
use super::text::{Table, figure};

/// With fewer rounds nothing is known of how they vary.
const ROUNDS_MIN: usize = 3;

/// What a change means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// The rounds after are all better than those before.
    Better,
    /// The rounds after are all worse than those before.
    Worse,
    /// The rounds before and after overlap.
    Unclear,
    /// There are too few rounds to tell, or no direction is good.
    Unknown,
}

impl Change {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Unclear => "within the spread",
            Self::Unknown => "",
        }
    }
}

/// A figure in both runs, or in one of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What is measured, and of what.
    pub group: String,
    /// See [`Figure::name`].
    pub name: String,
    /// The unit of the values.
    pub unit: String,
    /// The value before.
    pub before: Option<f64>,
    /// The value after.
    pub after: Option<f64>,
    /// The value after divided by that before.
    pub ratio: Option<f64>,
    /// What the change means.
    pub change: Change,
}

/// Two runs of the same command.
#[derive(Clone, PartialEq, Debug)]
pub struct BeforeAfter {
    /// The figures, in the order of the run after; then those that only the run before has.
    pub rows: Vec<Row>,
    /// Why the two may not be comparable, in words.
    pub cautions: Vec<String>,
}

impl BeforeAfter {
    /// Compares two runs.
    #[must_use]
    pub fn of(before: &Run, after: &Run) -> Self {
        let find = |run: &'_ Run, wanted: &Figure| run.figures.iter().position(|one| is_same(one, wanted));
        let of_after = after.figures.iter().map(|now| {
            let then = find(before, now).map(|place| &before.figures[place]);
            row(then, Some(now))
        });
        let gone = before.figures.iter().filter(|then| find(after, then).is_none());
        let rows = of_after.chain(gone.map(|then| row(Some(then), None))).collect();
        Self { rows, cautions: cautions(before, after) }
    }

    /// As a table of a terminal.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = Table::new(&["before and after", "", "before", "after", "ratio", ""]);
        for row in &self.rows {
            let value = |value: Option<f64>| match value {
                Some(value) => format!("{} {}", figure(value), row.unit).trim_end().to_owned(),
                None => "-".to_owned(),
            };
            let ratio = row.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{}x", figure(ratio)));
            table.row(vec![
                row.group.clone(),
                row.name.clone(),
                value(row.before),
                value(row.after),
                ratio,
                row.change.words().to_owned(),
            ]);
        }
        table
    }
}

fn is_same(one: &Figure, other: &Figure) -> bool {
    one.group == other.group && one.name == other.name && one.unit == other.unit
}

fn row(before: Option<&Figure>, after: Option<&Figure>) -> Row {
    let figure = after.or(before).expect("a row has a figure");
    let values = before.zip(after);
    let ratio =
        values.filter(|(before, _)| before.value != 0.0).map(|(before, after)| after.value / before.value);
    Row {
        group: figure.group.clone(),
        name: figure.name.clone(),
        unit: figure.unit.clone(),
        before: before.map(|figure| figure.value),
        after: after.map(|figure| figure.value),
        ratio,
        change: values.map_or(Change::Unknown, |(before, after)| change(before, after)),
    }
}

fn change(before: &Figure, after: &Figure) -> Change {
    let has_enough = |figure: &Figure| figure.rounds.len() >= ROUNDS_MIN;
    if after.better == Better::Neither || !has_enough(before) || !has_enough(after) {
        return Change::Unknown;
    }
    let (then, now) = (range(&before.rounds), range(&after.rounds));
    let is_less = now.1 < then.0;
    if !is_less && now.0 <= then.1 {
        return Change::Unclear;
    }
    if is_less == (after.better == Better::Lower) { Change::Better } else { Change::Worse }
}

fn range(values: &[f64]) -> (f64, f64) {
    values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &value| (least.min(value), most.max(value)))
}

/// The command line without the program, and without the files that were written and compared.
fn options(run: &Run) -> String {
    let mut words = run.command.iter().skip(1);
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        let flag = word.split('=').next().unwrap_or_default();
        if !["--report", "--json", "--compare"].contains(&flag) {
            kept.push(word.as_str());
        } else if flag == word {
            words.next();
        }
    }
    kept.join(" ")
}

fn cautions(before: &Run, after: &Run) -> Vec<String> {
    let machine = |run: &Run| {
        let machine = &run.machine;
        format!("{} cores, {}, {}", machine.cores, machine.processor, machine.kernel)
    };
    let pairs = [
        ("Other options", options(before), options(after)),
        ("Another machine", machine(before), machine(after)),
        ("Another build of this program", before.programs.loadtest.clone(), after.programs.loadtest.clone()),
    ];
    let differ = pairs.into_iter().filter(|(_, before, after)| before != after);
    let mut cautions: Vec<String> =
        differ.map(|(what, before, after)| format!("{what}: before {before}; after {after}")).collect();
    for (when, run) in [("before", before), ("after", after)] {
        if let super::Outcome::Inconclusive(why) | super::Outcome::Stopped(why) = &run.outcome {
            cautions.push(format!("The run {when} does not count: {why}"));
        }
    }
    cautions
}

#[cfg(test)]
mod tests {
    use super::super::{Outcome, Recorder, Series};
    use super::*;

    fn run(figures: impl IntoIterator<Item = Figure>) -> Run {
        let recorder = Recorder::silent();
        figures.into_iter().for_each(|figure| recorder.figure(figure));
        recorder.finish("bench moves", vec!["loadtest".to_owned()], Outcome::Passed)
    }

    fn rounds(name: &str, values: &[f64]) -> Figure {
        let mut series = Series::default();
        values.iter().for_each(|&value| series.push(value));
        Figure::of_rounds("p99 of moves", name, "ms", &series)
    }

    #[track_caller]
    fn check(before: Figure, after: Figure, ratio: f64, wanted: Change) {
        let compared = BeforeAfter::of(&run([before]), &run([after]));
        let [row] = &*compared.rows else { panic!("one figure: {compared:?}") };
        assert!((row.ratio.unwrap() - ratio).abs() < 1e-6 && row.change == wanted, "{row:?}");
    }

    #[test]
    fn a_ratio_is_after_to_before_and_clear_when_no_rounds_overlap() {
        check(rounds("a", &[10.0, 11.0, 12.0]), rounds("a", &[5.0, 5.5, 6.0]), 0.5, Change::Better);
        check(rounds("a", &[10.0, 11.0, 12.0]), rounds("a", &[20.0, 22.0, 24.0]), 2.0, Change::Worse);
        check(rounds("a", &[10.0, 11.0, 12.0]), rounds("a", &[12.0, 22.0, 24.0]), 2.0, Change::Unclear);
        check(rounds("a", &[10.0]), rounds("a", &[30.0]), 3.0, Change::Unknown);
        let rate = |values: &[f64]| rounds("a", values).better(Better::Higher);
        check(rate(&[10.0, 11.0, 12.0]), rate(&[20.0, 22.0, 24.0]), 2.0, Change::Better);
        let load = |values: &[f64]| rounds("a", values).better(Better::Neither);
        check(load(&[10.0, 11.0, 12.0]), load(&[20.0, 22.0, 24.0]), 2.0, Change::Unknown);
    }

    #[test]
    fn the_files_of_a_run_are_none_of_its_options() {
        let run = |line: &str| {
            let words = line.split(' ').map(str::to_owned).collect();
            Recorder::silent().finish("bench moves", words, Outcome::Passed)
        };
        let before = run("loadtest bench moves --report a.html --rounds 3 --json=a.json");
        let after = run("loadtest bench moves --rounds 3 --compare a.json");
        assert!(!cautions(&before, &after).iter().any(|caution| caution.contains("options")));
        let other = run("loadtest bench moves --rounds 4 --compare a.json");
        assert!(cautions(&before, &other).iter().any(|caution| caution.contains("--rounds 4")));
    }

    #[test]
    fn figures_of_one_run_only_are_there_without_a_ratio_and_zero_has_none() {
        let before = run([rounds("gone", &[1.0]), rounds("zero", &[0.0])]);
        let after = run([rounds("zero", &[1.0]), rounds("new", &[2.0])]);
        let rows = BeforeAfter::of(&before, &after).rows;
        let seen: Vec<_> = rows.iter().map(|row| (&*row.name, row.before, row.after, row.ratio)).collect();
        assert_eq!(
            seen,
            [
                ("zero", Some(0.0), Some(1.0), None),
                ("new", None, Some(2.0), None),
                ("gone", Some(1.0), None, None)
            ]
        );
    }

    #[test]
    fn a_run_that_does_not_count_and_another_machine_are_said() {
        let mut before = run([rounds("a", &[1.0])]);
        let after = run([rounds("a", &[1.0])]);
        assert_eq!(BeforeAfter::of(&before, &after).cautions, Vec::<String>::new());
        before.machine.cores += 1;
        before.outcome = Outcome::Inconclusive("a busy machine".to_owned());
        let cautions = BeforeAfter::of(&before, &after).cautions;
        assert!(
            cautions[0].starts_with("Another machine: ") && cautions[1].ends_with("a busy machine"),
            "{cautions:?}"
        );
    }
}
