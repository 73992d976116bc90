//! Says whether a side can still checkmate, for a file of positions or for one position.

use std::process::ExitCode;
use std::time::Instant;

use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::notation::{fen, san};
use zeitnot_rules::verdict::{Limits, Winnable, winnable};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let nodes = args.iter().position(|a| a == "--nodes").map_or(4_000_000, |i| args[i + 1].parse().unwrap());
    if args[0] == "--fen" {
        let position = fen::parse(&args[1]).unwrap();
        for color in Color::ALL {
            let start = Instant::now();
            let answer = winnable(&position, color, &Limits::nodes(nodes));
            println!("{color}: {} ({:?})", explain(&position, &answer), start.elapsed());
        }
        return ExitCode::SUCCESS;
    }
    let text = std::fs::read_to_string(&args[0]).unwrap();
    let (mut wrong, mut undecided) = (0, 0);
    let mut times = Vec::new();
    let mut tally = std::collections::BTreeMap::new();
    let verbose = args.iter().any(|a| a == "-v");
    for line in text.lines().skip(1).filter(|l| !l.is_empty()) {
        let f: Vec<&str> = line.split(',').collect();
        let position = match fen::parse(f[0]) { Ok(p) => p, Err(e) => { println!("ERR {line} {e}"); continue } };
        let color = if f[1] == "white" { Color::White } else { Color::Black };
        let start = Instant::now();
        let answer = winnable(&position, color, &Limits::nodes(nodes));
        let us = start.elapsed().as_micros() as u64;
        times.push(us);
        let (kind, n) = match &answer {
            Winnable::CanMate { line } => {
                let mut p = position.clone();
                for mv in line { p.play(*mv).unwrap(); }
                assert!(p.in_check() && !p.has_legal_move() && p.side_to_move() != color);
                ("winnable".to_owned(), line.len() as u32)
            }
            Winnable::CannotMate { proof } => (format!("unwinnable {}", format!("{proof:?}").split(' ').next().unwrap()), match proof { zeitnot_rules::verdict::Proof::Exhaustive { positions } => *positions, _ => 0 }),
            Winnable::Unknown { nodes } => ("unknown".to_owned(), *nodes),
        };
        let t = tally.entry((f[2].to_owned(), kind.clone())).or_insert((0u64, 0u64, 0u64));
        t.0 += 1; t.1 += us; t.2 = t.2.max(us);
        if verbose { println!("T {us} {kind} {n} {line}"); }
        match (&answer, f[2]) {
            (Winnable::Unknown { nodes }, _) => { undecided += 1; println!("undecided {nodes} {us} {line}"); }
            (Winnable::CanMate { .. }, "winnable") | (Winnable::CannotMate { .. }, "unwinnable" | "dead") => {}
            _ => { wrong += 1; println!("WRONG {answer:?} {line}"); }
        }
    }
    for (k, (n, us, max)) in tally { println!("{k:?}: n {n} sum {us} avg {} max {max}", us / n); }
    times.sort();
    println!("rows {}, wrong {wrong}, undecided {undecided}, median {} µs, p99 {} µs, max {} ms", times.len(), times[times.len()/2], times[times.len()*99/100], times[times.len()-1]/1000);
    if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn explain(position: &Position, answer: &Winnable) -> String {
    match answer {
        Winnable::CanMate { line } => {
            let mut p = position.clone();
            let mut s = String::from("can mate:");
            for mv in line { s += &format!(" {}", san::write(*mv, &p)); p.play(*mv).unwrap(); }
            s
        }
        other => format!("{other:?}"),
    }
}
