//! The rules' share of one half-move, from the client's text to SAN and outcome.
//!
//! The unit is one half-move of the games in `data/games.txt`: engine games of low depth, from the
//! standard start position to their ends. The example `half_move` (`processor_time.rs`) measures the
//! same path over a file of choice.

mod server_path;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn half_move(criterion: &mut Criterion) {
    let games = server_path::games(include_str!("../data/games.txt"));
    let mut group = criterion.benchmark_group("half_move");
    group.throughput(Throughput::Elements(server_path::half_moves(&games) as u64));
    group.bench_function("server path", |bencher| bencher.iter(|| server_path::walk(black_box(&games))));
    group.finish();
}

criterion_group!(benches, half_move);
criterion_main!(benches);
