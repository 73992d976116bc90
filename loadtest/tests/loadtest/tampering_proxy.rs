//! A proxy that replaces a text in what the server sends, so that a test can show that the change
//! is found.
//!
//! Invariant: the replacement is as long as the text, so that frames keep their lengths.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::thread;

use zeitnot_loadtest::endpoint::Endpoint;

/// Starts a proxy in front of `server` and returns where it listens. It runs until the test process
/// ends.
pub(crate) fn in_front_of(server: &Endpoint, text: &'static str, replacement: &'static str) -> Endpoint {
    assert_eq!(text.len(), replacement.len());
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let server = server.address;
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let server = TcpStream::connect(server).expect("the server listens");
            let (client_too, server_too) =
                (client.try_clone().expect("a handle"), server.try_clone().expect("a handle"));
            thread::spawn(move || forward(client, server, |_| {}));
            thread::spawn(move || {
                forward(server_too, client_too, |bytes| {
                    replace(bytes, text.as_bytes(), replacement.as_bytes());
                });
            });
        }
    });
    Endpoint::loopback(port, "/ws")
}

fn forward(mut from: TcpStream, mut to: TcpStream, change: impl Fn(&mut [u8])) {
    let mut bytes = [0; 64 * 1024];
    loop {
        let count = from.read(&mut bytes).unwrap_or(0);
        change(&mut bytes[..count]);
        if count == 0 || to.write_all(&bytes[..count]).is_err() {
            // Closing one direction tells the other side, if it is still connected.
            drop(to.shutdown(Shutdown::Write));
            return;
        }
    }
}

fn replace(bytes: &mut [u8], text: &[u8], replacement: &[u8]) {
    let mut at = 0;
    while let Some(found) = bytes[at..].windows(text.len()).position(|part| part == text) {
        bytes[at + found..at + found + text.len()].copy_from_slice(replacement);
        at += found + text.len();
    }
}
