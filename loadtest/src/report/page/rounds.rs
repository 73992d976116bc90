//! Plots of what was measured once per round: the rounds beside each other, with their medians and the
//! limit.

use maud::{Markup, html};

use super::super::run::{Figure as Measured, Run};
use super::super::text::figure;
use super::plot::{Figure, Frame, Legend, Width, colour, nothing, number, table};
use super::scale::Scale;

/// A limit that is further away than this many times the greatest value is not drawn: nothing else
/// would be seen.
const LIMIT_WITHIN: f64 = 2.5;

/// One plot for each group of figures that has rounds.
pub(super) fn figures(run: &Run) -> Vec<Figure> {
    let mut groups: Vec<(&str, &str)> = Vec::new();
    for measured in run.figures.iter().filter(|measured| measured.rounds.len() > 1) {
        let group = (&*measured.group, &*measured.unit);
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups.into_iter().map(|(group, unit)| one(run, group, unit)).collect()
}

fn one(run: &Run, group: &str, unit: &str) -> Figure {
    let of_group = |measured: &&Measured| measured.group == group && measured.unit == unit;
    let measured: Vec<_> =
        run.figures.iter().filter(of_group).filter(|measured| measured.rounds.len() > 1).collect();
    let names = measured.iter().enumerate();
    Figure {
        title: format!("{group}, round by round"),
        legend: names.map(|(index, one)| Legend { class: colour(index), name: one.name.clone() }).collect(),
        drawings: [Width::Half, Width::Narrow].map(|width| draw(&measured, unit, width)).into(),
        caption: medians(&measured, unit),
        table: values(&measured),
        is_half: true,
    }
}

/// The limits that are near enough to be drawn.
fn limits(measured: &[&Measured]) -> Vec<f64> {
    let most = measured.iter().flat_map(|one| &one.rounds).copied().fold(0.0, f64::max);
    let mut limits: Vec<f64> = measured.iter().filter_map(|one| one.limit.map(|limit| limit.must)).collect();
    limits.retain(|must| *must <= most * LIMIT_WITHIN);
    limits.dedup();
    limits
}

fn medians(measured: &[&Measured], unit: &str) -> String {
    let medians = measured.iter().map(|one| {
        let limit = one.limit.map_or_else(String::new, |limit| format!(" (limit {})", figure(limit.must)));
        format!("{} {}{limit}", one.name, figure(one.value))
    });
    format!("Medians, {unit}: {}.", medians.collect::<Vec<_>>().join("; "))
}

fn draw(measured: &[&Measured], unit: &str, width: Width) -> Markup {
    let limits = limits(measured);
    let rounds = measured.iter().map(|one| one.rounds.len()).max().unwrap_or(1);
    let values = measured.iter().flat_map(|one| one.rounds.iter().copied()).chain(limits.iter().copied());
    let y = Scale::of_values(values, unit, false);
    let frame = Frame::new(width, Scale::of_rounds(rounds), y, "round", unit);
    let right = frame.right();
    let lines = html! {
        @for must in &limits {
            @let y = frame.y.place(*must);
            path.limit d=(format!("M{:.1} {y:.1}H{right:.1}", frame.x.place(0.0))) {
                title { (format!("limit {} {unit}", figure(*must))) }
            }
            text.limit x=(number(right)) y=(number(y - 4.0)) { "limit" }
        }
        @for (index, one) in measured.iter().enumerate() {
            @let class = colour(index);
            @let median = frame.y.place(one.value);
            path class=(format!("median {class}")) d=(format!("M{:.1} {median:.1}H{right:.1}", frame.x.place(0.0))) {
                title { (format!("{}: median {} {unit}", one.name, figure(one.value))) }
            }
            (frame.line(&format!("thin {class}"), points(one).map(|(round, value)| (round, Some(value)))))
            @for (round, value) in points(one) {
                circle class=(format!("dot {class}")) r="4.5" cx=(number(frame.x.place(round))) cy=(number(frame.y.place(value))) {
                    title { (format!("{}, round {round}: {} {unit}", one.name, figure(value))) }
                }
            }
        }
    };
    frame.svg(&medians(measured, unit), &nothing(), &lines)
}

/// Rounds from 1, with their values.
fn points(measured: &Measured) -> impl Iterator<Item = (f64, f64)> + '_ {
    measured.rounds.iter().enumerate().map(|(round, value)| (round as f64 + 1.0, *value))
}

fn values(measured: &[&Measured]) -> Markup {
    let rounds = measured.iter().map(|one| one.rounds.len()).max().unwrap_or(0);
    let mut head = vec!["round".to_owned()];
    head.extend(measured.iter().map(|one| one.name.clone()));
    let row = |name: String, cell: &dyn Fn(&Measured) -> String| {
        [name].into_iter().chain(measured.iter().map(|one| cell(one))).collect::<Vec<_>>()
    };
    let of_round = |round: usize| {
        row((round + 1).to_string(), &|one| {
            one.rounds.get(round).map_or_else(|| "-".to_owned(), |value| figure(*value))
        })
    };
    let mut rows: Vec<_> = (0..rounds).map(of_round).collect();
    rows.push(row("median".to_owned(), &|one| figure(one.value)));
    table(&head, &rows)
}
