//! A small cluster of real servers: one node is killed; players are on another node than the owner; servers join, or must not.

use zeitnot_loadtest::cluster::plan::Kind;
use zeitnot_loadtest::cluster::totals::Totals;
use zeitnot_loadtest::cluster::{self, ClusterOptions, Options, PaceOptions, Programs, batch};
use zeitnot_loadtest::report::Recorder;

use crate::crash::zeitnot;

#[test]
#[ignore = "needs PostgreSQL, NATS and an idle machine: by name, every night"]
fn games_go_on_when_a_node_of_a_cluster_is_killed() {
    let Some(binary) = zeitnot() else { return };
    let options = Options {
        faults: 1,
        players: 6,
        spectators: 4,
        rate: 20,
        seed: Some(20_261_125),
        batch: None,
        data: None,
        programs: Programs { zeitnot: Some(binary), nats: None },
    };
    let (mut out, mut saved) = (Vec::new(), 0);
    let save = |_: &_| {
        saved += 1;
        Ok(())
    };
    let (batch, _) = batch(Kind::Kill, &options, &Recorder::silent(), &mut out, save).unwrap();
    let totals = Totals::of(std::slice::from_ref(&batch));
    // On a busy machine a node may be declared dead that nothing has hit, and its sockets end.
    assert_eq!((totals.faults, totals.lost, totals.doubled), (1, 0, 0), "{:#?}", batch.findings);
    assert!(totals.moves > 10 && !totals.pauses.is_empty() && saved >= 2, "{totals}");
    assert!(String::from_utf8(out).unwrap().starts_with("seed 20261125, 1 faults"));
}

fn said(options: &ClusterOptions) -> (bool, String) {
    let mut out = Vec::new();
    let holds = cluster::run(options, &Recorder::silent(), &mut out).expect("the servers start");
    (holds, String::from_utf8(out).expect("it is text"))
}

#[test]
#[ignore = "needs PostgreSQL, NATS and an idle machine: by name, every night"]
fn servers_join_a_cluster_or_say_what_is_wrong() {
    let Some(zeitnot) = zeitnot() else { return };
    let (holds, said) = said(&ClusterOptions::Join(Programs { zeitnot: Some(zeitnot), nats: None }));
    assert!(holds && !said.contains("WRONG") && said.matches("serves after").count() == 3, "{said}");
}

#[test]
#[ignore = "needs PostgreSQL, NATS and an idle machine: by name, every night"]
fn games_are_measured_with_their_players_on_another_node() {
    let Some(zeitnot) = zeitnot() else { return };
    let options = PaceOptions {
        games: 4,
        rate: 40,
        seconds: 1.0,
        rounds: 1,
        programs: Programs { zeitnot: Some(zeitnot), nats: None },
    };
    // How long it takes is nothing for a test.
    let (_, said) = said(&ClusterOptions::Pace(options));
    assert!(said.contains("players on another node: p50 ") && said.contains("C9 p50 added"), "{said}");
}
