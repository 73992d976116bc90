//! The computer opponent, out of the box: eight bot accounts, one for each level, that this process plays.
//!
//! It connects over the loopback interface and knows nothing of the server but the protocol. It thinks on a thread that
//! gets what others leave of the processor, so a move of a person never waits for one of the computer.
//!
//! Deliberately absent: how it plays (`zeitnot-bot`).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use zeitnot_bot::Pool;
use zeitnot_bot::computer::{Seat, Thinks, play};
use zeitnot_bot::search::Level;

use crate::accounts::Accounts;
use crate::process::{Priority, lower_priority};

/// What the names of its accounts begin with; the level follows. Nobody else may choose such a name.
const NAME: &str = "Computer-";

/// The computer opponent that is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Computer {
    /// A UCI engine in place of the searcher.
    pub(crate) engine: Option<PathBuf>,
}

impl Computer {
    /// Plays until `stopping`. A server goes on without it.
    pub(crate) async fn run(self, accounts: Arc<Accounts>, listens: SocketAddr, stopping: CancellationToken) {
        let playing = async {
            let seats = seats(&accounts).await;
            let thinks = match self.engine {
                Some(path) => Thinks::Engine(path),
                None => match Pool::start(1, || lower_priority(Priority::Spare)) {
                    Ok(pool) => Thinks::Searcher(pool),
                    Err(error) => return tracing::error!(%error, "no computer opponent: it has no thread"),
                },
            };
            play(&format!("ws://{}", reached_at(listens)), seats, &thinks).await;
        };
        tokio::select! {
            biased;
            () = stopping.cancelled() => {}
            () = playing => tracing::warn!("the computer opponent plays no more"),
        }
    }
}

/// Where this process reaches its own socket.
fn reached_at(listens: SocketAddr) -> SocketAddr {
    let address = match listens.ip() {
        IpAddr::V4(any) if any.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(any) if any.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    };
    SocketAddr::new(address, listens.port())
}

/// The accounts, those that can be had.
async fn seats(accounts: &Accounts) -> Vec<Seat> {
    let mut seats = Vec::new();
    for level in Level::all() {
        let text = format!("{NAME}{level}");
        let Ok(name) = text.parse() else { continue };
        match accounts.computer(name).await {
            Ok(Some(token)) => seats.push(Seat { level, token: token.reveal() }),
            Ok(None) => tracing::warn!(name = text, "the computer does not play: somebody else has its name"),
            Err(error) => {
                tracing::error!(?error, name = text, "the computer does not play: it has no account");
            }
        }
    }
    seats
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::in_memory;

    #[tokio::test]
    async fn each_level_has_one_account_however_often_it_begins() {
        let accounts = in_memory();
        assert_eq!(seats(&accounts).await.len(), 8);
        assert_eq!(seats(&accounts).await.len(), 8);
        assert_eq!(accounts.computers.count(), 8);
    }

    #[test]
    fn a_server_that_listens_everywhere_is_reached_over_loopback() {
        for (listens, reached) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:8080", "[::1]:8080"),
            ("192.0.2.1:80", "192.0.2.1:80"),
            ("127.0.0.1:9", "127.0.0.1:9"),
        ] {
            assert_eq!(reached_at(listens.parse().unwrap()).to_string(), reached);
        }
    }
}
