//! RFC 6455 over TCP, byte by byte: 246 cases in the classes of the Autobahn suite's groups 1 to 7, by its numbers.
//!
//! [`framing`], [`text`] and [`closing`] are the cases as data: what is sent, what must come back. [`peer`] sends each
//! in three ways (whole, frame by frame, octet by octet) to the echo of a running server and reads what comes. What the
//! RFC leaves open and the suite calls non-strict is allowed where the suite allows it, and counted.
//!
//! Deliberately absent: a WebSocket library on this side. The bytes are made and read here.

mod case;
mod closing;
mod framing;
mod peer;
mod text;

use std::net::SocketAddr;

use tokio::sync::oneshot;
use zeitnot_protocol::Limits;

use self::case::{Case, Verdict};
use self::peer::Way;
use crate::tasks::Tasks;
use crate::{Config, listener, run};

/// The number of cases in the suite's groups 1 to 7.
const CASES: usize = 246;

fn cases() -> Vec<Case> {
    [framing::cases(), text::cases(), closing::cases()].into_iter().flatten().collect()
}

/// Limits that are not what is tested: the echo counts frames as every session does.
fn config() -> Config {
    Config {
        frames_per_second: 1_000_000,
        frames_burst: 1_000_000,
        other_limits: Limits { hello_timeout_ms: 600_000, ..Limits::STANDARD },
        ..Config::for_tests()
    }
}

/// Sends the case in every way: its verdict, or what was wrong.
async fn judge(address: SocketAddr, case: &Case) -> Result<Verdict, String> {
    let mut verdict = Verdict::Strict;
    for way in [Way::Whole, Way::Frames, Way::Octets] {
        let said = |wrong| format!("{} {way:?}: {wrong}", case.number);
        let got = peer::converse(address, case, way).await.map_err(said)?;
        verdict = verdict.max(case.judge(&got).map_err(said)?);
    }
    Ok(verdict)
}

#[test]
fn the_numbers_are_those_of_the_suite() {
    let cases = cases();
    assert_eq!(cases.len(), CASES);
    let count = |group: &str| cases.iter().filter(|case| case.number.starts_with(group)).count();
    assert_eq!(["1.", "2.", "3.", "4.", "5.", "6.", "7."].map(count), [16, 11, 7, 10, 20, 145, 37]);
    let numbers = cases.iter().map(|case| case.number.as_str()).collect::<std::collections::HashSet<_>>();
    assert_eq!(numbers.len(), CASES, "a number stands twice");
    for last in
        ["1.1.8", "1.2.8", "2.11", "3.7", "4.1.5", "4.2.5", "5.20", "6.4.4", "6.22.34", "6.23.7", "7.13.2"]
    {
        assert!(numbers.contains(last), "{last}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rfc_6455() {
    let listener = listener::bind(config().listen).unwrap().listen().unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let tasks = Tasks::default();
    let server = tasks.spawn(run(config(), listener, async move { drop(stopped.await) }));

    let (mut passed, mut lenient, mut wrong) = (0, Vec::new(), Vec::new());
    for case in cases() {
        match judge(address, &case).await {
            Ok(Verdict::Strict) => passed += 1,
            Ok(Verdict::NonStrict) => {
                passed += 1;
                lenient.push(case.number);
            }
            Err(error) => wrong.push(error),
        }
    }
    drop(stop);
    server.await.unwrap().unwrap();

    println!("non-strict: {lenient:?}");
    println!("rfc6455: {passed} of {CASES} passed, {} non-strict", lenient.len());
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(passed, CASES);
}
