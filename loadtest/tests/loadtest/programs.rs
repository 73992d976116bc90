//! A few bots of the Lichess API and of our own protocol on the real server.

use zeitnot_loadtest::programs::{ProgramsOptions, play};
use zeitnot_loadtest::report::Recorder;
use zeitnot_server::Config;

use crate::server::TestServer;

#[test]
fn bots_of_both_kinds_play_each_other_and_every_reader_shows_the_same_games() {
    let server = TestServer::with(Config {
        bots_in_pools: true,
        connections_per_address: 1_000,
        new_connections_per_address_per_minute: Some(1_000_000),
        guests_per_address_per_minute: 1_000,
        games_per_account_per_minute: 1_000,
        games_per_address_per_minute: 1_000,
        challenges_per_account_per_minute: 1_000,
        http_cost_per_minute: 1_000_000,
        ..Config::for_tests()
    });
    let options = ProgramsOptions { bots: 2, seconds: 3.0, seed: 5, zeitnot: None };
    let report = play(&server.endpoint(), &options, &Recorder::silent()).unwrap();
    assert!(report.is_clean(), "{report} {:?} {:?}", report.findings, report.named);
    assert!(report.moves >= 16, "{report}");
    assert!(report.to_string().starts_with("programs: bots 2+2, games "), "{report}");
}
