//! Bulk perft beside cozy-chess on three kinds of position: an opening, a full middle game, and a
//! bare endgame.
//!
//! The time is for one whole tree; both crates count the same leaves, which is checked first. For
//! the ratio over all eight positions see `--bench` of the example `perft`, which takes processor
//! time.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use zeitnot_rules::board::Position;
use zeitnot_rules::notation::fen;

const POSITIONS: [(&str, &str, u32); 3] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
];

fn ours(position: &Position, depth: u32) -> u64 {
    let mut nodes = 0;
    position.for_each_piece_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            nodes += ours(&next, depth - 1);
        }
        false
    });
    nodes
}

fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            nodes += cozy(&next, depth - 1);
        }
        false
    });
    nodes
}

fn perft(criterion: &mut Criterion) {
    for (name, fen, depth) in POSITIONS {
        let position = fen::parse(fen).expect("the positions above are well-formed");
        let board: cozy_chess::Board = fen.parse().expect("the positions above are well-formed");
        let nodes = ours(&position, depth);
        assert_eq!(nodes, cozy(&board, depth), "{name}: both count the same");
        let mut group = criterion.benchmark_group(format!("perft/{name}/{depth}"));
        group.throughput(Throughput::Elements(nodes));
        group.bench_function("zeitnot", |bencher| bencher.iter(|| ours(black_box(&position), depth)));
        group.bench_function("cozy-chess", |bencher| bencher.iter(|| cozy(black_box(&board), depth)));
        group.finish();
    }
}

criterion_group!(benches, perft);
criterion_main!(benches);
