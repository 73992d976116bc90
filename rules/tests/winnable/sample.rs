//! Positions from published collections, with known verdicts.

use zeitnot_rules::board::Color;
use zeitnot_rules::notation::fen;
use zeitnot_rules::verdict::{Limits, Winnable, winnable};

use crate::enumeration;

pub(crate) const SAMPLE: &str = include_str!("../data/winnable.csv");

const NODES: u32 = 100_000;

/// The rows as text, side and verdict.
pub(crate) fn rows() -> impl Iterator<Item = (&'static str, Color, &'static str)> {
    SAMPLE.lines().skip(1).map(|row| {
        let fields: Vec<&str> = row.split(',').collect();
        let color = if fields[1] == "white" { Color::White } else { Color::Black };
        (fields[0], color, fields[2])
    })
}

#[test]
fn no_verdict_is_wrong_and_few_are_missing() {
    let mut undecided = Vec::new();
    for (text, color, verdict) in rows() {
        let position = fen::parse(text).expect("the FEN is right");
        match winnable(&position, color, &Limits::nodes(NODES)) {
            Winnable::CanMate { .. } => assert_eq!(verdict, "winnable", "{text} {color}"),
            Winnable::CannotMate { proof } => assert_ne!(verdict, "winnable", "{text} {color}: {proof:?}"),
            Winnable::Unknown { .. } => undecided.push(text),
        }
    }
    assert!(undecided.len() <= 12, "undecided: {undecided:?}");
}

/// Every `step`-th row, so that the work is shared out.
fn cross_check(first: usize) {
    for (text, color, _) in rows().skip(first).step_by(4) {
        enumeration::check(&fen::parse(text).expect("the FEN is right"), color, NODES);
    }
}

#[test]
fn lines_can_be_played_and_enumeration_agrees_1() {
    cross_check(0);
}

#[test]
fn lines_can_be_played_and_enumeration_agrees_2() {
    cross_check(1);
}

#[test]
fn lines_can_be_played_and_enumeration_agrees_3() {
    cross_check(2);
}

#[test]
fn lines_can_be_played_and_enumeration_agrees_4() {
    cross_check(3);
}
