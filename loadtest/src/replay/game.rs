//! Plays one script through a server: two players and one spectator; every message is checked on
//! all three connections.
//!
//! The bots are well-behaved: they wait for `turn` before they move, and offer a draw once, after
//! the last ply.

use zeitnot_protocol::{
    AnswerOffer, ChallengeCommand, ClientMessage, CommandId, CreateChallenge, GameCommand, GameId, GameRef,
    OkAnswer, PlayMove, ServerMessage, Watch, WireColor,
};
use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::notation::fen;

use super::clocks::time_control;
use super::listener::{Fault, Listener, Role};
use super::script::{Ending, Script};
use crate::endpoint::Endpoint;
use crate::stopwatch::Stopwatch;

/// A game that agreed with its script.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// How long each move waited for its `ok`, in microseconds.
    pub ok_micros: Vec<u64>,
}

/// The three connections of a game.
struct Sockets<'s> {
    script: &'s Script,
    white: Listener<'s>,
    black: Listener<'s>,
    spectator: Listener<'s>,
}

/// Plays a script from the challenge to the last snapshot. `index` is the number of its first
/// socket.
///
/// # Errors
/// The first difference from the script.
pub async fn play(endpoint: &Endpoint, index: usize, script: &Script) -> Result<Played, Fault> {
    let mut sockets = Sockets::connect(endpoint, index, script).await?;
    let game = sockets.start().await?;
    let mut played = Played::default();
    for ply in 1..=script.plies.len() {
        played.ok_micros.push(sockets.make_move(game, ply).await?);
    }
    sockets.finish(game).await?;
    sockets.compare()?;
    sockets.last_snapshot(game).await?;
    sockets.close().await?;
    Ok(played)
}

impl<'s> Sockets<'s> {
    async fn connect(endpoint: &Endpoint, index: usize, script: &'s Script) -> Result<Self, Fault> {
        let open = |role, offset| async move {
            Listener::connect(endpoint, index + offset, role, script).await.map_err(|error| Fault {
                role,
                ply: 0,
                what: error.to_string(),
            })
        };
        Ok(Self {
            script,
            white: open(Role::White, 0).await?,
            black: open(Role::Black, 1).await?,
            spectator: open(Role::Spectator, 2).await?,
        })
    }

    fn player(&mut self, color: Color) -> &mut Listener<'s> {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }

    /// Black challenges, White accepts, and the spectator asks for all events.
    async fn start(&mut self) -> Result<GameId, Fault> {
        self.black.send(&ClientMessage::CreateChallenge(challenge(self.script))).await?;
        let ServerMessage::Challenge(challenge) =
            self.black.until(|message, _| matches!(message, ServerMessage::Challenge(_))).await?
        else {
            unreachable!("only a challenge was wanted")
        };
        let id = Some(id("accept"));
        self.white
            .send(&ClientMessage::AcceptChallenge(ChallengeCommand { challenge: challenge.challenge, id }))
            .await?;
        let accepted = answer(&mut self.white, "accept").await?;
        let game =
            accepted.game.ok_or_else(|| self.white.fault("the ok to accept_challenge names no game"))?;
        self.spectator.send(&ClientMessage::Watch(Watch { game, after: Some(0), id: None })).await?;
        for listener in [&mut self.white, &mut self.black, &mut self.spectator] {
            listener.until_seq(1).await?;
            if listener.checker().game() != Some(game) {
                return Err(listener.fault(format!("was told of another game than {game}")));
            }
        }
        Ok(game)
    }

    /// Plays a half-move and waits until all three have received it. Returns how long its `ok`
    /// took, in microseconds.
    async fn make_move(&mut self, game: GameId, ply: usize) -> Result<u64, Fault> {
        let script = self.script;
        let mover = self.player(script.mover(ply));
        let turn = mover.until(|message, _| matches!(message, ServerMessage::Turn(_))).await?;
        let ServerMessage::Turn(turn) = turn else { unreachable!("only a turn was wanted") };
        let name = format!("m{ply}");
        let play = PlayMove { game, on: turn.on, uci: script.plies[ply - 1].uci, id: Some(id(&name)) };
        let waiting = Stopwatch::start();
        mover.send(&ClientMessage::Move(play)).await?;
        let ok = answer(mover, &name).await?;
        let micros = waiting.micros();
        let seq = mover.checker().seq();
        if mover.checker().ply() != ply {
            return Err(mover.fault(format!("the ok to half-move {ply} came before its event")));
        }
        self.all_receive(seq).await?;
        // The move may have ended the game: then both events are in the same record.
        let first = seq - u32::from(self.white.checker().has_ended());
        if ok.seq.is_none_or(|named| named != first && named != seq) {
            return Err(self
                .white
                .fault(format!("the ok to half-move {ply} names seq {:?}, not {first}", ok.seq)));
        }
        Ok(micros)
    }

    async fn all_receive(&mut self, seq: u32) -> Result<(), Fault> {
        for listener in [&mut self.white, &mut self.black, &mut self.spectator] {
            listener.until_seq(seq).await?;
        }
        Ok(())
    }

    /// Ends the game as the script says, and waits until all three know.
    async fn finish(&mut self, game: GameId) -> Result<(), Fault> {
        let command = |name| GameCommand { game, id: Some(id(name)) };
        let turn = self.script.position(self.script.plies.len()).side_to_move();
        match self.script.ending {
            Ending::Automatic { .. } => {}
            Ending::Resignation { loser, .. } => {
                self.player(loser).send(&ClientMessage::Resign(command("resign"))).await?;
                answer(self.player(loser), "resign").await?;
            }
            Ending::Agreement => {
                let offerer = self.player(turn.opponent());
                offerer.send(&ClientMessage::OfferDraw(command("offer"))).await?;
                answer(offerer, "offer").await?;
                let seq = offerer.checker().seq();
                let other = self.player(turn);
                other.until_seq(seq).await?;
                let offer = other.checker().offer().ok_or_else(|| other.fault("there is no open offer"))?;
                let accept = AnswerOffer { game, offer, id: Some(id("accept-draw")) };
                other.send(&ClientMessage::AcceptDraw(accept)).await?;
                answer(other, "accept-draw").await?;
            }
            Ending::Unfinished if self.script.plies.len() < 2 => {
                self.player(turn).send(&ClientMessage::Abort(command("abort"))).await?;
            }
            Ending::Unfinished => {
                self.player(turn).send(&ClientMessage::Resign(command("resign"))).await?;
            }
        }
        for listener in [&mut self.white, &mut self.black, &mut self.spectator] {
            if !listener.checker().has_ended() {
                listener.until(|_, checker| checker.has_ended()).await?;
            }
        }
        Ok(())
    }

    fn compare(&self) -> Result<(), Fault> {
        self.white.same_as(&self.spectator)?;
        self.black.same_as(&self.spectator)
    }

    /// Asks for a snapshot after the end: position, plies and result as a late spectator sees them.
    async fn last_snapshot(&mut self, game: GameId) -> Result<(), Fault> {
        self.spectator.send(&ClientMessage::Unwatch(GameRef { game })).await?;
        self.spectator.send(&ClientMessage::Watch(Watch { game, after: None, id: None })).await?;
        self.spectator.until(|message, _| matches!(message, ServerMessage::Snapshot(_))).await?;
        Ok(())
    }

    async fn close(self) -> Result<(), Fault> {
        self.white.close().await?;
        self.black.close().await?;
        self.spectator.close().await
    }
}

/// Waits for the `ok` to the command with this id.
async fn answer(listener: &mut Listener<'_>, name: &str) -> Result<OkAnswer, Fault> {
    let wanted = Some(id(name));
    let found =
        listener.until(|message, _| matches!(message, ServerMessage::Ok(ok) if ok.id == wanted)).await?;
    let ServerMessage::Ok(ok) = found else { unreachable!("only an ok was wanted") };
    Ok(ok)
}

fn challenge(script: &Script) -> CreateChallenge {
    CreateChallenge {
        color: Some(WireColor::Black),
        variant: script.variant.into(),
        fen: (script.start != Position::standard()).then(|| fen::write(&script.start)),
        id: Some(id("challenge")),
        ..CreateChallenge::with(time_control())
    }
}

/// A command id.
fn id(name: &str) -> CommandId {
    name.parse().expect("our ids are at most 32 ASCII characters")
}
