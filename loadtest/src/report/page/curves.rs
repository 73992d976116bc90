//! Plots of how latencies are distributed: which share is how fast. The axis gives each nine the same
//! room, so the slowest of a thousand can be seen. The curves of an older run lie below, dashed.

use maud::{Markup, html};

use super::super::run::{Curve, Run};
use super::super::text::figure;
use super::plot::{Figure, Frame, Legend, Width, colour, table};
use super::scale::{Scale, percent_label};

/// The rows of the table.
const QUANTILES: [f64; 9] = [0.0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 1.0];

/// A curve, and the class of its line.
struct Shown<'r> {
    curve: &'r Curve,
    class: String,
    name: String,
}

/// One plot for each that the curves name.
pub(super) fn figures(run: &Run, before: Option<&Run>) -> Vec<Figure> {
    let mut plots: Vec<&str> = Vec::new();
    for curve in &run.curves {
        if !plots.contains(&&*curve.plot) {
            plots.push(&curve.plot);
        }
    }
    let is_half = plots.len() > 1;
    plots.into_iter().map(|plot| one(run, before, plot, is_half)).collect()
}

fn one(run: &Run, before: Option<&Run>, plot: &str, is_half: bool) -> Figure {
    let now = run.curves.iter().filter(|curve| curve.plot == plot).enumerate();
    let shown: Vec<_> = now
        .flat_map(|(index, curve)| {
            let then = before.and_then(|before| same(before, curve));
            let then = then.map(|curve| Shown {
                curve,
                class: format!("{} before", colour(index)),
                name: format!("{}, before", curve.name),
            });
            then.into_iter().chain([Shown { curve, class: colour(index), name: curve.name.clone() }])
        })
        .collect();
    let wide = if is_half { Width::Half } else { Width::Wide };
    Figure {
        title: plot.to_owned(),
        legend: shown.iter().map(|one| Legend { class: one.class.clone(), name: one.name.clone() }).collect(),
        drawings: [wide, Width::Narrow].map(|width| draw(&shown, width)).into(),
        caption: counts(&shown),
        table: values(&shown),
        is_half,
    }
}

fn same<'r>(run: &'r Run, wanted: &Curve) -> Option<&'r Curve> {
    run.curves.iter().find(|curve| curve.plot == wanted.plot && curve.name == wanted.name)
}

fn counts(shown: &[Shown<'_>]) -> String {
    let counts = shown.iter().map(|one| format!("{}: {} latencies", one.name, one.curve.count));
    counts.collect::<Vec<_>>().join("; ")
}

fn draw(shown: &[Shown<'_>], width: Width) -> Markup {
    let unit = shown.first().map_or("", |one| &*one.curve.unit);
    let values = shown.iter().flat_map(|one| one.curve.points.iter().map(|(_, value)| *value));
    let count = shown.iter().map(|one| one.curve.count).max().unwrap_or(0);
    let (x, y) = (Scale::of_quantiles(count), Scale::of_values(values, unit, true));
    let frame = Frame::new(width, x, y, "percentile", unit);
    let lines = html! {
        @for one in shown {
            (frame.line(&one.class, one.curve.points.iter().map(|&(quantile, value)| (quantile, Some(value)))))
        }
        @if width != Width::Narrow { (under_pointer(&frame, shown)) }
    };
    let summary = shown.iter().map(|one| {
        let [p50, p99, most] = [0.5, 0.99, 1.0].map(|quantile| figure(at(one.curve, quantile)));
        format!("{}: p50 {p50}, p99 {p99}, most {most} {unit}", one.name)
    });
    frame.svg(&summary.collect::<Vec<_>>().join("; "), &super::plot::nothing(), &lines)
}

/// Dots that show their values under the pointer, at the rows of the table.
fn under_pointer(frame: &Frame, shown: &[Shown<'_>]) -> Markup {
    html! {
        @for one in shown {
            @for quantile in QUANTILES.into_iter().filter(|quantile| is_known(one.curve, *quantile)) {
                @let value = at(one.curve, quantile);
                circle class=(format!("dot {}", one.class)) r="3.5"
                    cx=(super::plot::number(frame.x.place(quantile)))
                    cy=(super::plot::number(frame.y.place(value))) {
                    title { (format!("{}: {} % within {} {}", one.name, percent_label(quantile), figure(value), one.curve.unit)) }
                }
            }
        }
    }
}

/// The value that this share does not exceed.
fn at(curve: &Curve, quantile: f64) -> f64 {
    let reached = curve.points.iter().find(|(reached, _)| *reached >= quantile - 1e-9);
    reached.or(curve.points.last()).map_or(f64::NAN, |(_, value)| *value)
}

/// Whether there were so many latencies that some exceed this share.
fn is_known(curve: &Curve, quantile: f64) -> bool {
    quantile >= 1.0 || (1.0 - quantile) * curve.count as f64 >= 0.999
}

fn values(shown: &[Shown<'_>]) -> Markup {
    let mut head = vec!["percentile".to_owned()];
    head.extend(shown.iter().map(|one| format!("{}, {}", one.name, one.curve.unit)));
    let row = |quantile: f64| {
        let cell = |one: &Shown<'_>| {
            if is_known(one.curve, quantile) { figure(at(one.curve, quantile)) } else { "-".to_owned() }
        };
        let name = match quantile {
            0.0 => "least".to_owned(),
            1.0 => "most".to_owned(),
            _ => percent_label(quantile),
        };
        [name].into_iter().chain(shown.iter().map(cell)).collect()
    };
    table(&head, &QUANTILES.map(row))
}
