//! A man in the middle: passes bytes between clients and a server, and changes words of the server's on the way.
//!
//! A word and its lie have the same length, so frames stay whole.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::thread;

use zeitnot_loadtest::endpoint::Endpoint;

/// Starts one in front of `server`; gives where it listens. It lives as long as the test.
pub(crate) fn in_front_of(server: &Endpoint, word: &'static str, lie: &'static str) -> Endpoint {
    assert_eq!(word.len(), lie.len());
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let server = server.address;
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let server = TcpStream::connect(server).expect("the server listens");
            let (client_too, server_too) =
                (client.try_clone().expect("a handle"), server.try_clone().expect("a handle"));
            thread::spawn(move || pass(client, server, |_| {}));
            thread::spawn(move || {
                pass(server_too, client_too, |bytes| replace(bytes, word.as_bytes(), lie.as_bytes()));
            });
        }
    });
    Endpoint::loopback(port, "/ws")
}

fn pass(mut from: TcpStream, mut to: TcpStream, change: impl Fn(&mut [u8])) {
    let mut bytes = [0; 64 * 1024];
    loop {
        let count = from.read(&mut bytes).unwrap_or(0);
        change(&mut bytes[..count]);
        if count == 0 || to.write_all(&bytes[..count]).is_err() {
            // One side is gone: the other learns of it, if it is still there.
            drop(to.shutdown(Shutdown::Write));
            return;
        }
    }
}

fn replace(bytes: &mut [u8], word: &[u8], lie: &[u8]) {
    let mut at = 0;
    while let Some(found) = bytes[at..].windows(word.len()).position(|part| part == word) {
        bytes[at + found..at + found + word.len()].copy_from_slice(lie);
        at += found + word.len();
    }
}
