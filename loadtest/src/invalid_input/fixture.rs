//! What forbidden commands are about: a game in progress, a game that has ended, a challenge, and
//! three accounts.
//!
//! Invariant: no invalid input changes any of it; [`Fixture::check_untouched`] verifies this.

use anyhow::{Context, Result, bail, ensure};
use zeitnot_protocol::{
    AccountId, ChallengeId, ClientMessage, CreateChallenge, GameCommand, GameId, Hello, PlayMove,
    ServerMessage, Snapshot, Watch, WireColor,
};

use crate::endpoint::Endpoint;
use crate::player;
use crate::wire::Socket;

/// The source address of these sockets differs from that of the senders.
const FIRST_INDEX: usize = 80_000;

/// The set fixture.
#[derive(Debug)]
pub(super) struct Fixture {
    /// White is to move after 1. e4 e5 and has offered a draw.
    pub(super) game: GameId,
    /// The event that led to its position.
    pub(super) on: u32,
    /// The event of the draw offer.
    pub(super) offer: u32,
    /// A game that White has resigned.
    pub(super) over: GameId,
    /// White's challenge to Black.
    pub(super) challenge: ChallengeId,
    /// The tokens of White, of Black and of a third account.
    pub(super) tokens: [String; 3],
    /// Sockets of White and Black: they keep the players present and the challenge open.
    _players: [Socket; 2],
    before: Snapshot,
}

impl Fixture {
    /// Creates the accounts and plays the games.
    pub(super) fn create(endpoint: &Endpoint) -> Result<Self> {
        let (mut white, white_token, _) = guest(endpoint, 0)?;
        let (mut black, black_token, black_account) = guest(endpoint, 1)?;
        let (_, other_token, _) = guest(endpoint, 2)?;
        let over = player::start_game(&mut white, &mut black)?;
        player::end_game(&mut white, &mut black, over)?;
        let game = player::start_game(&mut white, &mut black)?;
        play(&mut white, game, 1, "e2e4")?;
        let on = play(&mut black, game, 2, "e7e5")?;
        player::send(&mut white, &ClientMessage::OfferDraw(GameCommand { game, id: None }))?;
        let offer = ok_seq(&mut white, |seq| seq > on)?;
        let challenge = CreateChallenge { to: Some(black_account), ..player::challenge(WireColor::White) };
        player::send(&mut white, &ClientMessage::CreateChallenge(challenge))?;
        let made = player::receive(&mut white, |message| matches!(message, ServerMessage::Challenge(_)))?;
        let ServerMessage::Challenge(made) = made else {
            bail!("create_challenge was not answered with challenge")
        };
        Ok(Self {
            game,
            on,
            offer,
            over,
            challenge: made.challenge,
            tokens: [white_token, black_token, other_token],
            _players: [white, black],
            before: snapshot(endpoint, game)?,
        })
    }

    /// Checks that the game in progress is unchanged: the same events, position and draw offer.
    pub(super) fn check_untouched(&self, endpoint: &Endpoint) -> Result<()> {
        let now = snapshot(endpoint, self.game)?;
        ensure!(now == self.before, "the game has changed: it was {:?}, it is {now:?}", self.before);
        Ok(())
    }
}

/// An id that no game has.
pub(super) fn no_game() -> GameId {
    "000000000000".parse().expect("twelve digits are an id")
}

fn guest(endpoint: &Endpoint, number: usize) -> Result<(Socket, String, AccountId)> {
    let hello = Hello { guest: true, token: None };
    let (socket, welcome) = player::connect_as(endpoint, FIRST_INDEX + number, hello)?;
    let token = welcome.token.context("welcome shows no token")?;
    Ok((socket, token, welcome.account.context("welcome names no account")?))
}

fn play(socket: &mut Socket, game: GameId, on: u32, uci: &str) -> Result<u32> {
    let uci = uci.parse().context("a move in UCI")?;
    player::send(socket, &ClientMessage::Move(PlayMove { game, on, uci, id: None }))?;
    ok_seq(socket, |seq| seq > on)
}

/// Waits for an `ok` with a wanted `seq`.
fn ok_seq(socket: &mut Socket, wanted: impl Fn(u32) -> bool) -> Result<u32> {
    let answer = player::receive(
        socket,
        |message| matches!(message, ServerMessage::Ok(ok) if ok.seq.is_some_and(&wanted)),
    )?;
    match answer {
        ServerMessage::Ok(ok) => ok.seq.context("an ok without seq"),
        other => bail!("received {} instead of ok", other.to_text()),
    }
}

/// The game as a new spectator sees it.
fn snapshot(endpoint: &Endpoint, game: GameId) -> Result<Snapshot> {
    let mut socket = player::connect(endpoint, FIRST_INDEX, false)?;
    player::send(&mut socket, &ClientMessage::Watch(Watch { game, after: None, id: None }))?;
    match player::receive(&mut socket, |message| matches!(message, ServerMessage::Snapshot(_)))? {
        ServerMessage::Snapshot(snapshot) => Ok(snapshot),
        other => bail!("watch was answered with {}", other.to_text()),
    }
}
