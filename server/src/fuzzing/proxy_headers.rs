//! `X-Forwarded-For`: no client can make its own word count, whatever it writes.

use std::net::IpAddr;

use http::{HeaderMap, HeaderValue};

use crate::net::{Network, Proxies};

/// The proxies that are trusted, and a peer outside of all of them.
const TRUSTED: [&str; 3] = ["10.0.0.0/8", "fd00::/8", "192.0.2.7"];
const PEERS: [&str; 5] = ["203.0.113.9", "10.0.0.1", "::ffff:10.0.0.1", "fd00::1", "2001:db8::1"];

/// What a client may put in front of what its proxies append.
const FORGED: [&str; 4] = ["198.51.100.1", "10.1.1.1", "unknown", ""];

/// Reads the first byte as the choice of the peer, the first line as `X-Forwarded-Proto` and as a network, and each further
/// line as a header `X-Forwarded-For`.
///
/// # Panics
/// When a property does not hold.
pub fn proxy_headers(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else { return };
    let peer = address(PEERS[usize::from(choice) % PEERS.len()]);
    let mut lines = rest.split(|&byte| byte == b'\n');
    let proto = lines.next().unwrap_or_default();
    if let Some(network) = std::str::from_utf8(proto).ok().and_then(|text| text.parse::<Network>().ok()) {
        assert_eq!(network.to_string().parse(), Ok(network));
    }
    let proxies = Proxies::new(TRUSTED.map(|network| network.parse().expect("a network")).to_vec());
    let values: Vec<HeaderValue> = lines.filter_map(|line| HeaderValue::from_bytes(line).ok()).collect();

    let headers = headers(proto, &values);
    let (client, scheme) = (proxies.client(peer, &headers), proxies.scheme(peer, &headers));
    assert!(scheme == "http" || scheme == "https");
    if !proxies.trust(peer) {
        assert_eq!((client, scheme), (peer, "http"), "only a proxy is believed");
        return;
    }
    if client == peer {
        return;
    }
    assert_eq!(client, client.to_canonical(), "one address has one form");
    let said = values.iter().filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(",");
    check_hops(&proxies, client, &said);
    if !proxies.trust(client) {
        check_forged(&proxies, peer, client, proto, &values);
    }
}

/// The client is a hop that was said, and everything right of it is a trusted proxy.
fn check_hops(proxies: &Proxies, client: IpAddr, said: &str) {
    let right = said.rsplit(',').map(hop_address).take_while(|hop| *hop != Some(client));
    assert!(
        right.clone().all(|hop| hop.is_some_and(|hop| proxies.trust(hop))),
        "right of {client} stands somebody else: {said:?}"
    );
    assert!(right.count() < said.split(',').count(), "{client} was said: {said:?}");
}

/// What the client itself wrote stands further left, and changes nothing.
fn check_forged(proxies: &Proxies, peer: IpAddr, client: IpAddr, proto: &[u8], values: &[HeaderValue]) {
    for forged in FORGED {
        let first = HeaderValue::from_static(forged);
        let more: Vec<HeaderValue> = std::iter::once(first).chain(values.iter().cloned()).collect();
        assert_eq!(proxies.client(peer, &headers(proto, &more)), client, "{forged:?} was believed");
    }
}

fn headers(proto: &[u8], values: &[HeaderValue]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if let Ok(proto) = HeaderValue::from_bytes(proto) {
        headers.insert("x-forwarded-proto", proto);
    }
    for value in values {
        headers.append("x-forwarded-for", value.clone());
    }
    headers
}

/// The address of a hop, read in another way than the server does: with or without a port and brackets.
fn hop_address(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim();
    let without_port = match hop.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None if hop.matches(':').count() == 1 => hop.split(':').next().unwrap_or(hop),
        None => hop,
    };
    without_port
        .split('%')
        .next()
        .unwrap_or_default()
        .parse::<IpAddr>()
        .ok()
        .map(|address| address.to_canonical())
}

fn address(text: &str) -> IpAddr {
    text.parse().expect("an address")
}
