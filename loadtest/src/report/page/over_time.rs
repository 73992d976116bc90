//! Plots with the time of the run: latencies, rates, what the server uses. Faults and phases are marks on
//! the axis of each.
//!
//! All plots of a run have the same axis, so that what happens at one time stands below each other.

use maud::{Markup, html};

use super::super::run::{Mark, MarkKind, Run, TimeSeries};
use super::super::text::figure;
use super::plot::{FLOOR, Figure, Frame, Legend, TOP, Width, colour, nothing, number, table};
use super::scale::{Scale, time_label, time_title};

/// The most points of a line: more cannot be told apart.
const POINTS_MAX: usize = 560;

/// The most rows of a table.
const ROWS_MAX: usize = 40;

/// The most columns that show their values under the pointer.
const COLUMNS_MAX: usize = 140;

/// The width of a letter in the label of a phase.
const LETTER: f64 = 6.6;

/// One plot for each that the series name.
pub(super) fn figures(run: &Run) -> Vec<Figure> {
    let mut plots: Vec<&str> = Vec::new();
    for series in &run.series {
        if !plots.contains(&&*series.plot) {
            plots.push(&series.plot);
        }
    }
    plots.into_iter().map(|plot| one(run, plot)).collect()
}

fn one(run: &Run, plot: &str) -> Figure {
    let series: Vec<_> = run.series.iter().filter(|series| series.plot == plot).collect();
    let unit = series.first().map_or("", |series| &*series.unit);
    let end = run.seconds;
    let (thinned, merged) = thin_all(&series, POINTS_MAX, end);
    let drawings = [Width::Wide, Width::Narrow].map(|width| draw(run, &thinned, unit, width));
    let caption = if merged > 1.5 {
        format!("Each point is the greatest value of {}.", words(merged))
    } else {
        String::new()
    };
    Figure {
        title: plot.to_owned(),
        legend: legend(&series),
        drawings: drawings.into(),
        caption,
        table: values(&series, unit, end),
        is_half: false,
    }
}

fn legend(series: &[&TimeSeries]) -> Vec<Legend> {
    let names = series.iter().enumerate();
    names.map(|(index, series)| Legend { class: colour(index), name: series.name.clone() }).collect()
}

fn words(seconds: f64) -> String {
    format!("{} s", figure(seconds).trim_end_matches('0').trim_end_matches('.'))
}

fn draw(run: &Run, series: &[TimeSeries], unit: &str, width: Width) -> Markup {
    let end = run.seconds;
    let values = series.iter().flat_map(|series| series.points.iter().filter_map(|(_, value)| *value));
    let y = Scale::of_values(values, unit, true);
    let frame = Frame::new(width, Scale::of_time(end), y, time_title(end), unit);
    let lines = html! {
        @for (index, series) in series.iter().enumerate() {
            (frame.line(&colour(index), series.points.iter().copied()))
        }
        @if width == Width::Wide { (columns(&frame, series, end)) }
    };
    frame.svg(&summary(series, unit), &marks(&frame, &run.marks, end), &lines)
}

/// What a screen reader says instead of the plot.
fn summary(series: &[TimeSeries], unit: &str) -> String {
    let parts = series.iter().map(|series| {
        let (least, median, most) = spread(&series.points);
        format!("{}: {} to {}, median {} {unit}", series.name, figure(least), figure(most), figure(median))
    });
    parts.collect::<Vec<_>>().join("; ")
}

fn spread(points: &[(f64, Option<f64>)]) -> (f64, f64, f64) {
    let mut values: Vec<f64> = points.iter().filter_map(|(_, value)| *value).collect();
    values.sort_by(f64::total_cmp);
    let at = |place: usize| values.get(place).copied().unwrap_or(f64::NAN);
    (at(0), at(values.len() / 2), at(values.len().saturating_sub(1)))
}

/// Phases as a strip above the plot with their names, faults as bands and lines across it.
fn marks(frame: &Frame, marks: &[Mark], end: f64) -> Markup {
    let (top, bottom) = (TOP, FLOOR);
    let phases = marks.iter().filter(|mark| mark.kind == MarkKind::Phase);
    let faults = marks.iter().filter(|mark| mark.kind == MarkKind::Fault);
    let span = |mark: &Mark| {
        let from = frame.x.place(mark.at);
        (from, (frame.x.place(mark.until.unwrap_or(end)) - from).max(0.5))
    };
    html! {
        @for (number_of, mark) in phases.enumerate() {
            @let (from, width) = span(mark);
            rect class=(format!("phase p{}", number_of % 2)) x=(number(from)) y=(number(top - 8.0))
                width=(number(width)) height=(number(bottom - top + 8.0)) { title { (mark.label) } }
            @if mark.label.chars().count() as f64 * LETTER < width - 4.0 {
                text.phase x=(number(from + width / 2.0)) y=(number(top - 11.0)) { (mark.label) }
            }
        }
        @for mark in faults {
            @let (from, width) = span(mark);
            g.fault {
                title { (format!("{} at {}", mark.label, time_label(mark.at, end))) }
                @if mark.until.is_some() {
                    rect x=(number(from)) y=(number(top)) width=(number(width)) height=(number(bottom - top)) {}
                }
                path.line d=(format!("M{from:.1} {top:.1}V{bottom:.1}")) {}
                path.head d=(format!("M{:.1} {:.1}h8l-4 8z", from - 4.0, top - 8.0)) {}
            }
        }
    }
}

/// Columns that show the values of their time under the pointer.
fn columns(frame: &Frame, series: &[TimeSeries], end: f64) -> Markup {
    let times = series.iter().max_by_key(|series| series.points.len());
    let times: Vec<f64> =
        times.map_or_else(Vec::new, |series| series.points.iter().map(|(at, _)| *at).collect());
    if times.is_empty() {
        return nothing();
    }
    let step = times.len().div_ceil(COLUMNS_MAX);
    let starts: Vec<f64> = times.iter().copied().step_by(step).collect();
    html! {
        g.columns {
            @for (place, at) in starts.iter().enumerate() {
                @let next = starts.get(place + 1).copied().unwrap_or(end);
                @let (from, to) = (frame.x.place(*at), frame.x.place(next));
                rect x=(number(from)) y=(number(TOP)) width=(number((to - from).max(1.0)))
                    height=(number(FLOOR - TOP)) { title { (values_at(series, *at, end)) } }
            }
        }
    }
}

fn values_at(series: &[TimeSeries], at: f64, end: f64) -> String {
    let mut lines = vec![format!("at {}", time_label(at, end))];
    for series in series {
        let nearest = series.points.iter().min_by(|a, b| (a.0 - at).abs().total_cmp(&(b.0 - at).abs()));
        if let Some((_, Some(value))) = nearest {
            lines.push(format!("{}: {} {}", series.name, figure(*value), series.unit));
        }
    }
    lines.join("\n")
}

/// The series as a table, with not too many rows.
fn values(series: &[&TimeSeries], unit: &str, end: f64) -> Markup {
    let (thinned, merged) = thin_all(series, ROWS_MAX, end);
    let mut head = vec!["time".to_owned()];
    head.extend(thinned.iter().map(|series| format!("{}, {unit}", series.name)));
    let times = thinned.iter().max_by_key(|series| series.points.len());
    let times = times.map_or_else(Vec::new, |series| series.points.iter().map(|(at, _)| *at).collect());
    let cell = |series: &TimeSeries, at: f64| {
        let near = |point: &&(f64, Option<f64>)| (point.0 - at).abs() <= merged.max(1.0) / 2.0;
        let values = series.points.iter().filter(near).filter_map(|(_, value)| *value);
        values.reduce(f64::max).map_or_else(|| "-".to_owned(), figure)
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for at in times {
        let mut row = vec![time_label(at, end)];
        row.extend(thinned.iter().map(|series| cell(series, at)));
        rows.push(row);
    }
    table(&head, &rows)
}

/// The series with at most so many points each, and how many seconds a point stands for.
fn thin_all(series: &[&TimeSeries], most: usize, end: f64) -> (Vec<TimeSeries>, f64) {
    let longest = series.iter().map(|series| series.points.len()).max().unwrap_or(0);
    let merged = if longest > most { end / most as f64 } else { 0.0 };
    let thinned = series.iter().map(|series| {
        let points = if merged > 0.0 { thin(&series.points, merged) } else { series.points.clone() };
        TimeSeries { points, ..(*series).clone() }
    });
    (thinned.collect(), merged)
}

/// One point for each span of so many seconds that has any: the greatest value. A span without any
/// value breaks the line.
fn thin(points: &[(f64, Option<f64>)], span: f64) -> Vec<(f64, Option<f64>)> {
    let place = |at: f64| (at / span) as u64;
    points
        .chunk_by(|a, b| place(a.0) == place(b.0))
        .map(|chunk| {
            let greatest = chunk
                .iter()
                .filter(|(_, value)| value.is_some())
                .max_by(|a, b| a.1.unwrap_or(f64::MIN).total_cmp(&b.1.unwrap_or(f64::MIN)));
            greatest.copied().unwrap_or((chunk[0].0, None))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_keeps_its_greatest_values_and_its_gaps() {
        let mut points: Vec<_> = (0..1_000_u32).map(|at| (f64::from(at), Some(1.0))).collect();
        points[123].1 = Some(50.0);
        points[500..600].iter_mut().for_each(|point| point.1 = None);
        let thinned = thin(&points, 10.0);
        assert_eq!(thinned.len(), 100);
        assert_eq!(thinned[12], (123.0, Some(50.0)));
        assert!(thinned[50..60].iter().all(|(_, value)| value.is_none()));
        assert!(thinned[60..].iter().all(|(_, value)| *value == Some(1.0)));
    }

    #[test]
    fn a_phase_has_its_name_where_there_is_room() {
        let y = Scale::of_values([1.0].into_iter(), "ms", true);
        let frame = Frame::new(Width::Wide, Scale::of_time(100.0), y, "time, s", "ms");
        let phase = |label: &str, at, until| Mark {
            kind: MarkKind::Phase,
            label: label.to_owned(),
            at,
            until: Some(until),
        };
        let drawn = marks(&frame, &[phase("round 1", 0.0, 50.0), phase("round 2", 50.0, 50.5)], 100.0).0;
        assert_eq!(drawn.matches("round 1").count(), 2, "its name, and under the pointer: {drawn}");
        assert_eq!(drawn.matches("round 2").count(), 1, "{drawn}");
    }
}
