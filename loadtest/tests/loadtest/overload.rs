//! A load that is no overload, on the real server: every move is accepted, logins and requests are served.

use zeitnot_loadtest::overload::{OverloadOptions, attack};
use zeitnot_loadtest::report::Recorder;
use zeitnot_server::Config;

use crate::server::TestServer;

#[test]
fn all_that_is_offered_is_served() {
    let config = Config {
        connections_per_address: 1_000,
        guests_per_address_per_minute: 1_000,
        http_cost_per_minute: 1_000_000,
        ..Config::for_tests()
    };
    let server = TestServer::with(config);
    let options = OverloadOptions {
        rounds: 2,
        seconds: 0.5,
        search_seconds: 0.5,
        full_rate: Some(50.0),
        games: 4,
        visits: 30,
        hard: 1,
        server_core: 0,
        own_core: 0,
        zeitnot: None,
    };
    let mut out = Vec::new();
    let report =
        attack(&server.endpoint(), std::process::id(), &options, &Recorder::silent(), &mut out).unwrap();
    assert!(report.goodput() > 50.0, "{report}");
    assert!(report.served() > 10, "{report:?}");
    assert!(report.to_string().contains("core full at 50 moves/s"), "{report}");
}
