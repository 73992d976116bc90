//! Each fuzz target with the corpus of `fuzz/corpus`, with changed pieces of it, and with any bytes.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;

use super::{TARGETS, Target};

/// More runs than these are for the fuzzer.
const CASES: u32 = 256;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(name)
}

/// The inputs of the corpus of a target, in the order of their names.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = folder(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// An input that is shown as text.
struct Input(Vec<u8>);

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

/// What a change does at a place of an input.
#[derive(Clone, Debug)]
enum Change {
    Put(u8),
    Insert(Vec<u8>),
    Flip(u8),
    Remove(usize),
    Splice(Index, Index),
}

fn change() -> impl Strategy<Value = (Index, Change)> {
    let change = prop_oneof![
        any::<u8>().prop_map(Change::Put),
        proptest::collection::vec(any::<u8>(), 1..6).prop_map(Change::Insert),
        (0..8_u8).prop_map(|bit| Change::Flip(1 << bit)),
        (1..16_usize).prop_map(Change::Remove),
        any::<(Index, Index)>().prop_map(|(other, from)| Change::Splice(other, from)),
    ];
    (any::<Index>(), change)
}

fn changed(corpus: &[Vec<u8>], input: Index, changes: &[(Index, Change)]) -> Vec<u8> {
    let mut bytes = input.get(corpus).clone();
    for (place, change) in changes {
        let at = place.index(bytes.len() + 1);
        match change {
            Change::Put(byte) if at < bytes.len() => bytes[at] = *byte,
            Change::Flip(bits) if at < bytes.len() => bytes[at] ^= bits,
            Change::Put(byte) | Change::Flip(byte) => bytes.push(*byte),
            Change::Insert(more) => drop(bytes.splice(at..at, more.iter().copied())),
            Change::Remove(count) => drop(bytes.drain(at..(at + count).min(bytes.len()))),
            Change::Splice(other, from) => {
                let other = other.get(corpus);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from.index(other.len() + 1)..]);
            }
        }
    }
    bytes
}

/// Runs a target by name. The corpus has an input for everything that was ever found.
#[track_caller]
fn check(name: &str) {
    let (_, target): (_, Target) = *TARGETS.iter().find(|(target, _)| *target == name).expect("a target");
    let corpus = corpus(name);
    assert!(!corpus.is_empty(), "{name} has no corpus");
    corpus.iter().for_each(|input| target(input));

    // What is found belongs into the corpus, not into a file of proptest's.
    let config = ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new(config);
    let changed = (any::<Index>(), proptest::collection::vec(change(), 1..5))
        .prop_map(move |(input, changes)| self::changed(&corpus, input, &changes));
    let any_bytes = proptest::collection::vec(any::<u8>(), 0..200);
    let inputs = prop_oneof![4 => changed.boxed(), 1 => any_bytes.boxed()];
    let outcome = runner.run(&inputs.prop_map(Input), |Input(input)| {
        target(&input);
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
}

macro_rules! each {
    ($($name:ident)+) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })+

        #[test]
        fn every_target_is_run_here_and_by_the_fuzzer() {
            assert_eq!(TARGETS.map(|(name, _)| name), [$(stringify!($name)),+]);
            let manifest = fs::read_to_string(folder("../Cargo.toml")).unwrap();
            let fuzzed: Vec<&str> = manifest
                .lines()
                .filter_map(|line| line.strip_prefix("path = \"targets/")?.strip_suffix(".rs\""))
                .collect();
            assert_eq!(fuzzed, [$(stringify!($name)),+]);
        }
    };
}

each! { frames messages fen san uci pgn records http_requests proxy_headers bus }
