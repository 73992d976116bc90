//! Two guests at a board.

use serde_json::{Value, json};
use zeitnot_protocol::{
    Challenge, ChallengeGone, ClientMessage, Code, GameId, PlayMove, ServerMessage, Snapshot, Turn,
};

use super::player::{Guest, Player};
use super::test_server::TestServer;

/// A game that has begun; both players have their snapshot and `clock`.
pub(crate) struct Table {
    pub(crate) game: GameId,
    pub(crate) white: Guest,
    pub(crate) black: Guest,
}

/// 3+2, the challenger with White.
pub(crate) fn blitz() -> Value {
    json!({"time_control": {"kind": "clock", "periods": [{"base_ms": 180_000, "increment_ms": 2_000}]}, "color": "white"})
}

/// Puts fields into an object.
pub(crate) fn with(mut object: Value, fields: Value) -> Value {
    let (Some(into), Value::Object(fields)) = (object.as_object_mut(), fields) else { panic!("not objects") };
    into.extend(fields);
    object
}

/// The next `challenge`; no rejection before it.
pub(crate) async fn news(player: &mut Player) -> Challenge {
    player
        .until(|message| match message {
            ServerMessage::Challenge(challenge) => Some(challenge.clone()),
            ServerMessage::Rejected(rejected) => panic!("{rejected:?}"),
            _ => None,
        })
        .await
}

/// The next `challenge_gone`.
pub(crate) async fn gone(player: &mut Player) -> ChallengeGone {
    player
        .until(|message| match message {
            ServerMessage::ChallengeGone(gone) => Some(gone.clone()),
            _ => None,
        })
        .await
}

/// The game that the next `ok` speaks of; no rejection before it.
pub(crate) async fn begun(player: &mut Player) -> GameId {
    player
        .until(|message| match message {
            ServerMessage::Ok(ok) => Some(ok.game.unwrap()),
            ServerMessage::Rejected(rejected) => panic!("{rejected:?}"),
            _ => None,
        })
        .await
}

/// The next snapshot of this game.
pub(crate) async fn snapshot(player: &mut Player, game: GameId) -> Snapshot {
    player
        .until(|message| match message {
            ServerMessage::Snapshot(snapshot) if snapshot.game == game => Some(snapshot.clone()),
            _ => None,
        })
        .await
}

/// Says `create_challenge` and gives the challenge's id.
pub(crate) async fn challenge(player: &mut Player, wanted: Value) -> String {
    player.say("create_challenge", wanted).await;
    news(player).await.challenge.to_string()
}

/// Says `accept_challenge` and gives the game's id, which is the challenge's. The `ok` of an earlier command may come
/// after the end of its game, so it is not taken for this one.
pub(crate) async fn accept(player: &mut Player, challenge: &str) -> GameId {
    player.say("accept_challenge", json!({"challenge": challenge})).await;
    let game: GameId = challenge.parse().unwrap();
    player
        .until(|message| match message {
            ServerMessage::Ok(ok) if ok.game == Some(game) => Some(game),
            ServerMessage::Rejected(rejected) => panic!("{rejected:?}"),
            _ => None,
        })
        .await
}

/// The game's next `turn`.
pub(crate) async fn turn(player: &mut Player, game: GameId) -> Turn {
    player
        .until(|message| match message {
            ServerMessage::Turn(turn) if turn.game == game => Some(turn.clone()),
            _ => None,
        })
        .await
}

/// Waits for one's `turn` and plays a move; does not wait for its answer.
pub(crate) async fn play(player: &mut Player, game: GameId, uci: &str) {
    let turn = turn(player, game).await;
    assert!(turn.legal.iter().any(|legal| legal.as_str() == uci), "{uci} is not in {turn:?}");
    send_move(player, game, turn.on, uci).await;
}

/// Sends a move and waits for nothing.
pub(crate) async fn send_move(player: &mut Player, game: GameId, on: u32, uci: &str) {
    player.tell(ClientMessage::Move(PlayMove { game, on, uci: uci.parse().unwrap(), id: None })).await;
}

/// Waits for the next `ok`.
pub(crate) async fn ok(player: &mut Player) -> Option<u32> {
    player
        .until(|message| match message {
            ServerMessage::Ok(ok) => Some(ok.seq),
            ServerMessage::Rejected(rejected) => panic!("{rejected:?}"),
            _ => None,
        })
        .await
}

/// The seq of a public event.
pub(crate) fn seq(message: &ServerMessage) -> Option<u32> {
    Some(match message {
        ServerMessage::Started(event) => event.seq,
        ServerMessage::Move(event) => event.seq,
        ServerMessage::DrawOffered(event)
        | ServerMessage::DrawDeclined(event)
        | ServerMessage::TakebackDeclined(event)
        | ServerMessage::IlcAsked(event) => event.seq,
        ServerMessage::DrawClaimed(event) => event.seq,
        ServerMessage::AbsenceClaimed(event) => event.seq,
        ServerMessage::TakebackOffered(event) => event.seq,
        ServerMessage::TakenBack(event) => event.seq,
        ServerMessage::TimeAdjusted(event) => event.seq,
        ServerMessage::IlcRemedied(event) => event.seq,
        ServerMessage::FlagFell(event) | ServerMessage::Resigned(event) => event.seq,
        ServerMessage::Ended(event) => event.seq,
        _ => return None,
    })
}

/// Reads until the game's end, and gives the public events on the way, the end included.
pub(crate) async fn events_to_the_end(player: &mut Player) -> Vec<ServerMessage> {
    let mut events = Vec::new();
    loop {
        let message = player.next().await;
        if let ServerMessage::Rejected(rejected) = message {
            panic!("{rejected:?}");
        }
        if seq(&message).is_some() {
            events.push(message);
        }
        if let Some(ServerMessage::Ended(_)) = events.last() {
            return events;
        }
    }
}

impl Table {
    /// A game of these terms between two new guests, the challenger with White.
    pub(crate) async fn of(server: &TestServer, wanted: Value) -> Self {
        let (mut white, mut black) = (Player::guest(server).await, Player::guest(server).await);
        let challenge = challenge(&mut white.player, wanted).await;
        let game = accept(&mut black.player, &challenge).await;
        // Black's came before the `ok`.
        white.player.until(|message| matches!(message, ServerMessage::Clock(_)).then_some(())).await;
        Self { game, white, black }
    }

    /// 3+2.
    pub(crate) async fn set(server: &TestServer) -> Self {
        Self::of(server, blitz()).await
    }

    /// Plays these moves, White first, each when it is its player's turn. Does not wait for the last one's answer:
    /// whoever needs it stored waits for the other's `turn`, or its player's `ok`.
    pub(crate) async fn play(&mut self, moves: &[&str]) {
        for pair in moves.chunks(2) {
            play(&mut self.white.player, self.game, pair[0]).await;
            if let Some(reply) = pair.get(1) {
                play(&mut self.black.player, self.game, reply).await;
            }
        }
    }

    /// What a command of White's is rejected with.
    pub(crate) async fn white_is_rejected(&mut self, t: &str, d: Value) -> Code {
        let d = with(d, json!({"game": self.game, "id": "reject-me"}));
        self.white.player.say(t, d).await;
        let (code, id) = self.white.player.rejection().await;
        assert_eq!(id.as_deref(), Some("reject-me"));
        code
    }
}
