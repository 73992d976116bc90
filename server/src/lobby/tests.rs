//! The lobby as it runs, in virtual time and without sockets: waves, games that cannot begin, people who come and go.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use zeitnot_protocol::{
    AccountId, ChallengeCommand, ChallengeId, CreateChallenge, GameId, JoinPool, PoolId, ServerMessage,
    TimeControl, Waiting, decode_server,
};

use super::subscribers::Pulled;
use super::{accept, create, enter, join_pool, leave_pool, left, tell_waiting};
use crate::accounts::{Requester, Token};
use crate::connections::{Inbox, ToSession};
use crate::server::Server;
use crate::storage::{Fault, MemoryStore};

const BLITZ: PoolId = PoolId::ThreePlusTwo;
const NOWHERE: Waiting = Waiting { pool: None, game: None };

/// A server, and the journal behind it.
struct House {
    server: Arc<Server>,
    journal: Arc<MemoryStore>,
}

/// A connection of an account that only listens.
struct Tab {
    inbox: Inbox,
    requester: Requester,
}

/// What a connection was told.
#[derive(Debug, PartialEq, Eq)]
enum Told {
    Ok,
    Refused(&'static str),
    Waiting(Waiting),
    Begun(GameId),
    Challenge(ChallengeId),
    Gone(ChallengeId),
}

impl House {
    fn new() -> Self {
        let journal = Arc::new(MemoryStore::default());
        Self { server: Server::on(Arc::clone(&journal)), journal }
    }

    fn tab(&self, number: u128) -> Tab {
        let inbox = Inbox::default();
        let account = AccountId::from_u128(number);
        let token = Token::from_random([number as u8; 32]);
        let made = self.server.accounts.create(account, &token).now_or_never();
        assert_eq!(made, Some(Ok(())), "in memory that is done at once");
        self.enter(account, inbox)
    }

    /// Another connection of the same account.
    fn again(&self, tab: &Tab) -> Tab {
        self.enter(tab.requester.account, Inbox::default())
    }

    fn enter(&self, account: AccountId, inbox: Inbox) -> Tab {
        let connection = self.server.connections.open(&inbox.outbox());
        self.server.connections.enter(account, connection, inbox.outbox()).unwrap();
        let requester = Requester { account, name: None, connection, outbox: inbox.outbox() };
        Tab { inbox, requester }
    }

    fn join(&self, tab: &Tab, pool: PoolId) {
        join_pool(&self.server, &tab.requester, &JoinPool { pool, id: None });
    }

    async fn seek(&self, tab: &Tab) -> ChallengeId {
        let wanted = CreateChallenge { seek: true, ..CreateChallenge::with(TimeControl::Unlimited) };
        create(Arc::clone(&self.server), tab.requester.clone(), wanted).await;
        match tab.heard()[..] {
            [Told::Challenge(id)] => id,
            ref other => panic!("{other:?}"),
        }
    }

    /// The connection is closed: whether it was the account's last.
    fn close(&self, tab: &Tab) -> bool {
        let Requester { account, connection, .. } = tab.requester;
        self.server.connections.close(connection, Some(account))
    }

    fn seeks(&self) -> usize {
        self.server.lobby.challenges().newest_seeks().count()
    }
}

impl Tab {
    fn heard(&self) -> Vec<Told> {
        std::iter::from_fn(|| self.inbox.pop()).filter_map(told).collect()
    }
}

fn told(message: ToSession) -> Option<Told> {
    Some(match message {
        ToSession::GameStarted { game, .. } => Told::Begun(game),
        ToSession::Text(text) => match decode_server(&text).unwrap() {
            ServerMessage::Ok(_) => Told::Ok,
            ServerMessage::Rejected(rejected) => Told::Refused(rejected.code.as_str()),
            ServerMessage::Waiting(waiting) => Told::Waiting(waiting),
            ServerMessage::Challenge(challenge) => Told::Challenge(challenge.challenge),
            ServerMessage::ChallengeGone(gone) => Told::Gone(gone.challenge),
            other => panic!("{other:?}"),
        },
        _ => return None,
    })
}

fn in_blitz() -> Told {
    Told::Waiting(Waiting { pool: Some(BLITZ), game: None })
}

async fn after(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

#[tokio::test(start_paused = true)]
async fn pairs_come_in_waves() {
    let house = House::new();
    let (one, two) = (house.tab(1), house.tab(2));
    house.join(&one, BLITZ);
    house.join(&two, BLITZ);
    assert_eq!(one.heard(), [Told::Ok, in_blitz()]);
    after(490).await;
    assert_eq!(one.heard(), []);
    after(20).await;
    let heard = one.heard();
    let [Told::Begun(game), Told::Waiting(waiting)] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(waiting, &Waiting { pool: None, game: Some(*game) });
    assert_eq!(two.heard()[2..], heard);
    after(1_000).await;
    assert_eq!(house.server.tasks.count(), 1, "there is the game's actor, and no wave");
}

#[tokio::test(start_paused = true)]
async fn who_gets_no_game_keeps_the_place() {
    let house = House::new();
    let (one, two) = (house.tab(1), house.tab(2));
    house.journal.inject([Some(Fault::Failed), Some(Fault::Failed)]);
    house.join(&one, BLITZ);
    house.join(&two, BLITZ);
    assert_eq!(one.heard().len(), 2);
    after(1_100).await;
    assert_eq!(one.heard(), [], "two waves came to nothing, and nobody hears of that");
    after(500).await;
    assert!(matches!(one.heard()[..], [Told::Begun(_), Told::Waiting(_)]));
    assert_eq!(house.server.games.live_count(one.requester.account), 1);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_paired_twice_while_a_game_is_being_started() {
    let house = House::new();
    let (one, two, three) = (house.tab(1), house.tab(2), house.tab(3));
    house.journal.inject([Some(Fault::Delayed)]);
    house.join(&one, BLITZ);
    house.join(&two, BLITZ);
    after(600).await;
    // Leaving and joining again does not free anybody.
    leave_pool(&house.server, &one.requester, None);
    house.join(&one, BLITZ);
    house.join(&three, BLITZ);
    one.heard();
    after(2_000).await;
    assert_eq!((one.heard(), three.heard().len()), (vec![], 2));
    house.journal.release();
    after(600).await;
    assert!(matches!(one.heard()[..], [Told::Begun(_), Told::Waiting(_)]));
    assert_eq!(three.heard(), [], "the place of the first is gone with its game");
    assert_eq!(house.server.games.live_count(one.requester.account), 1);
}

#[tokio::test(start_paused = true)]
async fn who_leaves_in_the_moment_of_a_pairing_gets_the_game_all_the_same() {
    let house = House::new();
    let (one, two) = (house.tab(1), house.tab(2));
    house.journal.inject([Some(Fault::Delayed)]);
    house.join(&one, BLITZ);
    house.join(&two, BLITZ);
    after(600).await;
    leave_pool(&house.server, &one.requester, None);
    assert_eq!(one.heard()[2..], [Told::Ok, Told::Waiting(NOWHERE)]);
    house.journal.release();
    after(10).await;
    assert!(matches!(
        one.heard()[..],
        [Told::Begun(_), Told::Waiting(Waiting { pool: None, game: Some(_) })]
    ));
}

#[tokio::test(start_paused = true)]
async fn two_who_have_just_played_wait_for_others_a_while() {
    let house = House::new();
    let (one, two) = (house.tab(1), house.tab(2));
    for _ in 0..2 {
        house.join(&one, BLITZ);
        house.join(&two, BLITZ);
        after(600).await;
    }
    assert_eq!(house.server.games.live_count(one.requester.account), 1);
    after(5_000).await;
    let players = house.server.games.live_of(one.requester.account);
    let mut whites = players.iter().map(|game| game.players().white).collect::<Vec<_>>();
    whites.sort_unstable();
    assert_eq!(whites, [one.requester.account, two.requester.account], "each has had White");
}

#[tokio::test(start_paused = true)]
async fn a_place_ends_with_the_last_connection_unless_another_one_has_opened() {
    let house = House::new();
    let (first, second) = (house.tab(1), house.tab(1));
    house.join(&first, BLITZ);
    assert!(!house.close(&first));
    assert!(house.close(&second));
    let third = house.tab(1);
    tell_waiting(&house.server, third.requester.account, &third.inbox.outbox());
    left(&house.server, third.requester.account);
    assert_eq!(third.heard(), [in_blitz()], "it came before that was noticed");
    house.close(&third);
    left(&house.server, third.requester.account);
    let fourth = house.tab(1);
    tell_waiting(&house.server, fourth.requester.account, &fourth.inbox.outbox());
    assert_eq!(fourth.heard(), []);
}

#[tokio::test(start_paused = true)]
async fn a_challenge_outlives_a_connection_that_was_followed_by_another_before_that_was_noticed() {
    let house = House::new();
    let first = house.tab(1);
    let wanted = CreateChallenge::with(TimeControl::Unlimited);
    create(Arc::clone(&house.server), first.requester.clone(), wanted).await;
    let [Told::Challenge(id)] = first.heard()[..] else { panic!("it is open") };
    assert!(house.close(&first));
    let second = house.tab(1);
    house.server.lobby.entered(second.requester.account, &second.inbox.outbox());
    left(&house.server, second.requester.account);
    after(31_000).await;
    assert_eq!(second.heard(), [Told::Challenge(id)]);
    house.close(&second);
    left(&house.server, second.requester.account);
    after(31_000).await;
    assert!(house.server.lobby.view(id).is_none(), "now its owner has stayed away");
}

#[tokio::test(start_paused = true)]
async fn a_seek_that_could_not_be_played_is_open_again_but_not_when_its_owner_has_gone() {
    let house = House::new();
    let (owner, other) = (house.tab(1), house.tab(2));
    let challenge = house.seek(&owner).await;
    let accepting = |tab: &Tab| {
        let command = ChallengeCommand { challenge, id: None };
        accept(Arc::clone(&house.server), tab.requester.clone(), command)
    };
    house.journal.inject([Some(Fault::Failed), Some(Fault::Failed)]);
    accepting(&other).await;
    assert_eq!((other.heard(), house.seeks()), (vec![Told::Refused("unavailable")], 1));
    let mut second = Box::pin(accepting(&other));
    assert!(futures_util::poll!(&mut second).is_pending());
    assert_eq!(house.seeks(), 0, "it is being accepted");
    house.close(&owner);
    left(&house.server, owner.requester.account);
    second.await;
    assert_eq!(house.seeks(), 0);
    accepting(&other).await;
    assert_eq!(other.heard(), [Told::Refused("unavailable"), Told::Refused("unknown_challenge")]);
}

#[tokio::test(start_paused = true)]
async fn accepting_again_waits_for_what_the_first_time_comes_to() {
    let house = House::new();
    let (owner, one) = (house.tab(1), house.tab(2));
    let (two, third) = (house.again(&one), house.tab(3));
    let challenge = house.seek(&owner).await;
    let accepting = |tab: &Tab| {
        let command = ChallengeCommand { challenge, id: None };
        Box::pin(accept(Arc::clone(&house.server), tab.requester.clone(), command))
    };
    house.journal.inject([Some(Fault::Delayed)]);
    let (mut first, mut second) = (accepting(&one), accepting(&two));
    assert!(futures_util::poll!(&mut first).is_pending());
    assert!(futures_util::poll!(&mut second).is_pending());
    accepting(&third).await;
    assert_eq!(third.heard(), [Told::Refused("unknown_challenge")]);
    after(10).await;
    house.journal.release();
    tokio::join!(first, second);
    let game = GameId::from(challenge);
    for tab in [&one, &two] {
        assert_eq!(tab.heard()[..2], [Told::Gone(challenge), Told::Begun(game)]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_game_out_of_a_pool_ends_seeking() {
    let house = House::new();
    let (one, two) = (house.tab(1), house.tab(2));
    let seek = house.seek(&one).await;
    house.join(&one, BLITZ);
    house.join(&two, BLITZ);
    after(600).await;
    assert_eq!(house.seeks(), 0);
    assert_eq!(one.heard().last(), Some(&Told::Gone(seek)));
}

#[tokio::test(start_paused = true)]
async fn nothing_begins_when_the_server_stops() {
    let house = House::new();
    let one = house.tab(1);
    house.join(&one, BLITZ);
    house.server.stop().await;
    one.heard();
    house.join(&one, BLITZ);
    assert_eq!(one.heard(), [Told::Refused("unavailable")]);
    assert_eq!(house.server.tasks.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn the_lobby_is_looked_at_twice_a_second_while_somebody_is_there() {
    let house = House::new();
    let (listener, subscribers) = (Inbox::default(), &house.server.lobby.subscribers);
    assert_eq!(house.server.tasks.count(), 0, "nobody is there, nobody looks");
    let place = enter(&house.server, listener.outbox());
    let mut cursor = subscribers.whole(None).seq();
    let mut frames = 0;
    for (number, &pool) in (0..).zip(PoolId::ALL) {
        house.join(&house.tab(number), pool);
        after(100).await;
        match subscribers.pull(cursor, |_| frames += 1) {
            Pulled::Up(now) => cursor = now,
            Pulled::Fell => panic!("the ring is longer than that"),
        }
    }
    assert_eq!(frames, 2, "eleven came within 1.1 s");
    assert!(listener.signals().notified);
    drop(place);
    assert_eq!(house.server.tasks.count(), 3, "one looks, one rings, and there are waves");
    after(1_000).await;
    assert_eq!(house.server.tasks.count(), 1);
}
