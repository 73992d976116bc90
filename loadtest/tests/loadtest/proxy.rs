//! The proxies of a cluster test: what is sent passes, waits or is cut off, as they are told.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use zeitnot_loadtest::cluster::proxy::{Proxy, ProxyThread, Traffic};

/// A server that says its name to whoever connects, and then echoes.
fn echo(name: u8) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    thread::spawn(move || {
        for mut client in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || {
                client.write_all(&[name]).expect("the client is there");
                let mut from = client.try_clone().expect("a handle");
                // It ends with the client.
                drop(std::io::copy(&mut from, &mut client));
            });
        }
    });
    address
}

/// A client of this proxy that waits for at most so long.
fn client(proxy: &Proxy, patience: Duration) -> TcpStream {
    let client = TcpStream::connect(proxy.address()).expect("a proxy always listens");
    client.set_read_timeout(Some(patience)).expect("a timeout");
    client
}

fn read(client: &mut TcpStream) -> Result<u8, ErrorKind> {
    let mut byte = [0];
    client.read_exact(&mut byte).map(|()| byte[0]).map_err(|error| error.kind())
}

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(50);

#[test]
fn what_is_sent_passes_in_both_directions_and_so_does_the_end() {
    let proxies = ProxyThread::start().unwrap();
    let proxy = proxies.proxy(echo(1)).unwrap();
    let mut client = client(&proxy, LONG);
    assert_eq!(read(&mut client), Ok(1));
    client.write_all(&[7]).unwrap();
    assert_eq!(read(&mut client), Ok(7));
    client.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(read(&mut client), Err(ErrorKind::UnexpectedEof), "the server has ended it");
}

#[test]
fn in_silence_nothing_passes_and_afterwards_everything() {
    let proxies = ProxyThread::start().unwrap();
    let proxy = proxies.proxy(echo(1)).unwrap();
    let mut before = client(&proxy, LONG);
    assert_eq!(read(&mut before), Ok(1));
    proxy.set(Traffic::Silent);
    before.write_all(&[7]).unwrap();
    let mut during = client(&proxy, SHORT);
    before.set_read_timeout(Some(SHORT)).unwrap();
    for silent in [&mut before, &mut during] {
        assert_eq!(read(silent), Err(ErrorKind::WouldBlock));
        silent.set_read_timeout(Some(LONG)).unwrap();
    }
    proxy.set(Traffic::Flows);
    assert_eq!((read(&mut before), read(&mut during)), (Ok(7), Ok(1)));
}

#[test]
fn a_closed_one_ends_connections_and_takes_none() {
    let proxies = ProxyThread::start().unwrap();
    let proxy = proxies.proxy(echo(1)).unwrap();
    let mut before = client(&proxy, LONG);
    assert_eq!(read(&mut before), Ok(1));
    proxy.set(Traffic::Closed);
    for mut ended in [before, client(&proxy, LONG)] {
        let end = read(&mut ended).unwrap_err();
        assert!(matches!(end, ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset), "{end}");
    }
    proxy.set(Traffic::Flows);
    assert_eq!(read(&mut client(&proxy, LONG)), Ok(1));
}

#[test]
fn new_connections_lead_to_another_server_and_old_ones_stay() {
    let proxies = ProxyThread::start().unwrap();
    let proxy = proxies.proxy(echo(1)).unwrap();
    let mut before = client(&proxy, LONG);
    assert_eq!(read(&mut before), Ok(1));
    proxy.lead_to(echo(2));
    assert_eq!(read(&mut client(&proxy, LONG)), Ok(2));
    before.write_all(&[7]).unwrap();
    assert_eq!(read(&mut before), Ok(7));
}

#[test]
fn a_server_that_is_not_there_ends_the_connection() {
    let proxies = ProxyThread::start().unwrap();
    let gone = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    let proxy = proxies.proxy(gone).unwrap();
    let end = read(&mut client(&proxy, LONG)).unwrap_err();
    assert!(matches!(end, ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset), "{end}");
}
