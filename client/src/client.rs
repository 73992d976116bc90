//! The handle of a client: what a caller asks of the account.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use futures_util::Stream;
use tokio::sync::{mpsc, oneshot};
use zeitnot_protocol::{
    AccountId, Challenge, ChallengeCommand, ChallengeId, ClientMessage, CreateChallenge, DeclineChallenge,
    DeclineReason, GameCommand, GameId, HistoryRequest, JoinPool, LobbyCommand, PlyView, PoolId, SetName,
    Welcome,
};

use crate::driver::{Ask, Driver, REQUESTS_MAX, Shared};
use crate::inbox::{EventInbox, GameInbox};
use crate::machine::{Answer, Request};
use crate::socket::Address;
use crate::time::Timeline;
use crate::{Error, Event, Game, Identity, Options, entropy};

/// A client of one server, as one account. It is cheap to clone; all clones are the same client.
///
/// A task of its own keeps the connection. It ends when the last clone, [`Game`] and [`Events`] are gone, or by
/// [`Client::close`].
///
/// # Sending again
///
/// Each command gets an id, and is sent again with it after a reconnect, and when the server says `unavailable`, until
/// it is answered. The server carries out an id once. So a command whose future gives `Ok` took effect once; with
/// [`Error::Rejected`] it changed nothing; and with any other error it may have taken effect once, or not at all.
/// To drop the future does not take the command back.
///
/// The server keeps the last 16 answers of a player in each game. At most so many commands about one game wait for
/// their answers here; one more fails with [`Error::TooManyUnanswered`].
///
/// Three commands the server may not know again, and the client looks before it sends them again. After a restart of
/// the server it has forgotten the ids of challenges that became games, and after any lost connection an account may
/// no longer wait in its pool because a game has begun. So [`create_challenge`](Client::create_challenge),
/// [`rematch`](crate::Game::rematch) and [`join_pool`](Client::join_pool) wait then for 2 s: if a game of the account
/// has appeared that can only have come from them, that is the answer. One of these is on its way at a time, and others
/// wait for it.
#[derive(Clone, Debug)]
pub struct Client {
    requests: mpsc::Sender<(Ask, oneshot::Sender<Result<Answer, Error>>)>,
    shared: Arc<Shared>,
}

/// What became of a challenge that was accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Accepted {
    /// The game has begun.
    Began(GameId),
    /// Its owner is away: it begins when both are connected. [`Client::game_of`] waits for that.
    OwnerAway(Box<Challenge>),
}

impl Client {
    /// Connects to a server, such as `ws://127.0.0.1:8080` or `wss://chess.example.org`, and waits until it knows who this is.
    ///
    /// # Errors
    /// [`Error::BadUrl`], [`Error::NoTls`], [`Error::NoCertificates`]; [`Error::Unreachable`] when there is no connection within 10 s; [`Error::Rejected`] with
    /// `bad_token`, or `too_many_guests`; [`Error::Upgrade`] and [`Error::Closed`].
    pub async fn connect(url: &str, identity: Identity) -> Result<Self, Error> {
        Self::connect_with(url, identity, Options::default()).await
    }

    /// The same with other settings.
    ///
    /// # Errors
    /// As for [`Client::connect`].
    pub async fn connect_with(url: &str, identity: Identity, options: Options) -> Result<Self, Error> {
        let address = Address::read(url)?;
        let shared = Arc::new(Shared::new(options.sound(), Timeline::begin()));
        let (requests, asked) = mpsc::channel(REQUESTS_MAX);
        let driver = Driver::new(address, identity, entropy::seed(), Arc::clone(&shared), asked);
        spawn(driver);
        let client = Self { requests, shared };
        client.request(Request::Connect).await?;
        Ok(client)
    }

    /// The token of the account. A guest's is made by the server on the first connection: a program that keeps it
    /// comes back as the same account. It is a secret. None for a spectator.
    #[must_use]
    pub fn token(&self) -> Option<String> {
        self.shared.known().token.clone()
    }

    /// The account; none for a spectator.
    #[must_use]
    pub fn account(&self) -> Option<AccountId> {
        self.welcome().account
    }

    /// What the server said when the connection was opened last: account, limits, and when it was started.
    ///
    /// # Panics
    /// Never: a client is made when it has been welcomed.
    #[must_use]
    pub fn welcome(&self) -> Arc<Welcome> {
        let welcome = self.shared.known().welcome.clone();
        welcome.expect("a client is made when it has been welcomed")
    }

    /// How long a message takes to the server and back: the least of the last eight pings.
    #[must_use]
    pub fn round_trip(&self) -> Option<Duration> {
        self.shared.known().round_trip
    }

    /// What time it is at the server now, to show `at` and `began` of its messages by the clock of this machine. None
    /// before the first ping was answered.
    #[must_use]
    pub fn server_time(&self) -> Option<SystemTime> {
        let epoch = self.shared.known().server_epoch?;
        Some(SystemTime::UNIX_EPOCH + epoch + self.shared.timeline.now())
    }

    /// The events of the account, from now on. What is open now comes first: name, challenges, pool, and each game in
    /// progress. There may be several readers, and each gets everything.
    ///
    /// # Errors
    /// When the client has stopped.
    pub async fn events(&self) -> Result<Events, Error> {
        let inbox = Arc::new(EventInbox::default());
        self.ask(Ask::Events(Arc::clone(&inbox))).await?;
        Ok(Events { _client: self.clone(), inbox, has_failed: false })
    }

    /// Opens a game: one's own, or any other to watch; in progress, or over. Its first event is a snapshot.
    ///
    /// # Errors
    /// [`Error::Rejected`] with `unknown_game`, `damaged` or `too_many_watched`; [`Error::AlreadyOpen`].
    pub async fn game(&self, game: GameId) -> Result<Game, Error> {
        let inbox = Arc::new(GameInbox::default());
        self.ask(Ask::Game(game, Arc::clone(&inbox))).await?;
        Game::new(self.clone(), game, inbox).await
    }

    /// Waits until a challenge has become a game, and opens it: one's own challenge that somebody accepts, or one that
    /// was accepted while its owner was away. It may wait for days: a caller that has other things to do reads
    /// [`Client::events`].
    ///
    /// # Errors
    /// [`Error::ChallengeGone`], and those of [`Client::game`].
    pub async fn game_of(&self, challenge: ChallengeId) -> Result<Game, Error> {
        match self.request(Request::GameOf(challenge)).await? {
            Answer::Game(game) => self.game(game).await,
            _ => Err(Error::Unreadable),
        }
    }

    /// Creates a challenge, or with `seek` one that is listed in the lobby. `to` or `to_name` says who may accept;
    /// otherwise whoever has its id. [`Client::game_of`] waits for the game.
    ///
    /// ```no_run
    /// # async fn example(client: zeitnot_client::Client) -> Result<(), zeitnot_client::Error> {
    /// use zeitnot_client::protocol::{CreateChallenge, Period, TimeControl};
    ///
    /// let three_plus_two = Period { base_ms: 180_000, increment_ms: Some(2_000), ..Period::default() };
    /// let clock = TimeControl::Clock { periods: vec![three_plus_two], black_periods: None };
    /// let wanted = CreateChallenge { to_name: Some("Castle".to_owned()), ..CreateChallenge::with(clock) };
    /// let challenge = client.create_challenge(wanted).await?;
    /// let mut game = client.game_of(challenge).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `unknown_account`, `already_challenged`, `not_accepting` or `bad_time_control`.
    pub async fn create_challenge(&self, wanted: CreateChallenge) -> Result<ChallengeId, Error> {
        self.challenged(ClientMessage::CreateChallenge(wanted)).await
    }

    /// Accepts a challenge.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `challenge_taken` or `unknown_challenge`.
    pub async fn accept_challenge(&self, challenge: ChallengeId) -> Result<Accepted, Error> {
        let accept = ChallengeCommand { challenge, id: None };
        Ok(match self.command(ClientMessage::AcceptChallenge(accept)).await? {
            Answer::Challenge(open) => Accepted::OwnerAway(open),
            _ => Accepted::Began(challenge.into()),
        })
    }

    /// Withdraws a challenge of one's own.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `challenge_taken`.
    pub async fn cancel_challenge(&self, challenge: ChallengeId) -> Result<(), Error> {
        self.done(ClientMessage::CancelChallenge(ChallengeCommand { challenge, id: None })).await
    }

    /// Declines a challenge to the account, or one that it accepted while the owner was away.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `unknown_challenge`.
    pub async fn decline_challenge(
        &self,
        challenge: ChallengeId,
        reason: DeclineReason,
    ) -> Result<(), Error> {
        self.done(ClientMessage::DeclineChallenge(DeclineChallenge { challenge, reason, id: None })).await
    }

    /// Waits in a pool for the next opponent; [`Event::Game`] tells of the game. The place in a pool ends with the
    /// connection: [`Event::Waiting`] without a pool tells of that.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `not_for_bots` or `too_many_games`.
    pub async fn join_pool(&self, pool: PoolId) -> Result<(), Error> {
        self.done(ClientMessage::JoinPool(JoinPool { pool, id: None })).await
    }

    /// Waits no longer. If an opponent was found a moment ago, the game comes all the same.
    ///
    /// # Errors
    /// When the client has stopped, or no answer came in time.
    pub async fn leave_pool(&self) -> Result<(), Error> {
        self.done(ClientMessage::LeavePool(LobbyCommand::default())).await
    }

    /// Chooses the name of the account.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `name_taken` or `bad_name`.
    pub async fn set_name(&self, name: &str) -> Result<(), Error> {
        self.done(ClientMessage::SetName(SetName { name: name.to_owned(), id: None })).await
    }

    /// From now on [`Event::Lobby`] and [`Event::LobbyNews`] tell what is open to all, over reconnects too.
    ///
    /// # Errors
    /// When the client has stopped.
    pub async fn enter_lobby(&self) -> Result<(), Error> {
        self.request(Request::Lobby(true)).await.map(drop)
    }

    /// Ends that.
    ///
    /// # Errors
    /// When the client has stopped.
    pub async fn leave_lobby(&self) -> Result<(), Error> {
        self.request(Request::Lobby(false)).await.map(drop)
    }

    /// Up to 200 plies of any game, from one on, which is counted from 1; empty when there are no more.
    ///
    /// # Errors
    /// [`Error::Rejected`] with `unknown_game`, `damaged` or `bad_field` (a `from` of 0).
    pub async fn plies(&self, game: GameId, from: u32) -> Result<Vec<PlyView>, Error> {
        match self.command(ClientMessage::History(HistoryRequest { game, from, id: None })).await? {
            Answer::History(history) => Ok(history.plies),
            _ => Err(Error::Unreadable),
        }
    }

    /// Asks the opponent of a game that is over for another one with colours swapped, or accepts that offer.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `not_over` or `already_challenged`.
    pub async fn rematch(&self, game: GameId) -> Result<ChallengeId, Error> {
        self.challenged(ClientMessage::OfferRematch(GameCommand { game, id: None })).await
    }

    /// Ends the client: the connection is closed, and whatever still waits fails with [`Error::Stopped`].
    pub async fn close(&self) {
        // One that has stopped before is closed.
        drop(self.request(Request::Stop).await);
    }

    async fn challenged(&self, message: ClientMessage) -> Result<ChallengeId, Error> {
        let game = match self.command(message).await? {
            Answer::Challenge(challenge) => return Ok(challenge.challenge),
            // It has become a game by now, which has its name.
            Answer::Ok(ok) => ok.game,
            Answer::Game(game) => Some(game),
            _ => None,
        };
        game.and_then(|game| game.as_str().parse().ok()).ok_or(Error::Unreadable)
    }

    pub(crate) async fn done(&self, message: ClientMessage) -> Result<(), Error> {
        self.command(message).await.map(drop)
    }

    pub(crate) async fn command(&self, message: ClientMessage) -> Result<Answer, Error> {
        self.request(Request::Command(Box::new(message))).await
    }

    async fn request(&self, request: Request) -> Result<Answer, Error> {
        self.ask(Ask::Request(request)).await
    }

    async fn ask(&self, ask: Ask) -> Result<Answer, Error> {
        let (reply, answer) = oneshot::channel();
        let has_stopped = || self.shared.known().end.clone().unwrap_or(Error::Stopped);
        self.requests.send((ask, reply)).await.map_err(|_| has_stopped())?;
        answer.await.unwrap_or_else(|_| Err(has_stopped()))
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }
}

#[expect(clippy::disallowed_methods, reason = "the one task of a client, which ends with it")]
fn spawn(driver: Driver) {
    tokio::spawn(driver.run());
}

/// The events of the account: see [`Client::events`]. It is a [`Stream`], too, which ends after its first error.
#[derive(Debug)]
pub struct Events {
    /// The client lives as long as somebody reads its events.
    _client: Client,
    inbox: Arc<EventInbox>,
    has_failed: bool,
}

impl Events {
    /// The next event.
    ///
    /// # Errors
    /// Why nothing more will come.
    pub async fn next(&mut self) -> Result<Event, Error> {
        std::future::poll_fn(|cx| self.inbox.poll_next(cx)).await
    }
}

impl Stream for Events {
    type Item = Result<Event, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.has_failed {
            return Poll::Ready(None);
        }
        let next = self.inbox.poll_next(cx);
        self.has_failed = matches!(next, Poll::Ready(Err(_)));
        next.map(Some)
    }
}
