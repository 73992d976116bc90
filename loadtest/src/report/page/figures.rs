//! Figures as cards and tables: those with a limit first, those of two runs beside each other, all.

use maud::{Markup, html};

use super::super::before_after::{BeforeAfter, Change, Row};
use super::super::run::{Better, Figure, Limit, Run};
use super::super::text::figure;
use super::plot::{number, table};
use super::scale::label;

/// A meter ends at this many times the limit.
const METER_ENDS_AT: f64 = 1.5;

/// The figures with a limit, and whether it holds.
pub(super) fn limits(run: &Run) -> Markup {
    let judged: Vec<_> = run.figures.iter().filter_map(|figure| Some((figure, figure.limit?))).collect();
    html! {
        @if !judged.is_empty() {
            section {
                h2 { "Limits" }
                ul.cards { @for (figure, limit) in judged { (card(figure, limit)) } }
            }
        }
    }
}

fn card(measured: &Figure, limit: Limit) -> Markup {
    let holds = measured.holds().unwrap_or_default();
    let bound = if measured.better == Better::Higher { "at least" } else { "at most" };
    let aim = limit.aim.map_or_else(String::new, |aim| format!(", aim {}", label(aim)));
    html! {
        li.card.(if holds { "good" } else { "bad" }) {
            p.what { (measured.group) @if !measured.name.is_empty() { span { (measured.name) } } }
            p.value { (figure_or_count(measured)) " " span.unit { (measured.unit) } }
            @if limit.must > 0.0 { (meter(measured, limit)) }
            p.bound {
                b { @if holds { "holds" } @else { "missed" } } ": " (bound) " " (label(limit.must)) (aim)
            }
        }
    }
}

/// Counts have no digits after the point.
fn figure_or_count(measured: &Figure) -> String {
    if measured.unit.is_empty() && measured.value.fract() == 0.0 {
        label(measured.value)
    } else {
        figure(measured.value)
    }
}

/// How near the value is to its limit.
fn meter(measured: &Figure, limit: Limit) -> Markup {
    let end = limit.must.max(1e-9) * METER_ENDS_AT;
    let place = |value: f64| (value / end).clamp(0.0, 1.0) * 200.0;
    let [value, must] = [measured.value, limit.must].map(place);
    html! {
        svg.meter viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true" {
            rect.all x="0" y="3" width="200" height="6" {}
            rect.value x="0" y="3" width=(number(value)) height="6" {}
            @if let Some(aim) = limit.aim { path.aim d=(format!("M{:.1} 1v10", place(aim))) {} }
            path.must d=(format!("M{must:.1} 0v12")) {}
        }
    }
}

/// The figures of two runs beside each other.
pub(super) fn before_after(before: &Run, compared: &BeforeAfter) -> Markup {
    let head = ["figure", "", "before", "after", "ratio", ""];
    html! {
        section {
            h2 { "Before and after" }
            p { "Before: " (before.name) " of " (before.began.replace('T', " ").replace('Z', " UTC")) "." }
            @if !compared.cautions.is_empty() {
                ul.cautions { @for caution in &compared.cautions { li { (caution) } } }
            }
            div.scroll tabindex="0" {
                table {
                    thead { tr { @for cell in head { th scope="col" { (cell) } } } }
                    tbody { @for row in &compared.rows { (compared_row(row)) } }
                }
            }
            p.note { "A change is called better or worse when no round before overlaps with one after, of three rounds at least." }
        }
    }
}

fn compared_row(row: &Row) -> Markup {
    let class = match row.change {
        Change::Better => "good",
        Change::Worse => "bad",
        Change::Unclear | Change::Unknown => "",
    };
    let value = |value: Option<f64>| {
        value.map_or_else(|| "-".to_owned(), |value| format!("{} {}", figure(value), row.unit))
    };
    html! {
        tr class=(class) {
            th scope="row" { (row.group) }
            td.name { (row.name) }
            td { (value(row.before)) }
            td { (value(row.after)) }
            td.ratio { @if let Some(ratio) = row.ratio { (figure(ratio)) "x" } @else { "-" } }
            td.change { (row.change.words()) }
        }
    }
}

/// All figures.
pub(super) fn all(run: &Run) -> Markup {
    let head = ["figure", "", "value", "least", "greatest", "rounds", "limit"].map(str::to_owned);
    let row = |measured: &Figure| {
        let least = measured.rounds.iter().copied().fold(f64::INFINITY, f64::min);
        let most = measured.rounds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_one = measured.rounds.len() < 2;
        let range = |value: f64| if is_one { "-".to_owned() } else { figure(value) };
        let sign = if measured.better == Better::Higher { "≥" } else { "≤" };
        vec![
            measured.group.clone(),
            measured.name.clone(),
            format!("{} {}", figure_or_count(measured), measured.unit),
            range(least),
            range(most),
            measured.rounds.len().to_string(),
            measured.limit.map_or_else(String::new, |limit| format!("{sign} {}", label(limit.must))),
        ]
    };
    html! {
        @if !run.figures.is_empty() {
            section {
                h2 { "All figures" }
                (table(&head, &run.figures.iter().map(row).collect::<Vec<_>>()))
                p.note { "The value of several rounds is their median." }
            }
        }
    }
}
