//! Scratch: guard over dead rows, neighbours, and games.
use std::time::Instant;
use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::notation::{fen, pgn};
use zeitnot_rules::verdict::{Dead, Guard, Limits, dead, guard, is_dead};
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(&args[0]).unwrap();
    let mut rows: Vec<Position> = Vec::new();
    let mut n = 0;
    let mut bad = 0;
    for line in text.lines().skip(1) {
        let f: Vec<&str> = line.split(',').collect();
        let p = fen::parse(f[0]).unwrap();
        if !p.has_legal_move() { continue; }
        if f[2] == "dead" { n += 1; if guard(&p) == Guard::NotDead { bad += 1; println!("BAD {}", f[0]); } }
        rows.push(p);
    }
    println!("dead rows {n} bad {bad}");
    let mut checked = 0; let mut unknown = 0; let mut bad = 0; let mut asked = 0;
    let lim = Limits::nodes(20_000);
    for p in rows.iter().step_by(4) {
        for mv in p.legal_moves().into_iter().step_by(5) {
            let mut q = p.clone(); q.play(mv).unwrap();
            if !q.has_legal_move() { continue; }
            if guard(&q) == Guard::Ask { asked += 1; continue; }
            checked += 1;
            match dead(&q, &lim) { Dead::Yes(_) => { bad += 1; println!("BADN {}", fen::write(&q)); } Dead::No => {}, Dead::Unknown { .. } => { unknown += 1; } }
        }
    }
    println!("neighbours NotDead {checked} unknown {unknown} bad {bad} asked {asked}");
    let _ = Color::White; let _ = is_dead;
    let _ = Instant::now();
    if let Some(file) = args.get(1) { games(file); }
}
fn games(file: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    let mut positions = Vec::new();
    for game in pgn::games(&text) { let game = game.unwrap();
        let mut p = game.start.clone();
        for mv in &game.moves { p.play(*mv).unwrap(); if p.has_legal_move() { positions.push(p.clone()); } }
    }
    let t = Instant::now();
    let asks: Vec<&Position> = positions.iter().filter(|p| guard(p) == Guard::Ask).collect();
    let ns = t.elapsed().as_nanos() as f64 / positions.len() as f64;
    println!("moves {} ns {ns:.1} asked {} ({:.3} %)", positions.len(), asks.len(), 100.0 * asks.len() as f64 / positions.len() as f64);
    let mut times = Vec::new(); let (mut yes, mut unk) = (0, 0);
    for p in &asks { let t = Instant::now(); match dead(p, &Limits::nodes(1_000_000)) { Dead::Yes(_) => yes += 1, Dead::No => {}, Dead::Unknown{..} => unk += 1 }; times.push(t.elapsed().as_nanos() as u64 / 1000); }
    times.sort();
    println!("answers: dead {yes} unknown {unk} median {} µs p99 {} µs max {} µs", times[times.len()/2], times[times.len()*99/100], times[times.len()-1]);
    for p in asks.iter().step_by(asks.len() / 20 + 1) { println!("{}", fen::write(p)); }
}
