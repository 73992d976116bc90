//! The other end of a case: sends its octets in one of three ways and reads what the server says, as RFC 6455 frames it.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

use super::case::{BINARY, CLOSE, Case, Got, PONG, Piece, TEXT, Told};

/// How long a failure may take before it counts as late.
const PATIENCE: Duration = Duration::from_millis(300);

/// How long nothing must come for a silence.
const SILENCE: Duration = Duration::from_millis(50);

/// No conversation takes this long.
const GUARD: Duration = Duration::from_secs(60);

/// How the octets are cut for the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// All frames in one write.
    Whole,
    /// A write for each frame.
    Frames,
    /// A write for each octet.
    Octets,
}

/// Sends the case and reads until the server ends the connection.
pub(super) async fn converse(address: SocketAddr, case: &Case, way: Way) -> Result<Got, String> {
    let stream = upgrade(address).await.map_err(|error| error.to_string())?;
    match timeout(GUARD, exchange(stream, case, way)).await {
        Ok(got) => got,
        Err(_) => Err("the conversation did not end".to_owned()),
    }
}

async fn upgrade(address: SocketAddr) -> std::io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let request = "GET /echo HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                   Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    stream.write_all(request.as_bytes()).await?;
    // Octet by octet, so that nothing of what follows the head is taken.
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    if head.starts_with("HTTP/1.1 101 ") && head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") {
        return Ok(stream);
    }
    Err(std::io::Error::other(head))
}

async fn exchange(stream: TcpStream, case: &Case, way: Way) -> Result<Got, String> {
    let (mut reading, mut writing) = stream.into_split();
    let mut came = Vec::new();
    let mut late = false;
    if way == Way::Whole {
        let octets = case.pieces.iter().flat_map(|piece| match piece {
            Piece::Octets(octets) => octets.as_slice(),
            Piece::Silence | Piece::FailsHere => &[],
        });
        let octets = octets.copied().collect::<Vec<_>>();
        let (read, ()) = tokio::join!(read_to_end(&mut reading, &mut came), send(&mut writing, &octets, way));
        read?;
    } else {
        for part in case.pieces.split_inclusive(|piece| !matches!(piece, Piece::Octets(_))) {
            let sending = async {
                for piece in part {
                    if let Piece::Octets(octets) = piece {
                        send(&mut writing, octets, way).await;
                    }
                }
            };
            match part.last() {
                Some(Piece::Silence) => {
                    sending.await;
                    if timeout(SILENCE, reading.read_buf(&mut came)).await.is_ok() {
                        return Err("something came too early".to_owned());
                    }
                }
                Some(Piece::FailsHere) => {
                    sending.await;
                    late = timeout(PATIENCE, reading.read_buf(&mut came)).await.is_err();
                    if !late {
                        break;
                    }
                }
                Some(Piece::Octets(_)) | None => {
                    let (read, ()) = tokio::join!(read_to_end(&mut reading, &mut came), sending);
                    read?;
                }
            }
        }
    }
    read_to_end(&mut reading, &mut came).await?;
    Ok(Got { told: understand(&came)?, late })
}

/// Writes it all; the server may have closed before the end.
async fn send(writing: &mut OwnedWriteHalf, octets: &[u8], way: Way) {
    let size = if way == Way::Octets { 1 } else { octets.len().max(1) };
    for chop in octets.chunks(size) {
        if writing.write_all(chop).await.is_err() {
            return;
        }
    }
}

async fn read_to_end(reading: &mut OwnedReadHalf, came: &mut Vec<u8>) -> Result<(), String> {
    match reading.read_to_end(came).await {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("after {} octets: {error}", came.len())),
    }
}

/// Reads the server's frames: whole messages, never masked, no reserved bits.
fn understand(mut octets: &[u8]) -> Result<Vec<Told>, String> {
    let mut told = Vec::new();
    while let [first, second, rest @ ..] = octets {
        let wide = match second {
            0..=125 => 0,
            126 => 2,
            127 => 8,
            _ => return Err("a server's frame is masked".to_owned()),
        };
        let (length, rest) = rest.split_at_checked(wide).ok_or("a header is cut")?;
        let length = length.iter().fold(0, |length, octet| length << 8 | usize::from(*octet));
        let length = if wide == 0 { usize::from(*second) } else { length };
        let (payload, rest) = rest.split_at_checked(length).ok_or("a frame is cut")?;
        let opcode = first.checked_sub(0x80).ok_or("a server's message is fragmented")?;
        told.push(match (opcode, payload) {
            (TEXT, _) => Told::Text(payload.to_vec()),
            (BINARY, _) => Told::Binary(payload.to_vec()),
            (PONG, _) => Told::Pong(payload.to_vec()),
            (CLOSE, []) => Told::Close(None),
            (CLOSE, [high, low, ..]) => Told::Close(Some(u16::from_be_bytes([*high, *low]))),
            _ => return Err(format!("a frame with first octet {first:#x}")),
        });
        octets = rest;
    }
    if octets.is_empty() { Ok(told) } else { Err("a header is cut".to_owned()) }
}
