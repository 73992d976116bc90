//! The books of one game: its log, its clocks, its running turn, who is there, and what was read
//! for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use zeitnot_protocol::{AccountId, CommandId};
use zeitnot_rules::board::{ByColor, Color, Move, Position};
use zeitnot_rules::game::{Bonus, Command, Event, Game, GameSetup, Seq, TimeControl};
use zeitnot_rules::notation::fen;
use zeitnot_rules::verdict::Reason;

use super::Awake;
use crate::connections::ConnectionId;
use crate::storage::Record;
use crate::time::ServiceInstant;

/// A command as a session read it.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) connection: ConnectionId,
    pub(super) account: AccountId,
    pub(super) stamp: ServiceInstant,
    pub(super) awake: Awake,
    pub(super) id: Option<CommandId>,
    pub(super) command: Command,
    /// It was answered, or its way to the actor is cut.
    pub(super) is_settled: bool,
}

/// The running turn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    pub(super) start: Option<TurnStart>,
    /// The service it had before it was interrupted; `None` when it was not.
    pub(super) interrupted: Option<u64>,
    /// How often the process was gone while the game was at rest.
    pub(super) stops_at_rest: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TurnStart {
    pub(super) at: ServiceInstant,
    pub(super) awake: Awake,
    pub(super) allowance: u64,
}

/// A player's connection as the actor knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined {
    pub(super) connection: ConnectionId,
    pub(super) seat: Color,
    pub(super) round_trip: Option<u64>,
}

/// The state after an event, as people see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shown {
    pub(super) fen: String,
    pub(super) on: Seq,
    pub(super) plies: u32,
    pub(super) clocks_ms: ByColor<Option<u32>>,
    pub(super) has_ended: bool,
}

/// The books of one game.
#[derive(Debug)]
pub(in crate::simulation) struct Book {
    pub(super) setup: GameSetup,
    pub(super) records: Vec<Arc<Record>>,
    /// The fold of `records`.
    pub(super) game: Game,
    /// After each event; the first is that of seq 1.
    pub(super) shown: Vec<Shown>,
    pub(super) texts: BTreeMap<Seq, String>,
    pub(super) reads: Vec<Read>,
    pub(super) joined: Vec<Joined>,
    pub(super) turn: Turn,
    pub(super) remaining: ByColor<u64>,
    pub(super) bank: ByColor<u64>,
    pub(super) bases: ByColor<usize>,
    pub(super) remedy: Option<Bonus>,
    pub(super) draw_offer: Option<(Color, Seq)>,
    pub(super) takeback_offer: Option<(Color, Seq)>,
    /// A flag fell, somebody resigned, or a win by absence was claimed.
    pub(super) is_stopped: bool,
    pub(super) has_ended: bool,
    pub(super) recovered: Option<ServiceInstant>,
    pub(super) last_when_recovered: Option<Seq>,
    /// The records that were looked at when they were decided, with the mover's round trip.
    pub(super) decided: Vec<(Arc<Record>, u64)>,
}

impl Book {
    pub(super) fn new(setup: &GameSetup, first: &Arc<Record>) -> Self {
        let game = Game::replay(&first.events);
        let mut book = Self {
            setup: setup.clone(),
            records: vec![Arc::clone(first)],
            shown: Vec::new(),
            texts: BTreeMap::new(),
            reads: Vec::new(),
            joined: Vec::new(),
            turn: Turn::default(),
            remaining: ByColor::both(0),
            bank: ByColor::both(0),
            bases: ByColor::both(1),
            remedy: None,
            draw_offer: None,
            takeback_offer: None,
            is_stopped: false,
            has_ended: false,
            recovered: None,
            last_when_recovered: None,
            decided: Vec::new(),
            game,
        };
        book.open_clocks();
        book.show();
        book
    }

    /// The last durable event.
    pub(in crate::simulation) fn last_seq(&self) -> Seq {
        self.game.seq()
    }

    pub(in crate::simulation) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Every durable event.
    pub(in crate::simulation) fn events(&self) -> impl Iterator<Item = &Event> {
        self.records.iter().flat_map(|record| &record.events)
    }

    pub(super) fn account(&self, seat: Color) -> AccountId {
        AccountId::from_u128(self.setup.players[seat])
    }

    pub(super) fn seat_of(&self, account: AccountId) -> Option<Color> {
        Color::ALL.into_iter().find(|&seat| self.account(seat) == account)
    }

    pub(super) fn is_here(&self, seat: Color) -> bool {
        self.joined.iter().any(|joined| joined.seat == seat)
    }

    /// The least of the seat's open connections'; `None` when none was measured.
    pub(super) fn round_trip(&self, seat: Color) -> Option<u64> {
        let of_seat = self.joined.iter().filter(|joined| joined.seat == seat);
        of_seat.filter_map(|joined| joined.round_trip).min()
    }

    /// Notes how the game looks after its last event.
    pub(super) fn show(&mut self) {
        let has_clocks = self.setup.time_control != TimeControl::Unlimited;
        let ms = |us: u64| has_clocks.then_some(us.div_ceil(1_000) as u32);
        self.shown.push(Shown {
            fen: fen::write(self.game.position()),
            on: self.game.position_seq(),
            plies: self.game.ply_count(),
            clocks_ms: ByColor { white: ms(self.remaining.white), black: ms(self.remaining.black) },
            has_ended: self.has_ended,
        });
    }

    pub(super) fn shown_at(&self, seq: Seq) -> Option<&Shown> {
        self.shown.get((seq as usize).checked_sub(1)?)
    }

    /// The record that was made of this command of an account.
    pub(super) fn record_of(
        &self,
        account: AccountId,
        id: Option<CommandId>,
        command: &Command,
    ) -> Option<usize> {
        self.records.iter().position(|record| {
            record.account == Some(account)
                && match id {
                    Some(id) => record.command == Some(id),
                    None => record.command.is_none() && self.is_of(record, command),
                }
        })
    }

    /// Whether the command with this id asks for just what this record says, so that it gets its
    /// `ok` too.
    pub(super) fn means(&self, account: AccountId, id: CommandId, record: &Record) -> bool {
        let read = self.reads.iter().find(|read| read.account == account && read.id == Some(id));
        read.is_some_and(|read| self.is_of(record, &read.command))
    }

    /// Whether a record says what is asked for here; only what names a position or an offer can be
    /// told.
    fn is_of(&self, record: &Record, command: &Command) -> bool {
        let before = self.shown_at(record.first_seq - 1);
        let is_on = |on: Seq| before.is_some_and(|before| before.on == on);
        match (command, &record.events[0]) {
            (Command::PlayMove { on, mv: sent }, Event::MovePlayed { mv, .. }) => {
                let position = before.and_then(|before| fen::parse(&before.fen).ok());
                is_on(*on) && position.is_some_and(|position| is_written(*sent, *mv, &position))
            }
            (Command::ClaimDraw { on, intended: sent }, Event::DrawClaimed { intended, .. }) => {
                is_on(*on) && sent.is_some() == intended.is_some()
            }
            (Command::AcceptDraw { .. }, Event::Ended { outcome, .. }) => outcome.reason == Reason::Agreement,
            (Command::DeclineDraw { .. }, Event::DrawDeclined { .. } | Event::IlcRemedied { .. })
            | (Command::AcceptTakeback { .. }, Event::TakenBack { .. })
            | (Command::DeclineTakeback { .. }, Event::TakebackDeclined { .. }) => true,
            _ => false,
        }
    }

    /// How many records of this account came after the one at `index`.
    pub(super) fn later_records(&self, account: AccountId, index: usize) -> usize {
        self.records[index + 1..].iter().filter(|record| record.account == Some(account)).count()
    }
}

/// Whether what was sent means this move in this position. Castling may be written with the king's
/// goal.
pub(super) fn is_written(sent: Move, mv: Move, position: &Position) -> bool {
    let (text, castles) = (format!("{}{}", sent.from, sent.to), position.castling_side(mv).is_some());
    let squares = format!("{}{}", mv.from, mv.to);
    let castled = match &text[2..3] {
        "g" if castles => format!("{}h{}", &text[..2], &text[3..4]),
        "c" if castles => format!("{}a{}", &text[..2], &text[3..4]),
        _ => String::new(),
    };
    (text == squares || castled == squares) && sent.promotion == mv.promotion
}
