//! What is said about a game is heard on both nodes, whoever owns the game, and after its end.

use std::task::Waker;
use std::time::Duration;

use zeitnot_protocol::{ChatRoom, Code, PlayerView, Said, ServerMessage, decode_server};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::Command;

use super::super::actor::online;
use super::super::table::plain;
use super::pair::{NodeWorld, Pair, Session, account, id, until};
use crate::cluster::wire::{ChatNews, SentLine};
use crate::connections::{ConnectionId, Inbox, PostAnswer, ToSession};
use crate::games::across_nodes::chats::POSTS_MAX;
use crate::games::chat::{KnownLine, Post};
use crate::games::{ChatBegun, PostOutcome, Seat};
use crate::rate::Rate;
use crate::session::tests::simulated::{SimulatedSession, Up};

const WAY: Duration = Duration::from_millis(50);
const RATE: Rate = Rate { burst: 3, every_us: 60_000_000 };

/// Posts a line from a node, as the command of this id. What comes of it here at once.
fn say(
    pair: &Pair,
    node: &NodeWorld,
    by: u128,
    text: &str,
    command: &str,
    author: &Inbox,
) -> Result<Option<u32>, Code> {
    let by = &PlayerView::unrated(account(by), "Guest-00000".to_owned());
    let (room, at) = (ChatRoom::Players, pair.clock.now());
    let post = Post { by, room, text, id: Some(command.parse().unwrap()), at, unix: 7, rate: RATE };
    match node.games.say(id(), &post, true, |_| false, &author.outbox())? {
        PostOutcome::Here(posted) => Ok(Some(posted.n)),
        PostOutcome::Elsewhere => Ok(None),
    }
}

/// The lines of the players' room that a node has.
fn lines(node: &NodeWorld) -> Vec<(u32, String)> {
    let Some(chat) = node.games.chat(id()) else { return Vec::new() };
    let lines = chat.lines(ChatRoom::Players, 0).into_iter();
    let texts = lines.map(|line| match decode_server(line.frame.text()).unwrap() {
        ServerMessage::Said(Said { n, text, by, .. }) if by.account == line.by => (n, text),
        other => panic!("{other:?}"),
    });
    texts.collect()
}

/// What the author of a post is told, after a while.
async fn answer(author: &Inbox) -> Result<u32, Code> {
    let mut answer = None;
    until("the author is told", || {
        if let Some(ToSession::Posted(told)) = author.pop() {
            let PostAnswer { game, room, answer: told, .. } = *told;
            assert_eq!((game, room), (id(), ChatRoom::Players));
            answer = Some(told);
        }
        answer.is_some()
    })
    .await;
    answer.unwrap()
}

/// How many games are followed at a node from the other one, and how many it follows there.
fn known(node: &NodeWorld) -> [usize; 2] {
    node.games.shared().across().unwrap().chats.known()
}

fn said(lines: &[(u32, &str)]) -> Vec<(u32, String)> {
    lines.iter().map(|(n, text)| (*n, (*text).to_owned())).collect()
}

/// A game of A's that Black follows at B.
async fn followed(pair: &Pair) -> (Session<Seat>, Session<Seat>) {
    let at_a = pair.game(online()).await;
    let white = Session::sit(&at_a, Color::White, 1);
    let black = Session::sit(&pair.found_at_b().await, Color::Black, 1);
    black.heard().await;
    (white, black)
}

#[tokio::test(start_paused = true)]
async fn a_line_is_posted_at_the_owner_and_heard_on_both_nodes() {
    let pair = Pair::new(WAY);
    let (_white, _black) = followed(&pair).await;
    let mut begun = pair.b.games.hear_chats_begin().unwrap();
    let author = Inbox::default();
    assert_eq!(say(&pair, &pair.a, 1, "good luck", "a1", &author), Ok(Some(1)));
    until("it is heard at B", || lines(&pair.b) == said(&[(1, "good luck")])).await;
    assert_eq!(
        begun.try_recv().ok().map(|(game, _): ChatBegun| game),
        Some(id()),
        "the players at B are told"
    );
    assert!(pair.b.games.get(id()).unwrap().feed().has_chat(), "sessions at B look for it");
    assert_eq!(say(&pair, &pair.b, 2, "thanks", "b1", &author), Ok(None));
    assert_eq!(answer(&author).await, Ok(2));
    assert_eq!(lines(&pair.b), lines(&pair.a), "the line came before the answer");
    assert_eq!(say(&pair, &pair.b, 2, "thanks", "b1", &author), Ok(None));
    assert_eq!(
        (answer(&author).await, lines(&pair.a).len()),
        (Ok(2), 2),
        "the same command is the same line"
    );
    assert!(begun.try_recv().is_err(), "it begins once");
}

#[tokio::test(start_paused = true)]
async fn an_account_has_one_rate_on_all_nodes_and_a_stranger_no_room() {
    let pair = Pair::new(WAY);
    let (_white, _black) = followed(&pair).await;
    let author = Inbox::default();
    for (node, command) in [(&pair.a, "a1"), (&pair.b, "b1"), (&pair.a, "a2")] {
        say(&pair, node, 1, "hello", command, &author).unwrap();
        tokio::time::sleep(4 * WAY).await;
    }
    assert_eq!(answer(&author).await, Ok(2));
    assert_eq!(say(&pair, &pair.b, 1, "hello", "b2", &author), Ok(None));
    assert_eq!(answer(&author).await, Err(Code::ChatTooFast));
    assert_eq!(
        say(&pair, &pair.b, 3, "help", "b3", &author),
        Err(Code::NotYourRoom),
        "that is certain at once"
    );
}

#[tokio::test(start_paused = true)]
async fn the_chat_goes_on_after_the_end_and_after_the_mirror() {
    let pair = Pair::new(WAY);
    let (white, black) = followed(&pair).await;
    white.send(&pair, plain(Command::Resign));
    until("the end is known at B", || pair.b.games.get(id()).is_some_and(|game| game.has_ended())).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    drop((white, black));
    assert!(
        pair.a.games.get(id()).is_none() && pair.b.games.get(id()).is_none(),
        "nobody has the game any more"
    );
    let mut begun = pair.b.games.hear_chats_begin().unwrap();
    let author = Inbox::default();
    assert_eq!(say(&pair, &pair.a, 1, "good game", "a1", &author), Ok(Some(1)));
    until("it is heard at B", || lines(&pair.b) == said(&[(1, "good game")])).await;
    assert!(begun.try_recv().is_ok(), "whoever has played is told");
    assert_eq!(say(&pair, &pair.b, 2, "thanks", "b1", &author), Ok(None));
    assert_eq!(answer(&author).await, Ok(2));
    pair.close_link();
    assert_eq!(say(&pair, &pair.a, 1, "another one?", "a2", &author), Ok(Some(3)));
    assert_eq!(
        say(&pair, &pair.b, 2, "yes", "b2", &author),
        Err(Code::Unavailable),
        "its owner is not reached"
    );
    pair.open_link();
    until("B has caught up", || lines(&pair.b).len() == 3).await;
    assert_eq!(say(&pair, &pair.b, 2, "yes", "b2", &author), Ok(None));
    assert_eq!(answer(&author).await, Ok(4));
    for node in [&pair.a, &pair.b] {
        tokio::time::sleep(Duration::from_secs(16 * 60)).await;
        node.games.sweep_chats();
        assert!(node.games.chat(id()).is_none(), "it was quiet for long");
        assert_eq!(say(&pair, node, 1, "hello?", "a3", &author), Err(Code::NotYourRoom));
    }
}

#[tokio::test(start_paused = true)]
async fn a_post_whose_answer_is_lost_is_unavailable_and_known_again() {
    let pair = Pair::new(WAY);
    let (_white, _black) = followed(&pair).await;
    let author = Inbox::default();
    assert_eq!(say(&pair, &pair.b, 2, "hello", "b1", &author), Ok(None));
    until("it is posted", || lines(&pair.a).len() == 1).await;
    pair.close_link();
    assert_eq!(answer(&author).await, Err(Code::Unavailable));
    pair.open_link();
    until("B has caught up", || lines(&pair.b).len() == 1).await;
    assert_eq!(say(&pair, &pair.b, 2, "hello", "b1", &author), Ok(None));
    assert_eq!((answer(&author).await, lines(&pair.a).len()), (Ok(1), 1));
}

#[tokio::test(start_paused = true)]
async fn only_so_many_posts_wait_for_an_answer() {
    let pair = Pair::new(WAY);
    let (_white, _black) = followed(&pair).await;
    pair.cut();
    let author = Inbox::default();
    for number in 0..POSTS_MAX {
        assert_eq!(say(&pair, &pair.b, 2, "hello", &format!("p{number}"), &author), Ok(None));
    }
    assert_eq!(say(&pair, &pair.b, 2, "hello", "one-more", &author), Err(Code::Unavailable));
    pair.close_link();
    pair.open_link();
    assert_eq!(answer(&author).await, Err(Code::Unavailable));
    until("the link is used", || say(&pair, &pair.b, 2, "hello", "again", &author) == Ok(None)).await;
}

#[tokio::test(start_paused = true)]
async fn what_is_known_of_chats_is_forgotten_with_their_games() {
    let pair = Pair::new(WAY);
    let (white, black) = followed(&pair).await;
    assert_eq!((known(&pair.a), known(&pair.b)), ([1, 0], [0, 1]), "B follows, and A is followed");
    white.send(&pair, plain(Command::Resign));
    tokio::time::sleep(Duration::from_secs(60)).await;
    drop((white, black));
    for node in [&pair.a, &pair.b] {
        node.games.sweep_chats();
        assert_eq!(known(node).iter().sum::<usize>(), 1, "somebody may still say something");
    }
    tokio::time::sleep(Duration::from_secs(16 * 60)).await;
    for node in [&pair.a, &pair.b] {
        node.games.sweep_chats();
        assert_eq!(known(node), [0, 0]);
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_claims_a_game_goes_on_with_its_chat() {
    let pair = Pair::new(WAY);
    let (_white, _black) = followed(&pair).await;
    let author = Inbox::default();
    say(&pair, &pair.b, 2, "hello", "b1", &author).unwrap();
    assert_eq!(answer(&author).await, Ok(1));
    pair.lose_a();
    assert_eq!(say(&pair, &pair.b, 2, "still there?", "b2", &author), Err(Code::Unavailable));
    pair.claim().await;
    assert_eq!(say(&pair, &pair.b, 2, "hello", "b1", &author), Ok(Some(1)), "it is known by its id");
    assert_eq!(say(&pair, &pair.b, 2, "still there?", "b2", &author), Ok(Some(2)));
    assert_eq!(lines(&pair.b), said(&[(1, "hello"), (2, "still there?")]));
}

#[tokio::test(start_paused = true)]
async fn an_owner_that_has_no_lines_goes_on_after_those_of_its_followers() {
    let pair = Pair::new(WAY);
    let (_white, _black) = followed(&pair).await;
    let chat = pair.b.games.chat_after_end(id());
    assert!(chat.is_none(), "nothing was said");
    let author = Inbox::default();
    for command in ["b1", "b2"] {
        say(&pair, &pair.b, 2, "hello", command, &author).unwrap();
        answer(&author).await.unwrap();
    }
    // As an owner that claimed the game and never followed it.
    pair.a.games.shared().chats.forget(id());
    pair.close_link();
    pair.open_link();
    tokio::time::sleep(4 * WAY).await;
    assert_eq!(say(&pair, &pair.a, 1, "and now?", "a1", &author), Ok(Some(3)));
    until("B has it after its own lines", || lines(&pair.b).len() == 3).await;
    assert_eq!(lines(&pair.a), said(&[(3, "and now?")]));
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_back_is_shown_what_was_said_meanwhile() {
    let pair = Pair::new(WAY);
    let (_white, black) = followed(&pair).await;
    let author = Inbox::default();
    say(&pair, &pair.a, 1, "hello", "a1", &author).unwrap();
    until("it is heard at B", || lines(&pair.b).len() == 1).await;
    drop(black);
    tokio::time::sleep(Duration::from_secs(15)).await;
    assert!(pair.b.games.chat(id()).is_none(), "B hears nothing of the game any more");
    assert_eq!(known(&pair.a), [0, 0], "and is told nothing");
    say(&pair, &pair.a, 1, "are you there?", "a2", &author).unwrap();
    let at_b = pair.found_at_b().await;
    until("all of it is heard at B", || lines(&pair.b).len() == 2).await;
    assert!(at_b.feed().has_chat(), "sessions look for it");
}

#[tokio::test(start_paused = true)]
async fn a_node_that_has_given_a_game_up_posts_nothing() {
    let pair = Pair::new(WAY);
    let (_white, _black) = followed(&pair).await;
    let author = Inbox::default();
    say(&pair, &pair.a, 1, "hello", "a1", &author).unwrap();
    until("it is heard at B", || lines(&pair.b).len() == 1).await;
    assert_eq!(pair.hand_over(Duration::from_millis(100)).await, 1);
    assert_eq!(say(&pair, &pair.a, 1, "still here", "a2", &author), Err(Code::Unavailable));
    assert_eq!(
        say(&pair, &pair.b, 2, "I am, too", "b1", &author),
        Ok(Some(2)),
        "it goes on where the game does"
    );
}

#[tokio::test(start_paused = true)]
async fn a_claimer_is_told_the_lines_that_it_lacks() {
    let pair = Pair::new(WAY);
    let (_white, _black) = followed(&pair).await;
    let author = Inbox::default();
    for command in ["a1", "a2"] {
        say(&pair, &pair.a, 1, command, command, &author).unwrap();
    }
    let before = pair.a.games.chat(id()).unwrap().lines(ChatRoom::Players, 0);
    // As one that never followed the game.
    pair.b.games.shared().chats.forget(id());
    assert_eq!(pair.hand_over(Duration::from_millis(100)).await, 1);
    for KnownLine { by, id, frame } in before {
        let line = SentLine { room: ChatRoom::Players, by, id, said: (&frame).into() };
        pair.say_of_chat(ChatNews::Known(line));
    }
    pair.say_of_chat(ChatNews::Follow { heads: [2, 0] });
    assert_eq!(lines(&pair.b), said(&[(1, "a1"), (2, "a2")]));
    assert_eq!(say(&pair, &pair.b, 1, "a2", "a2", &author), Ok(Some(2)), "it is known by its id");
    assert_eq!(say(&pair, &pair.b, 2, "thanks", "b1", &author), Ok(Some(3)));
}

#[tokio::test(start_paused = true)]
async fn a_first_line_after_the_end_and_after_a_lost_link_is_heard() {
    let pair = Pair::new(WAY);
    let (white, black) = followed(&pair).await;
    white.send(&pair, plain(Command::Resign));
    until("the end is known at B", || pair.b.games.get(id()).is_some_and(|game| game.has_ended())).await;
    pair.close_link();
    tokio::time::sleep(Duration::from_secs(60)).await;
    pair.open_link();
    drop((white, black));
    let author = Inbox::default();
    assert_eq!(say(&pair, &pair.a, 1, "good game", "a1", &author), Ok(Some(1)));
    until("it is heard at B", || lines(&pair.b).len() == 1).await;
    pair.lose_a();
    assert_eq!(say(&pair, &pair.b, 2, "thanks", "b1", &author), Ok(Some(2)), "B has it for itself now");
}

#[tokio::test(start_paused = true)]
async fn a_session_waits_for_so_many_answers_of_another_node() {
    let pair = Pair::new(WAY);
    let (_white, _black) = followed(&pair).await;
    let (games, clock) = (&pair.b.games, &pair.clock);
    let (connection, black) = (ConnectionId(7), Some(account(2)));
    let mut session = SimulatedSession::open(connection, black, clock.now(), Waker::noop().clone());
    session.identified(games, clock).unwrap();
    pair.cut();
    for number in 0..17 {
        let d = format!(r#"{{"game":"{}","room":"players","text":"hello","id":"p{number}"}}"#, id());
        let text = format!(r#"{{"t":"say","d":{d}}}"#);
        session.take(&Up::Text(text), clock.now(), games, clock).unwrap();
    }
    let rejected =
        |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).matches(r#""code":"unavailable""#).count();
    assert_eq!(rejected(session.flush()), 1, "sixteen wait");
    pair.close_link();
    session.handle_messages(games, clock).unwrap();
    assert_eq!(rejected(session.flush()), 16, "each has an answer");
}
