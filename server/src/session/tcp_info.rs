//! The kernel's own estimate of a connection's round trip: `TCP_INFO` of Linux.
//!
//! The kernel measures how long acknowledgements take. The kernel of the other end sends them, whatever
//! the program does there. Elsewhere than on Linux there is no estimate.
//!
//! Deliberately absent: what counts as the round trip (`keepalive`).

use std::time::Duration;

use tokio::net::TcpStream;

/// The smoothed round trip; `None` when the kernel does not know it.
#[cfg(target_os = "linux")]
pub(super) fn round_trip(stream: &TcpStream) -> Option<Duration> {
    let micros = read(stream)?.tcpi_rtt;
    (micros > 0).then(|| Duration::from_micros(micros.into()))
}

/// There is no estimate here.
#[cfg(not(target_os = "linux"))]
pub(super) fn round_trip(_: &TcpStream) -> Option<Duration> {
    None
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "neither socket2 nor rustix reads TCP_INFO")]
fn read(stream: &TcpStream) -> Option<libc::tcp_info> {
    use std::os::fd::AsRawFd as _;

    let mut info = std::mem::MaybeUninit::<libc::tcp_info>::zeroed();
    let mut length = size_of::<libc::tcp_info>() as libc::socklen_t;
    // SAFETY: the descriptor is open while `stream` is borrowed. The kernel writes at most `length` bytes to `info`,
    // which has as many, and keeps no pointer.
    let answer = unsafe {
        libc::getsockopt(
            stream.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            info.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    // SAFETY: every field is a number, and what the kernel did not write is zero.
    (answer == 0).then(|| unsafe { info.assume_init() })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_kernel_knows_the_round_trip_of_a_connection() {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (served, _) = listener.accept().await.unwrap();
        for stream in [&client, &served] {
            let round_trip = round_trip(stream).expect("the handshake measured it");
            assert!(round_trip < Duration::from_secs(1), "{round_trip:?}");
        }
    }
}
