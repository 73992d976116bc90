//! Checks that the messages of one connection follow the script. Pure: messages in, the first
//! difference out.
//!
//! Every connection of a game has a checker of its own; [`super::game`] compares their texts with
//! each other. Invariant: the events that passed have the numbers 1, 2, 3 … without a gap.

use std::fmt;

use zeitnot_protocol::{
    ByEvent, Clock, Ended, GameId, GameOptions, MoveEvent, OutcomeView, ServerMessage, Snapshot, Started,
    StoppedBy, Turn, WireProfile, WireReason, WireScore,
};
use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::notation::{fen, uci};
use zeitnot_rules::verdict::is_dead;

use super::clocks::{Clocks, Cost, time_control};
use super::script::{Ending, Script, resignation_score};

/// What has happened after the last ply.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Stage {
    /// Moves are played.
    Playing,
    /// A draw was offered by this event.
    Offered(u32),
    /// A player has resigned, and the verdict is awaited.
    Resigned(Color),
    /// The game has ended.
    Ended(OutcomeView),
}

/// Checks what one connection receives of one game.
#[derive(Clone, Debug)]
pub struct Checker<'s> {
    script: &'s Script,
    game: Option<GameId>,
    /// The last event's number, 0 before the first.
    seq: u32,
    /// The event that led to the current position.
    on: u32,
    /// The half-moves played.
    ply: usize,
    clocks: Clocks,
    stage: Stage,
}

impl<'s> Checker<'s> {
    /// A checker that has received nothing yet.
    #[must_use]
    pub fn new(script: &'s Script) -> Self {
        Self { script, game: None, seq: 0, on: 0, ply: 0, clocks: Clocks::at_base(), stage: Stage::Playing }
    }

    /// The game, once it is known.
    #[must_use]
    pub fn game(&self) -> Option<GameId> {
        self.game
    }

    /// The last event's number.
    #[must_use]
    pub fn seq(&self) -> u32 {
        self.seq
    }

    /// The half-moves received.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// The open draw offer's number.
    #[must_use]
    pub fn offer(&self) -> Option<u32> {
        match self.stage {
            Stage::Offered(seq) => Some(seq),
            Stage::Playing | Stage::Resigned(_) | Stage::Ended(_) => None,
        }
    }

    /// Whether the end was received.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        matches!(self.stage, Stage::Ended(_))
    }

    /// Checks the next message. Messages that are not about the game pass.
    ///
    /// # Errors
    /// The difference, in words. The checker must not be used after that.
    pub fn check(&mut self, message: &ServerMessage) -> Result<(), String> {
        match message {
            ServerMessage::Snapshot(snapshot) => self.snapshot(snapshot),
            ServerMessage::Started(started) => self.started(started),
            ServerMessage::Move(event) => self.moved(event),
            ServerMessage::DrawOffered(event) => self.draw_offered(event),
            ServerMessage::Resigned(event) => self.resigned(event),
            ServerMessage::Ended(event) => self.ended(event),
            ServerMessage::Turn(turn) => self.turn(turn),
            ServerMessage::Clock(clock) => self.clock(clock),
            ServerMessage::Rejected(answer) => {
                Err(format!("rejected with {}: {}", answer.code, answer.message))
            }
            ServerMessage::Welcome(_)
            | ServerMessage::Ok(_)
            | ServerMessage::Presence(_)
            | ServerMessage::Watchers(_)
            | ServerMessage::Challenge(_)
            | ServerMessage::ChallengeGone(_)
            | ServerMessage::Pong(_) => Ok(()),
            other => Err(format!("unexpected message: {}", other.to_text())),
        }
    }

    fn position(&self) -> &'s Position {
        self.script.position(self.ply)
    }

    fn turn_of(&self) -> Color {
        self.position().side_to_move()
    }

    /// Whether the script ends with the last ply. A dead position that needs a search is found a
    /// moment later; until then the game goes on.
    fn ends_here(&self) -> bool {
        let Ending::Automatic { reason, .. } = self.script.ending else { return false };
        let is_found_late = reason == WireReason::DeadPosition && is_dead(self.position()).is_none();
        self.ply == self.script.plies.len() && !is_found_late
    }

    fn same_game(&self, game: GameId) -> Result<(), String> {
        expect("game", &self.game, &Some(game))
    }

    /// What holds for every event: the same game, the next number, nothing after the end.
    fn event(&mut self, game: GameId, seq: u32) -> Result<(), String> {
        if self.has_ended() {
            return Err(format!("event {seq} came after the end"));
        }
        self.same_game(game)?;
        expect("seq", &(self.seq + 1), &seq)?;
        self.seq = seq;
        Ok(())
    }

    fn started(&mut self, started: &Started) -> Result<(), String> {
        self.game.get_or_insert(started.game);
        self.event(started.game, started.seq)?;
        self.on = started.seq;
        expect("seq of started", &1, &started.seq)?;
        expect("variant", &self.script.variant.into(), &started.variant)?;
        expect("position", &fen::write(&self.script.start), &started.fen)?;
        expect("time control", &time_control(), &started.time_control)?;
        fide_online(&started.options)?;
        self.clocks.unchanged([started.white_ms, started.black_ms])
    }

    /// A snapshot stands for all events up to its number, and must agree with the script at that
    /// point.
    fn snapshot(&mut self, snapshot: &Snapshot) -> Result<(), String> {
        self.game.get_or_insert(snapshot.game);
        self.same_game(snapshot.game)?;
        if self.seq == 0 {
            // The first message about the game: it must be its start, because the script has no
            // gaps.
            expect("seq of the first snapshot", &1, &snapshot.seq)?;
            (self.seq, self.on) = (1, 1);
        }
        expect("seq of the snapshot", &self.seq, &snapshot.seq)?;
        expect("on", &self.on, &snapshot.on)?;
        expect("position", &fen::write(self.position()), &snapshot.fen)?;
        expect("first position", &fen::write(&self.script.start), &snapshot.start_fen)?;
        expect("plies", &self.ply, &(snapshot.ply_count as usize))?;
        self.plies(snapshot)?;
        fide_online(&snapshot.options)?;
        let outcome = match self.stage {
            Stage::Ended(ref outcome) => Some(outcome.clone()),
            Stage::Playing | Stage::Offered(_) | Stage::Resigned(_) => None,
        };
        expect("outcome", &outcome, &snapshot.state.outcome)?;
        self.clocks.during(self.turn_of(), [snapshot.white_ms, snapshot.black_ms])
    }

    fn plies(&self, snapshot: &Snapshot) -> Result<(), String> {
        let first = self.ply.saturating_sub(200);
        expect("plies in the snapshot", &(self.ply - first), &snapshot.plies.len())?;
        for (shown, (number, ply)) in
            snapshot.plies.iter().zip((first + 1..).zip(&self.script.plies[first..]))
        {
            expect("ply", &number, &(shown.ply as usize))?;
            expect("SAN", ply.san.as_str(), shown.san.as_str())?;
            expect("UCI", &ply.uci, &shown.uci)?;
        }
        Ok(())
    }

    fn moved(&mut self, event: &MoveEvent) -> Result<(), String> {
        self.event(event.game, event.seq)?;
        if self.stage != Stage::Playing {
            return Err("a move came after the last ply".to_owned());
        }
        let Some(ply) = self.script.plies.get(self.ply) else {
            return Err(format!("a move came that the file does not have: {}", event.san));
        };
        let mover = self.turn_of();
        self.ply += 1;
        self.on = event.seq;
        expect("ply", &self.ply, &(event.ply as usize))?;
        expect("SAN", ply.san.as_str(), event.san.as_str())?;
        expect("UCI", &ply.uci, &event.uci)?;
        expect("position", &ply.fen, &event.fen)?;
        expect("check", &sorted(ply.check.clone()), &sorted(event.check.clone()))?;
        let cost = Cost { took: event.took, credit: event.credit };
        self.clocks.moved(mover, self.ends_here(), [event.white_ms, event.black_ms], cost)
    }

    fn draw_offered(&mut self, event: &ByEvent) -> Result<(), String> {
        self.event(event.game, event.seq)?;
        self.last_ply("a draw was offered")?;
        expect("ending", &Ending::Agreement, &self.script.ending)?;
        expect("offerer", &self.turn_of().opponent().into(), &event.by)?;
        self.stage = Stage::Offered(event.seq);
        Ok(())
    }

    fn resigned(&mut self, event: &StoppedBy) -> Result<(), String> {
        self.event(event.game, event.seq)?;
        self.last_ply("somebody resigned")?;
        let loser = match self.script.ending {
            Ending::Resignation { loser, .. } => loser,
            Ending::Unfinished => self.turn_of(),
            Ending::Automatic { .. } | Ending::Agreement => return Err("somebody resigned".to_owned()),
        };
        expect("loser", &loser.into(), &event.by)?;
        self.clocks.stopped(self.turn_of(), [event.white_ms, event.black_ms])?;
        self.stage = Stage::Resigned(loser);
        Ok(())
    }

    fn last_ply(&self, what: &str) -> Result<(), String> {
        let plies = self.script.plies.len();
        if self.stage == Stage::Playing && self.ply == plies && !self.ends_here() {
            Ok(())
        } else {
            Err(format!("{what} at ply {} of {plies}", self.ply))
        }
    }

    fn ended(&mut self, event: &Ended) -> Result<(), String> {
        self.event(event.game, event.seq)?;
        expect("plies at the end", &self.script.plies.len(), &self.ply)?;
        let (score, reason) = self.due_outcome()?;
        expect("score", &score, &event.outcome.score)?;
        expect("reason", &reason, &event.outcome.reason)?;
        let shown = [event.white_ms, event.black_ms];
        match self.stage {
            // The running clock stops with an agreement or an abort; a last move or a resignation
            // has stopped it before.
            Stage::Offered(_) | Stage::Playing if !self.ends_here() => {
                self.clocks.stopped(self.turn_of(), shown)?;
            }
            _ => self.clocks.unchanged(shown)?,
        }
        self.stage = Stage::Ended(event.outcome.clone());
        Ok(())
    }

    /// The outcome that must follow now.
    fn due_outcome(&self) -> Result<(WireScore, WireReason), String> {
        match (self.script.ending, &self.stage) {
            (Ending::Automatic { reason, score }, Stage::Playing) => Ok((score, reason)),
            (Ending::Resignation { score, .. }, Stage::Resigned(_)) => Ok((score, WireReason::Resignation)),
            (Ending::Agreement, Stage::Offered(_)) => Ok((WireScore::Draw, WireReason::Agreement)),
            (Ending::Unfinished, Stage::Resigned(loser)) => {
                Ok((resignation_score(self.position(), *loser), WireReason::Resignation))
            }
            (Ending::Unfinished, Stage::Playing) => Ok((WireScore::NoResult, WireReason::Aborted)),
            _ => Err("the game ended though nothing had ended it".to_owned()),
        }
    }

    fn turn(&self, turn: &Turn) -> Result<(), String> {
        self.same_game(turn.game)?;
        expect("on", &self.on, &turn.on)?;
        expect("position", &fen::write(self.position()), &turn.fen)?;
        let mut legal: Vec<&str> = turn.legal.iter().map(zeitnot_protocol::Uci::as_str).collect();
        legal.sort_unstable();
        let (position, variant) = (self.position(), self.script.variant);
        let ours = position
            .legal_moves()
            .into_iter()
            .map(|mv| uci::write(mv, position, variant).as_str().to_owned());
        let mut ours: Vec<String> = ours.collect();
        ours.sort_unstable();
        expect("legal moves", &ours.join(" "), &legal.join(" "))?;
        self.clocks.during(self.turn_of(), [turn.white_ms, turn.black_ms])
    }

    fn clock(&self, clock: &Clock) -> Result<(), String> {
        self.same_game(clock.game)?;
        expect("seq of the clock", &self.seq, &clock.seq)?;
        if let Some(running) = clock.running {
            expect("running clock", &self.turn_of().into(), &running)?;
        }
        self.clocks.during(self.turn_of(), [clock.white_ms, clock.black_ms])
    }
}

fn fide_online(options: &GameOptions) -> Result<(), String> {
    expect("profile", &WireProfile::FideOnline, &options.profile)
}

fn sorted(check: Option<zeitnot_protocol::Check>) -> Option<zeitnot_protocol::Check> {
    check.map(|mut check| {
        check.checkers.sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
        check
    })
}

fn expect<T: PartialEq + fmt::Debug + ?Sized>(what: &str, expected: &T, got: &T) -> Result<(), String> {
    if expected == got { Ok(()) } else { Err(format!("{what}: expected {expected:?}, got {got:?}")) }
}
