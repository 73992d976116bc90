//! Every case of invalid input, against the real server and one that answers wrongly.

use zeitnot_loadtest::invalid_input::send;
use zeitnot_loadtest::report::Recorder;

use crate::server::TestServer;
use crate::tampering_proxy;

/// More than all kinds together, so that the first ones meet connections that were used.
const PIECES: u64 = 150;

#[test]
fn every_kind_is_answered_as_documented() {
    let server = TestServer::start();
    let report = send(&server.endpoint(), None, PIECES, &Recorder::silent()).unwrap();
    assert_eq!(report.shown, [], "{report}");
    assert!(report.is_clean());
    assert!(report.frame_kinds >= 20 && report.command_kinds >= 15, "{report}");
    assert!(
        PIECES > (report.frame_kinds + report.command_kinds) as u64,
        "some kinds were not sent: {report}"
    );
}

#[test]
fn a_wrong_code_is_found() {
    let server = TestServer::start();
    let tampering_proxy =
        tampering_proxy::in_front_of(&server.endpoint(), r#""code":"no_offer""#, r#""code":"not_json""#);
    let report = send(&tampering_proxy, None, PIECES, &Recorder::silent()).unwrap();
    assert!(!report.is_clean());
    let shown = report.shown.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(shown.contains("wrong answer to accepting one's own offer"), "{shown}");
    assert!(!shown.contains("wrong answer to a move out of turn"), "{shown}");
}
