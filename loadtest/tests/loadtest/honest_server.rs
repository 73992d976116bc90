//! The messages of a correct server about a script, generated without a server: a checker must
//! accept them.

use zeitnot_loadtest::replay::clocks::{BASE_MS, INCREMENT_MS, time_control};
use zeitnot_loadtest::replay::script::{Ending, Script};
use zeitnot_protocol::{
    AccountId, ByColor, ByEvent, Ended, GameId, GameOptions, MoveEvent, OutcomeView, PlayerView,
    ServerMessage, Started, StoppedBy, WireReason, WireScore,
};
use zeitnot_rules::board::Color;
use zeitnot_rules::notation::{fen, pgn};

/// What every move takes, in ms.
const TOOK: u32 = 300;

/// What is forgiven of it.
const CREDIT: u32 = 50;

/// The script of the first game of a PGN text.
pub(crate) fn script(text: &str) -> Script {
    let game = pgn::games(text).next().expect("there is a game").expect("the game can be read");
    Script::new(1, &game)
}

pub(crate) fn game() -> GameId {
    "AbCdEfGh0123".parse().expect("12 letters and digits")
}

/// All events of the script's game, in order.
pub(crate) fn events(script: &Script) -> Vec<ServerMessage> {
    let mut honest_server = HonestServer { seq: 0, clocks: [BASE_MS; 2], moves: [0; 2], events: Vec::new() };
    honest_server.start(script);
    for number in 1..=script.plies.len() {
        honest_server.play(script, number);
    }
    honest_server.end(script);
    honest_server.events
}

struct HonestServer {
    seq: u32,
    clocks: [u32; 2],
    moves: [u32; 2],
    events: Vec<ServerMessage>,
}

impl HonestServer {
    fn next(&mut self) -> u32 {
        self.seq += 1;
        self.seq
    }

    fn start(&mut self, script: &Script) {
        let player = |name: &str| PlayerView::unrated(AccountId::from_u128(7), name.to_owned());
        let seq = self.next();
        self.events.push(ServerMessage::Started(Started {
            game: game(),
            seq,
            variant: script.variant.into(),
            fen: fen::write(&script.start),
            players: ByColor { white: player("white"), black: player("black") },
            time_control: time_control(),
            options: GameOptions::default(),
            white_ms: Some(BASE_MS),
            black_ms: Some(BASE_MS),
            began: 0,
            rated: false,
            imported: false,
        }));
    }

    fn play(&mut self, script: &Script, number: usize) {
        let ply = &script.plies[number - 1];
        let mover = script.mover(number).index();
        let ends = number == script.plies.len() && matches!(script.ending, Ending::Automatic { .. });
        if self.moves[mover] > 0 {
            self.clocks[mover] -= TOOK - CREDIT;
            self.clocks[mover] += if ends { 0 } else { INCREMENT_MS };
        }
        self.moves[mover] += 1;
        let seq = self.next();
        self.events.push(ServerMessage::Move(MoveEvent {
            game: game(),
            seq,
            ply: u32::try_from(number).expect("a small number"),
            uci: ply.uci,
            san: ply.san.parse().expect("the rules write SAN"),
            fen: ply.fen.clone(),
            check: ply.check.clone(),
            white_ms: Some(self.clocks[0]),
            black_ms: Some(self.clocks[1]),
            took: Some(TOOK),
            credit: Some(CREDIT),
        }));
    }

    fn end(&mut self, script: &Script) {
        let turn = script.position(script.plies.len()).side_to_move();
        let (score, reason) = match script.ending {
            Ending::Automatic { reason, score } => (score, reason),
            Ending::Resignation { loser, score } => {
                self.resign(loser);
                (score, WireReason::Resignation)
            }
            Ending::Agreement => {
                let seq = self.next();
                let by = turn.opponent().into();
                self.events.push(ServerMessage::DrawOffered(ByEvent { game: game(), seq, by }));
                (WireScore::Draw, WireReason::Agreement)
            }
            Ending::Unfinished => (WireScore::NoResult, WireReason::Aborted),
        };
        let seq = self.next();
        self.events.push(ServerMessage::Ended(Ended {
            game: game(),
            seq,
            outcome: OutcomeView { score, reason, proof: None, played_out: None },
            white_ms: Some(self.clocks[0]),
            black_ms: Some(self.clocks[1]),
        }));
    }

    fn resign(&mut self, loser: Color) {
        let seq = self.next();
        self.events.push(ServerMessage::Resigned(StoppedBy {
            game: game(),
            seq,
            by: loser.into(),
            white_ms: Some(self.clocks[0]),
            black_ms: Some(self.clocks[1]),
        }));
    }
}
