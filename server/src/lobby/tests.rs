//! The lobby as it runs, in virtual time and without sockets: pairing rounds, games that cannot begin,
//! accounts that come and go.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use zeitnot_protocol::{
    AccountId, ChallengeCommand, ChallengeId, CreateChallenge, GameId, JoinPool, LobbyCommand, Period,
    PoolId, ServerMessage, TimeControl, Waiting, WireColor, decode_server,
};

use super::{Lobby, LobbyRequest};
use crate::accounts::{Person, Requester, Token};
use crate::connections::{Inbox, ToSession};
use crate::server::Server;
use crate::storage::{Fault, MemoryStore};
use crate::time::ServiceInstant;

const BLITZ: PoolId = PoolId::ThreePlusTwo;
const NOWHERE: Waiting = Waiting { pool: None, game: None };

/// The lobby of a server, and the journal of its games.
struct TestLobby {
    server: Server,
    journal: Arc<MemoryStore>,
}

/// A connection of an account that only listens.
pub(super) struct Tab {
    inbox: Inbox,
    pub(super) requester: Requester,
}

/// What a connection was told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    Ok,
    Rejected(&'static str),
    Waiting(Waiting),
    Begun(GameId),
    Challenge(ChallengeId),
    Gone(ChallengeId),
}

impl TestLobby {
    fn new() -> Self {
        let journal = Arc::new(MemoryStore::default());
        Self { server: Server::on(Arc::clone(&journal)), journal }
    }

    fn tab(&self, number: u128) -> Tab {
        Tab::of(&self.server, number)
    }

    /// Another connection of the same account.
    fn again(&self, tab: &Tab) -> Tab {
        Tab::enter(&self.server, tab.requester.person.account)
    }

    fn shell(&self) -> &Arc<Lobby> {
        &self.server.sessions.lobby
    }

    fn join(&self, tab: &Tab, pool: PoolId) {
        let wanted = JoinPool { pool, id: None };
        self.shell().ask(tab.requester.clone(), LobbyRequest::JoinPool(wanted));
    }

    /// Accepts a challenge, and lets everything happen that needs no time.
    async fn accept(&self, tab: &Tab, challenge: ChallengeId) {
        let wanted = ChallengeCommand { challenge, id: None };
        self.shell().ask(tab.requester.clone(), LobbyRequest::Accept(wanted));
        settled().await;
    }

    async fn seek(&self, tab: &Tab) -> ChallengeId {
        self.seek_for(tab, CreateChallenge::with(TimeControl::Unlimited)).await
    }

    async fn seek_for(&self, tab: &Tab, wanted: CreateChallenge) -> ChallengeId {
        let wanted = CreateChallenge { seek: true, ..wanted };
        self.shell().ask(tab.requester.clone(), LobbyRequest::Create(wanted));
        settled().await;
        match tab.heard()[..] {
            [Told::Challenge(id)] => id,
            ref other => panic!("{other:?}"),
        }
    }

    /// The connection is closed: whether it was the account's last.
    fn close(&self, tab: &Tab) -> bool {
        let Requester { person, connection, .. } = tab.requester;
        self.server.sessions.connections.close(connection, Some(person.account))
    }

    fn seeks(&self) -> usize {
        self.shell().machine().newest_seeks().count()
    }
}

impl Tab {
    /// A connection of a new account.
    pub(super) fn of(server: &Server, number: u128) -> Self {
        let account = AccountId::from_u128(number);
        let token = Token::from_random([number as u8; 32]);
        let made = server.sessions.accounts.create(account, &token).now_or_never();
        assert_eq!(made, Some(Ok(())), "in memory that is done at once");
        Self::enter(server, account)
    }

    /// A connection of an account.
    pub(super) fn enter(server: &Server, account: AccountId) -> Self {
        let (inbox, connections) = (Inbox::default(), &server.sessions.connections);
        let address = std::net::IpAddr::from([192, 0, 2, 1]).into();
        let connection = connections.open(&inbox.outbox(), address);
        connections.enter(account, None, connection, inbox.outbox()).unwrap();
        let (person, outbox) = (Person::guest(account), inbox.outbox());
        Self { inbox, requester: Requester { person, connection, address, outbox } }
    }

    pub(super) fn heard(&self) -> Vec<Told> {
        std::iter::from_fn(|| self.inbox.pop()).filter_map(told).collect()
    }
}

fn told(message: ToSession) -> Option<Told> {
    Some(match message {
        ToSession::GameStarted { game, .. } => Told::Begun(game),
        ToSession::Text(text) => match decode_server(&text).unwrap() {
            ServerMessage::Ok(_) => Told::Ok,
            ServerMessage::Rejected(rejected) => Told::Rejected(rejected.code.as_str()),
            ServerMessage::Waiting(waiting) => Told::Waiting(waiting),
            ServerMessage::Challenge(challenge) => Told::Challenge(challenge.challenge),
            ServerMessage::ChallengeGone(gone) => Told::Gone(gone.challenge),
            other => panic!("{other:?}"),
        },
        _ => return None,
    })
}

/// What the pool plays, as a client may write it.
fn blitz() -> CreateChallenge {
    let period = Period { base_ms: 180_000, increment_ms: Some(2_000), ..Period::default() };
    CreateChallenge::with(TimeControl::Clock { periods: vec![period], black_periods: None })
}

fn in_blitz() -> Told {
    Told::Waiting(Waiting { pool: Some(BLITZ), game: None })
}

/// Lets every task go as far as it can without the time going on.
async fn settled() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

async fn after(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

#[tokio::test(start_paused = true)]
async fn pairs_come_in_rounds() {
    let lobby = TestLobby::new();
    let (one, two) = (lobby.tab(1), lobby.tab(2));
    lobby.join(&one, BLITZ);
    lobby.join(&two, BLITZ);
    assert_eq!(one.heard(), [Told::Ok, in_blitz()]);
    after(490).await;
    assert_eq!(one.heard(), []);
    after(20).await;
    let heard = one.heard();
    let [Told::Begun(game), Told::Waiting(waiting)] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(waiting, &Waiting { pool: None, game: Some(*game) });
    assert_eq!(two.heard()[2..], heard);
    after(1_000).await;
    assert_eq!(lobby.server.sessions.tasks.count(), 1, "there is the game's actor, and no pairing round");
}

#[tokio::test(start_paused = true)]
async fn who_gets_no_game_keeps_the_place() {
    let lobby = TestLobby::new();
    let (one, two) = (lobby.tab(1), lobby.tab(2));
    lobby.journal.inject([Some(Fault::Failed), Some(Fault::Failed)]);
    lobby.join(&one, BLITZ);
    lobby.join(&two, BLITZ);
    assert_eq!(one.heard().len(), 2);
    after(1_100).await;
    assert_eq!(one.heard(), [], "two rounds came to nothing, and nobody is told");
    after(500).await;
    assert!(matches!(one.heard()[..], [Told::Begun(_), Told::Waiting(_)]));
    assert_eq!(lobby.server.sessions.games.live_count(one.requester.person.account), 1);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_paired_twice_while_a_game_is_being_started() {
    let lobby = TestLobby::new();
    let (one, two, three) = (lobby.tab(1), lobby.tab(2), lobby.tab(3));
    lobby.journal.inject([Some(Fault::Delayed)]);
    lobby.join(&one, BLITZ);
    lobby.join(&two, BLITZ);
    after(600).await;
    // Leaving and joining again does not free anybody.
    lobby.shell().ask(one.requester.clone(), LobbyRequest::LeavePool(LobbyCommand { id: None }));
    lobby.join(&one, BLITZ);
    lobby.join(&three, BLITZ);
    one.heard();
    after(2_000).await;
    assert_eq!((one.heard(), three.heard().len()), (vec![], 2));
    lobby.journal.release();
    after(600).await;
    assert!(matches!(one.heard()[..], [Told::Begun(_), Told::Waiting(_)]));
    assert_eq!(three.heard(), [], "the place of the first is gone with its game");
    assert_eq!(lobby.server.sessions.games.live_count(one.requester.person.account), 1);
}

#[tokio::test(start_paused = true)]
async fn who_leaves_in_the_moment_of_a_pairing_gets_the_game_all_the_same() {
    let lobby = TestLobby::new();
    let (one, two) = (lobby.tab(1), lobby.tab(2));
    lobby.journal.inject([Some(Fault::Delayed)]);
    lobby.join(&one, BLITZ);
    lobby.join(&two, BLITZ);
    after(600).await;
    lobby.shell().ask(one.requester.clone(), LobbyRequest::LeavePool(LobbyCommand { id: None }));
    assert_eq!(one.heard()[2..], [Told::Ok, Told::Waiting(NOWHERE)]);
    lobby.journal.release();
    after(10).await;
    assert!(matches!(
        one.heard()[..],
        [Told::Begun(_), Told::Waiting(Waiting { pool: None, game: Some(_) })]
    ));
}

#[tokio::test(start_paused = true)]
async fn two_who_have_just_played_wait_for_others_a_while() {
    let lobby = TestLobby::new();
    let (one, two) = (lobby.tab(1), lobby.tab(2));
    for _ in 0..2 {
        lobby.join(&one, BLITZ);
        lobby.join(&two, BLITZ);
        after(600).await;
    }
    assert_eq!(lobby.server.sessions.games.live_count(one.requester.person.account), 1);
    after(5_000).await;
    let players = lobby.server.sessions.games.live_of(one.requester.person.account);
    let mut whites = players.iter().map(|game| game.players().white).collect::<Vec<_>>();
    whites.sort_unstable();
    assert_eq!(whites, [one.requester.person.account, two.requester.person.account], "each has had White");
}

#[tokio::test(start_paused = true)]
async fn a_place_ends_with_the_last_connection_unless_another_one_has_opened() {
    let lobby = TestLobby::new();
    let (first, second) = (lobby.tab(1), lobby.tab(1));
    lobby.join(&first, BLITZ);
    assert!(!lobby.close(&first));
    assert!(lobby.close(&second));
    let third = lobby.tab(1);
    lobby.shell().connected(
        third.requester.person.account,
        third.requester.connection,
        third.requester.address,
    );
    lobby.shell().last_connection_closed(third.requester.person.account);
    assert_eq!(third.heard(), [in_blitz()], "it came before that was noticed");
    lobby.close(&third);
    lobby.shell().last_connection_closed(third.requester.person.account);
    let fourth = lobby.tab(1);
    lobby.shell().connected(
        fourth.requester.person.account,
        fourth.requester.connection,
        fourth.requester.address,
    );
    assert_eq!(fourth.heard(), []);
}

#[tokio::test(start_paused = true)]
async fn a_challenge_waits_for_its_time_whether_or_not_its_owner_is_connected() {
    let lobby = TestLobby::new();
    let first = lobby.tab(1);
    let wanted = CreateChallenge::with(TimeControl::Unlimited);
    lobby.shell().ask(first.requester.clone(), LobbyRequest::Create(wanted));
    settled().await;
    let [Told::Challenge(id)] = first.heard()[..] else { panic!("it is open") };
    lobby.close(&first);
    lobby.shell().last_connection_closed(first.requester.person.account);
    after(86_399_000).await;
    assert!(lobby.shell().view(id).is_some());
    let second = lobby.tab(1);
    lobby.shell().connected(
        second.requester.person.account,
        second.requester.connection,
        second.requester.address,
    );
    assert_eq!(second.heard(), [Told::Challenge(id)]);
    after(2_000).await;
    assert!(lobby.shell().view(id).is_none(), "its time has come");
}

#[tokio::test(start_paused = true)]
async fn a_seek_that_could_not_be_played_is_open_again_but_not_when_its_owner_has_gone() {
    let lobby = TestLobby::new();
    let (owner, other) = (lobby.tab(1), lobby.tab(2));
    let challenge = lobby.seek(&owner).await;
    lobby.journal.inject([Some(Fault::Failed), Some(Fault::Failed)]);
    lobby.accept(&other, challenge).await;
    assert_eq!((other.heard(), lobby.seeks()), (vec![Told::Rejected("unavailable")], 1));
    let wanted = ChallengeCommand { challenge, id: None };
    lobby.shell().ask(other.requester.clone(), LobbyRequest::Accept(wanted));
    assert_eq!(lobby.seeks(), 0, "it is being accepted");
    lobby.close(&owner);
    lobby.shell().last_connection_closed(owner.requester.person.account);
    settled().await;
    assert_eq!(lobby.seeks(), 0);
    lobby.accept(&other, challenge).await;
    assert_eq!(other.heard(), [Told::Rejected("unavailable"), Told::Rejected("challenge_cancelled")]);
}

#[tokio::test(start_paused = true)]
async fn accepting_again_waits_for_what_the_first_time_comes_to() {
    let lobby = TestLobby::new();
    let (owner, one) = (lobby.tab(1), lobby.tab(2));
    let (two, third) = (lobby.again(&one), lobby.tab(3));
    let challenge = lobby.seek(&owner).await;
    lobby.journal.inject([Some(Fault::Delayed)]);
    lobby.accept(&one, challenge).await;
    lobby.accept(&two, challenge).await;
    assert_eq!((one.heard(), two.heard()), (vec![], vec![]), "both wait");
    lobby.accept(&third, challenge).await;
    assert_eq!(third.heard(), [Told::Rejected("unknown_challenge")]);
    after(10).await;
    lobby.journal.release();
    settled().await;
    let game = GameId::from(challenge);
    for tab in [&one, &two] {
        assert_eq!(tab.heard()[..2], [Told::Gone(challenge), Told::Begun(game)]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_game_out_of_a_pool_ends_seeking() {
    let lobby = TestLobby::new();
    let (one, two) = (lobby.tab(1), lobby.tab(2));
    let seek = lobby.seek(&one).await;
    lobby.join(&one, BLITZ);
    lobby.join(&two, BLITZ);
    after(600).await;
    assert_eq!(lobby.seeks(), 0);
    assert_eq!(one.heard().last(), Some(&Told::Gone(seek)));
}

#[tokio::test(start_paused = true)]
async fn who_waits_gets_the_open_game_that_is_just_what_the_pool_plays() {
    let lobby = TestLobby::new();
    let (owner, other) = (lobby.tab(1), lobby.tab(2));
    let seek = lobby.seek_for(&owner, blitz()).await;
    lobby.join(&other, PoolId::FivePlusThree);
    after(1_100).await;
    assert_eq!((other.heard().len(), lobby.seeks()), (2, 1), "another pool plays something else");
    lobby.join(&other, BLITZ);
    after(600).await;
    let game = GameId::from(seek);
    let nowhere = Told::Waiting(Waiting { pool: None, game: Some(game) });
    assert_eq!(other.heard()[2..], [nowhere, Told::Gone(seek), Told::Begun(game)]);
    assert_eq!((owner.heard(), lobby.seeks()), (vec![Told::Gone(seek), Told::Begun(game)], 0));
}

#[tokio::test(start_paused = true)]
async fn an_open_game_with_a_wish_and_ones_own_are_not_joined_out_of_a_pool() {
    let lobby = TestLobby::new();
    let (owner, other) = (lobby.tab(1), lobby.tab(2));
    lobby.seek_for(&owner, CreateChallenge { color: Some(WireColor::White), ..blitz() }).await;
    lobby.seek_for(&other, blitz()).await;
    lobby.join(&other, BLITZ);
    after(1_100).await;
    assert_eq!((other.heard(), lobby.seeks()), (vec![Told::Ok, in_blitz()], 2));
    lobby.join(&owner, BLITZ);
    after(600).await;
    let heard = other.heard();
    assert!(
        matches!(heard[..], [Told::Begun(_), Told::Waiting(_), Told::Gone(_)]),
        "two who wait come first: {heard:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_open_game_that_a_pool_has_led_to_is_nobody_elses() {
    let lobby = TestLobby::new();
    let (owner, other, third) = (lobby.tab(1), lobby.tab(2), lobby.tab(3));
    let seek = lobby.seek_for(&owner, blitz()).await;
    lobby.journal.inject([Some(Fault::Delayed)]);
    lobby.join(&other, BLITZ);
    after(600).await;
    lobby.accept(&third, seek).await;
    lobby.accept(&other, seek).await;
    assert_eq!(third.heard(), [Told::Rejected("unknown_challenge")]);
    lobby.journal.release();
    after(10).await;
    assert!(other.heard().ends_with(&[Told::Gone(seek), Told::Begun(GameId::from(seek))]));
}

#[tokio::test(start_paused = true)]
async fn nothing_begins_when_the_server_stops() {
    let lobby = TestLobby::new();
    let one = lobby.tab(1);
    lobby.join(&one, BLITZ);
    lobby.server.stop().await;
    one.heard();
    lobby.join(&one, BLITZ);
    assert_eq!(one.heard(), [Told::Rejected("unavailable")]);
    assert_eq!(lobby.server.sessions.tasks.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn the_lobby_is_looked_at_twice_a_second_while_somebody_is_there() {
    let lobby = TestLobby::new();
    let listener = Inbox::default();
    assert_eq!(lobby.server.sessions.tasks.count(), 0, "nobody is there, nobody looks");
    let place = lobby.shell().enter(listener.outbox());
    let mut cursor = lobby.shell().subscribers.whole(None, ServiceInstant(0)).seq();
    let mut frames = 0;
    for (number, &pool) in (0..).zip(PoolId::ALL) {
        lobby.join(&lobby.tab(number), pool);
        after(100).await;
        let pulled = lobby.shell().subscribers.pull(cursor, |_| frames += 1);
        cursor = pulled.expect("the ring is longer than that");
    }
    assert_eq!(frames, 2, "eleven came within 1.1 s");
    assert!(listener.signals().notified);
    drop(place);
    assert_eq!(lobby.server.sessions.tasks.count(), 3, "one looks, one wakes, and a pairing round is due");
    after(1_000).await;
    assert_eq!(lobby.server.sessions.tasks.count(), 1);
}
