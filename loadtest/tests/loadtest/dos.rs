//! A small attack on the real server: every connection is closed as documented, and one that is not
//! is found.

use zeitnot_loadtest::dos::{Plan, attack};
use zeitnot_loadtest::report::Recorder;
use zeitnot_protocol::Limits;
use zeitnot_server::Config;

use crate::server::TestServer;

/// A server with short timeouts, and a plan that knows them. They are not shorter, because players keep them too: the
/// players, the attackers and the endless games among them run only while nobody else does.
fn plan() -> (Config, Plan) {
    let other_limits =
        Limits { hello_timeout_ms: 4_000, ping_every_ms: 300, pong_timeout_ms: 4_000, ..Limits::STANDARD };
    let config = Config {
        connections_per_address: 1_000,
        guests_per_address_per_minute: 1_000,
        head_timeout_ms: 4_000,
        other_limits,
        ..Config::for_tests()
    };
    let plan = Plan {
        rounds: 2,
        seconds: 0.3,
        games: 4,
        moves_per_second: 100,
        games_core: None,
        slow: 40,
        silent: 40,
        unread: 20,
        http: 4,
        floods: [true, true],
        endless: 2,
        sign_ins: 0.0,
        head_timeout_ms: 4_000,
        margin: 20.0,
    };
    (config, plan)
}

#[test]
fn every_connection_is_closed_as_documented() {
    let (config, plan) = plan();
    let server = TestServer::with(config);
    let report = attack(&server.endpoint(), None, &plan, &Recorder::silent()).unwrap();
    assert_eq!(report.wrong(), 0, "{report:?}");
    assert!(report.moves() > 100, "{report}");
    assert!(report.to_string().starts_with("dos: p99 under attack to alone "), "{report}");
}

#[test]
fn a_connection_that_is_not_closed_is_found() {
    let (config, plan) = plan();
    let server = TestServer::with(Config { head_timeout_ms: 600_000, ..config });
    let plan = Plan { rounds: 1, slow: 3, margin: 0.5, ..plan };
    let report = attack(&server.endpoint(), None, &plan, &Recorder::silent()).unwrap();
    assert_eq!(report.wrong(), 3, "{report:?}");
    assert!(!report.is_clean());
}
