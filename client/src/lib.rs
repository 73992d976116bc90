//! A client of Zeitnot for authors of bots and tools.
//!
//! It speaks the server's WebSocket protocol (`docs/protocol.md`) and takes care of what every program needs: it keeps
//! the connection and comes back after a lost one, resumes games so that no event is lost or comes twice, sends
//! commands again until they are answered so that none is lost and none takes effect twice, answers pings, and knows
//! what both clocks show. Programs see typed events, commands and errors; the types of messages are those of
//! [`protocol`].
//!
//! # A bot
//!
//! This is a whole one. It waits for somebody who accepts its challenge, and plays the first legal move that it is
//! told.
//!
//! ```
//! use zeitnot_client::protocol::{CreateChallenge, TimeControl};
//! use zeitnot_client::{Client, Error, GameEvent, Identity};
//!
//! async fn bot(url: &str) -> Result<(), Error> {
//!     let client = Client::connect(url, Identity::Guest).await?;
//!     let challenge = client.create_challenge(CreateChallenge::with(TimeControl::Unlimited)).await?;
//!     println!("challenge {challenge}");
//! #   opponent(url, challenge);
//!     let mut game = client.game_of(challenge).await?;
//!     while let Some(event) = game.next().await? {
//!         match event {
//!             GameEvent::Turn(turn) => match game.play(turn.legal[0]).await {
//!                 Err(Error::Rejected { code, .. }) => println!("rejected: {code:?}"),
//!                 played => drop(played?),
//!             },
//!             GameEvent::DrawOffered(_) => {
//!                 if let Some(offer) = game.state().draw_offer_to_me() {
//!                     game.accept_draw(offer.seq).await.ok();
//!                 }
//!             }
//!             GameEvent::Ended(ended) => println!("{:?}", ended.outcome),
//!             _ => {}
//!         }
//!     }
//! #   assert!(game.state().outcome.is_some() && game.state().ply_count > 0);
//!     Ok(())
//! }
//! #
//! # fn opponent(url: &str, challenge: zeitnot_client::protocol::ChallengeId) {
//! #     let url = url.to_owned();
//! #     tokio::spawn(async move {
//! #         let client = Client::connect(&url, Identity::Guest).await.unwrap();
//! #         client.accept_challenge(challenge).await.unwrap();
//! #         let mut game = client.game_of(challenge).await.unwrap();
//! #         while let Some(event) = game.next().await.unwrap() {
//! #             match event {
//! #                 GameEvent::Turn(_) if game.state().ply_count > 40 => drop(game.resign().await),
//! #                 GameEvent::Turn(turn) => drop(game.play(*turn.legal.last().unwrap()).await),
//! #                 _ => {}
//! #             }
//! #         }
//! #     });
//! # }
//! #
//! # #[tokio::main]
//! # async fn main() {
//! #     let config = zeitnot_server::Config::for_tests();
//! #     let listener = zeitnot_server::listener::bind(config.listen).unwrap().listen().unwrap();
//! #     let url = format!("ws://{}", listener.local_addr().unwrap());
//! #     let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
//! #     tokio::spawn(zeitnot_server::run(config, listener, async move { drop(stopped.await) }));
//! #     tokio::time::timeout(std::time::Duration::from_secs(120), bot(&url)).await.unwrap().unwrap();
//! #     drop(stop);
//! # }
//! ```
//!
//! # Where the server is
//!
//! At a URL such as `ws://127.0.0.1:8080`, or `wss://chess.example.org` where a proxy with TLS stands before it. Trusted
//! are the certificates that the system trusts, or those in the file that `SSL_CERT_FILE` names. A program that needs
//! no `wss://` leaves the feature `tls` out, which is on by default.
//!
//! # Who a client is
//!
//! [`Identity`] says it. A new guest's token is at [`Client::token`]: a program that keeps it comes back as the same
//! account, with its games. A bot that others find by its name has an account with a password, and an API token with
//! the scopes `play`, `challenge` and `bot`; `docs/protocol.md` says how one is made.
//!
//! # Games begin
//!
//! By [`Client::create_challenge`], [`Client::accept_challenge`], [`Client::join_pool`] and [`Client::rematch`].
//! [`Client::game_of`] waits for the game of one challenge. A program that plays whoever comes reads
//! [`Client::events`]: [`Event::Challenge`] tells of challenges to it, and [`Event::Game`] of each game that begins, or
//! that was in progress when the program was started.
//!
//! ```no_run
//! # use zeitnot_client::{Client, Error, Event, Game, Identity};
//! # async fn play(game: Game) -> Result<(), Error> { Ok(()) }
//! # async fn example(url: &str, token: String) -> Result<(), Error> {
//! let client = Client::connect(url, Identity::Token(token)).await?;
//! let mut events = client.events().await?;
//! loop {
//!     match events.next().await? {
//!         Event::Challenge(challenge) if challenge.to == client.account() => {
//!             client.accept_challenge(challenge.challenge).await.ok();
//!         }
//!         Event::Game(game) => {
//!             tokio::spawn(play(client.game(game).await?));
//!         }
//!         _ => {}
//!     }
//! }
//! # }
//! ```
//!
//! # A game
//!
//! [`Client::game`] opens any game, to play or to watch. [`Game::next`] gives its events: first the game as it stands,
//! then each event of the game once and in order, and [`GameEvent::Turn`] whenever the account is to move.
//! [`Game::state`] is the game after what was read, and every command is about that. So a program that moves in a
//! position which is no longer on the board is told so (`stale`), and nothing happens.
//!
//! # Clocks
//!
//! [`Game::clocks`] gives both clocks, which go on running: [`Clocks::left`] says what a side has left now, and
//! [`Clocks::left_at`] at any instant. The client measures the way to the server and reckons with it, with the
//! delay, and with what the server is likely to forgive for the network. [`Client::server_time`] is the server's time
//! of day.
//!
//! # When the connection is lost
//!
//! The client notices a dead connection after 7.5 s without a frame. It comes back after the time that the server
//! said, or else after about a second, and waits longer from try to try. Callers need not do anything: what they
//! wait for comes later, and [`Event::Disconnected`] and [`Event::Connected`] are for those who want to show it. Only
//! what ends a client is an error: a token that was revoked, or a connection that the server closed for good.
//!
//! # When a caller does not read
//!
//! The client never waits for its callers, and keeps a bounded number of events for each: see
//! [`Options::game_buffer`] and [`Options::event_buffer`]. Of a game, nothing is lost: what there is no room for is
//! asked for later. Of chat the last 100 lines wait, and of turns, presence and the number of watchers the last one.
//!
//! # Instants
//!
//! The client runs on a tokio runtime with time and I/O, and takes its time from tokio.
#![deny(missing_docs)]

mod client;
mod clocks;
mod driver;
mod entropy;
mod error;
mod event;
mod game;
mod identity;
mod inbox;
mod machine;
mod options;
mod socket;
mod state;
mod time;
mod transport;

pub use zeitnot_protocol as protocol;

pub use client::{Accepted, Client, Events};
pub use clocks::Clocks;
pub use error::Error;
pub use event::{Event, GameEvent};
pub use game::Game;
pub use identity::Identity;
pub use options::Options;
pub use state::GameState;
