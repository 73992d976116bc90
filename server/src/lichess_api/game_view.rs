//! A game as its messages tell it: all that a stream of the Lichess API says of it.
//!
//! Deliberately absent: who reads the stream (`agent`), and every rule of chess.
//!
//! Invariant: `moves` are the moves on the board, those that were taken back left out.

mod described;

use serde_json::{Map, Value, json};
use zeitnot_protocol::{
    AccountId, ByColor, Clock, GameId, OutcomeView, Phase, PlayerView, PlyView, ServerMessage, Snapshot,
    TimeControl, Uci, WireColor, WireVariant,
};
use zeitnot_rules::board::Position;
use zeitnot_rules::notation::fen;

pub(super) use described::Shown;

use super::people;
use super::words::{self, NO_CLOCK_MS, STARTED, Source, Speed};
use crate::time::ServiceInstant;

/// A clock runs from the second move of its side on.
const CLOCKS_RUN_FROM_PLY: u32 = 2;

/// An open offer: whose, and the number that an answer names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OpenOffer {
    pub(super) by: WireColor,
    pub(super) seq: u32,
}

/// What has become of a game by a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// Nothing that is told.
    Nothing,
    /// It stands otherwise.
    State,
    /// It has ended.
    Ended,
}

/// A game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GameView {
    pub(super) id: GameId,
    pub(super) players: ByColor<PlayerView>,
    pub(super) variant: WireVariant,
    pub(super) time_control: TimeControl,
    pub(super) rated: bool,
    pub(super) source: Source,
    start_fen: String,
    began: u32,
    /// All plies, with blanks between.
    moves: String,
    /// The number of plies.
    pub(super) plies: u32,
    last: Option<Uci>,
    pub(super) fen: String,
    /// The number that a move on this position names.
    pub(super) on: u32,
    /// The same of the position before, if that is known.
    pub(super) on_before: Option<u32>,
    clocks: ByColor<Option<u32>>,
    /// When both clocks showed this.
    clocks_at: ServiceInstant,
    pub(super) draw_offer: Option<OpenOffer>,
    pub(super) takeback_offer: Option<OpenOffer>,
    /// The move that ended it was made, or a flag fell; the result is still searched for.
    pub(super) is_deciding: bool,
    pub(super) outcome: Option<OutcomeView>,
}

impl GameView {
    /// A game as it stands. `plies` are all of them.
    pub(super) fn new(snapshot: Snapshot, plies: &[PlyView], source: Source, now: ServiceInstant) -> Self {
        let moves = plies.iter().map(|ply| ply.uci.to_string()).collect::<Vec<_>>().join(" ");
        let state = snapshot.state;
        Self {
            id: snapshot.game,
            players: snapshot.players,
            variant: snapshot.variant,
            time_control: snapshot.time_control,
            rated: snapshot.rated,
            source,
            start_fen: snapshot.start_fen,
            began: snapshot.began,
            moves,
            plies: snapshot.ply_count,
            last: plies.last().map(|ply| ply.uci),
            fen: snapshot.fen,
            on: snapshot.on,
            on_before: None,
            clocks: ByColor { white: snapshot.white_ms, black: snapshot.black_ms },
            clocks_at: now,
            draw_offer: state.draw_offer.map(|offer| OpenOffer { by: offer.by, seq: offer.seq }),
            takeback_offer: state.takeback_offer.map(|offer| OpenOffer { by: offer.by, seq: offer.seq }),
            is_deciding: state.phase == Phase::Deciding,
            outcome: state.outcome.filter(|_| state.phase == Phase::Ended),
        }
    }

    /// Takes in an event of this game.
    pub(super) fn apply(&mut self, message: ServerMessage, now: ServiceInstant) -> Change {
        let turn = self.turn();
        match message {
            ServerMessage::Move(event) => {
                if !self.moves.is_empty() {
                    self.moves.push(' ');
                }
                self.moves.push_str(&event.uci.to_string());
                self.on_before = Some(self.on);
                (self.plies, self.last, self.fen, self.on) =
                    (event.ply, Some(event.uci), event.fen, event.seq);
                self.draw_offer = self.draw_offer.filter(|offer| offer.by == turn);
                self.takeback_offer = None;
                self.set_clocks(event.white_ms, event.black_ms, now);
            }
            ServerMessage::TakenBack(event) => {
                for _ in 0..event.plies {
                    self.moves.truncate(self.moves.rfind(' ').unwrap_or(0));
                }
                self.on_before = None;
                self.last = self.moves.rsplit(' ').next().and_then(|last| last.parse().ok());
                (self.plies, self.fen, self.on) = (event.ply, event.fen, event.seq);
                (self.draw_offer, self.takeback_offer) = (None, None);
                self.set_clocks(event.white_ms, event.black_ms, now);
            }
            ServerMessage::DrawOffered(event) | ServerMessage::IlcAsked(event) => {
                self.draw_offer = Some(OpenOffer { by: event.by, seq: event.seq });
            }
            ServerMessage::DrawDeclined(_) => self.draw_offer = None,
            ServerMessage::TakebackOffered(event) => {
                self.takeback_offer = Some(OpenOffer { by: event.by, seq: event.seq });
            }
            ServerMessage::TakebackDeclined(_) => self.takeback_offer = None,
            ServerMessage::TimeAdjusted(event) => self.set_clocks(event.white_ms, event.black_ms, now),
            ServerMessage::IlcRemedied(event) => {
                self.draw_offer = None;
                self.set_clocks(event.white_ms, event.black_ms, now);
            }
            // What ends the game is told with the end, and what a wrong claim leads to with that.
            ServerMessage::FlagFell(_) | ServerMessage::Resigned(_) | ServerMessage::AbsenceClaimed(_) => {
                self.is_deciding = true;
                return Change::Nothing;
            }
            ServerMessage::DrawClaimed(event) => {
                self.is_deciding = event.right;
                return Change::Nothing;
            }
            ServerMessage::Ended(event) => {
                (self.draw_offer, self.takeback_offer) = (None, None);
                self.outcome = Some(event.outcome);
                self.set_clocks(event.white_ms, event.black_ms, now);
                return Change::Ended;
            }
            _ => return Change::Nothing,
        }
        Change::State
    }

    /// Shows a side under this name.
    pub(super) fn rename(&mut self, side: WireColor, name: &str) {
        let player = match side {
            WireColor::White => &mut self.players.white,
            WireColor::Black => &mut self.players.black,
        };
        name.clone_into(&mut player.name);
    }

    /// The clocks, as the server showed them now.
    pub(super) fn set_clock(&mut self, clock: &Clock, now: ServiceInstant) {
        self.set_clocks(clock.white_ms, clock.black_ms, now);
    }

    fn set_clocks(&mut self, white: Option<u32>, black: Option<u32>, now: ServiceInstant) {
        (self.clocks, self.clocks_at) = (ByColor { white, black }, now);
    }

    /// The side to move.
    pub(super) fn turn(&self) -> WireColor {
        if self.fen.split(' ').nth(1) == Some("b") { WireColor::Black } else { WireColor::White }
    }

    /// The side of an account that plays it.
    pub(super) fn side_of(&self, account: AccountId) -> Option<WireColor> {
        let sides = [WireColor::White, WireColor::Black];
        sides.into_iter().find(|side| self.player(*side).account == account)
    }

    pub(super) const fn player(&self, side: WireColor) -> &PlayerView {
        match side {
            WireColor::White => &self.players.white,
            WireColor::Black => &self.players.black,
        }
    }

    /// Whether the last ply on the board is this one, by this side: a call that was made again is known by it.
    pub(super) fn has_just_played(&self, side: WireColor, uci: Uci) -> bool {
        self.last == Some(uci) && self.turn() != side
    }

    /// Whether nobody can do anything in it any more.
    pub(super) const fn is_over(&self) -> bool {
        self.is_deciding || self.outcome.is_some()
    }

    fn ms_left(&self, side: WireColor, now: ServiceInstant) -> u32 {
        let shown = match side {
            WireColor::White => self.clocks.white,
            WireColor::Black => self.clocks.black,
        };
        let Some(shown) = shown else { return NO_CLOCK_MS };
        let runs = !self.is_over() && self.turn() == side && self.plies >= CLOCKS_RUN_FROM_PLY;
        let gone = if runs { now.since(self.clocks_at).as_millis() } else { 0 };
        shown.saturating_sub(u32::try_from(gone).unwrap_or(u32::MAX))
    }

    fn has_own_start(&self) -> bool {
        self.start_fen != fen::write(&Position::standard())
    }

    fn initial_fen(&self) -> &str {
        // A Chess960 client makes up a position of its own for "startpos".
        let is_usual = self.variant == WireVariant::Standard && !self.has_own_start();
        if is_usual { "startpos" } else { &self.start_fen }
    }

    pub(super) fn variant_object(&self) -> Value {
        words::variant(self.variant, self.has_own_start())
    }

    fn increment_ms(&self) -> u32 {
        words::clock_ms(&self.time_control).map_or(0, |(_, increment)| increment)
    }

    /// How it stands: a line of its stream.
    pub(super) fn state(&self, now: ServiceInstant) -> Value {
        let increment = self.increment_ms();
        let (status, winner) = self.status();
        let mut state = json!({
            "type": "gameState", "moves": self.moves, "wtime": self.ms_left(WireColor::White, now),
            "btime": self.ms_left(WireColor::Black, now), "winc": increment, "binc": increment,
            "status": status.0,
        });
        let object = state.as_object_mut().expect("it is one");
        add_offer(object, self.draw_offer, ["wdraw", "bdraw"]);
        add_offer(object, self.takeback_offer, ["wtakeback", "btakeback"]);
        if let Some(winner) = winner {
            object.insert("winner".to_owned(), words::color(winner).into());
        }
        state
    }

    fn status(&self) -> (words::Status, Option<WireColor>) {
        self.outcome.as_ref().map_or((STARTED, None), words::ended)
    }

    /// All of it: the first line of its stream.
    pub(super) fn full(&self, now: ServiceInstant) -> Value {
        let (_, title) = words::perf(self.variant, &self.time_control);
        let mut full = json!({
            "type": "gameFull", "id": self.id, "variant": self.variant_object(), "speed": Speed::of(&self.time_control).key(),
            "perf": { "name": title }, "rated": self.rated, "createdAt": u64::from(self.began) * 1_000,
            "white": people::of_game(&self.players.white), "black": people::of_game(&self.players.black),
            "initialFen": self.initial_fen(), "state": self.state(now),
        });
        let object = full.as_object_mut().expect("it is one");
        if let Some((initial, increment)) = words::clock_ms(&self.time_control) {
            object.insert("clock".to_owned(), json!({ "initial": initial, "increment": increment }));
        }
        if let TimeControl::Days { days } = self.time_control {
            object.insert("daysPerTurn".to_owned(), days.into());
        }
        full
    }

    /// What a player is told of it beside its stream.
    pub(super) fn info(&self, side: WireColor, now: ServiceInstant) -> Value {
        let (status, winner) = self.status();
        let opponent = self.player(other(side));
        let (perf, _) = words::perf(self.variant, &self.time_control);
        let has_moved = self.plies > u32::from(side == WireColor::Black);
        let mut info = json!({
            "fullId": self.id, "gameId": self.id, "id": self.id, "fen": self.fen, "color": words::color(side),
            "lastMove": self.last.map(|last| last.to_string()).unwrap_or_default(), "source": self.source.word(),
            "status": { "id": status.1, "name": status.0 }, "variant": self.variant_object(),
            "speed": Speed::of(&self.time_control).key(), "perf": perf, "rated": self.rated, "hasMoved": has_moved,
            "opponent": people::opponent(opponent), "isMyTurn": !self.is_over() && self.turn() == side,
            "rating": people::rating(self.player(side)), "compat": { "bot": true, "board": true },
        });
        let object = info.as_object_mut().expect("it is one");
        let left = self.ms_left(side, now);
        if left != NO_CLOCK_MS {
            object.insert("secondsLeft".to_owned(), (left / 1_000).into());
        }
        if let Some(winner) = winner {
            object.insert("winner".to_owned(), words::color(winner).into());
        }
        info
    }
}

fn add_offer(state: &mut Map<String, Value>, offer: Option<OpenOffer>, [white, black]: [&str; 2]) {
    if let Some(OpenOffer { by, .. }) = offer {
        let name = if by == WireColor::White { white } else { black };
        state.insert(name.to_owned(), true.into());
    }
}

/// The other side.
pub(super) const fn other(side: WireColor) -> WireColor {
    match side {
        WireColor::White => WireColor::Black,
        WireColor::Black => WireColor::White,
    }
}
