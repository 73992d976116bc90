//! What becomes durable: one log for each game, in which nothing is doubled, and no turn is charged what it did not take.

use std::sync::Arc;
use std::time::Duration;

use zeitnot_protocol::{AccountId, GameId, Limits};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{AdjustmentCause, Event, Game, Seq};
use zeitnot_rules::notation::fen;

use super::{Book, Checker, Fault, Look, Read, holds};
use crate::simulation::cluster::postgres::{Changes, Key, Value};
use crate::storage::encoding::{self, Row};
use crate::storage::{NodeNumber, Record};
use crate::time::ServiceInstant;

/// Timers are as coarse.
const COARSE: Duration = Duration::from_millis(5);
/// How long a message may take to another node, with all that holds it up, while it is not lost.
const ON_THE_WAY: Duration = Duration::from_millis(1_500);

impl Checker {
    /// A transaction is durable.
    pub(in crate::simulation::cluster) fn durable(
        &mut self,
        boot: uuid::Uuid,
        changes: &Changes,
        at: ServiceInstant,
    ) {
        for (key, value) in changes {
            match (key, value) {
                (Key::Row(game, n), Some(Value::Bytes(row))) => self.row(boot, game, *n, row, at),
                (Key::Node(number), Some(Value::Node(node))) if node.is_dead() => {
                    self.dead.insert(NodeNumber(number.cast_unsigned()));
                }
                (Key::Archived(game), Some(_)) => {
                    if let Some(book) = game.parse().ok().and_then(|game: GameId| self.books.get_mut(&game)) {
                        book.is_archived = true;
                    }
                }
                _ => {}
            }
        }
        let torn = self.books.iter().find(|(_, book)| book.is_archived != book.game.has_ended());
        if let Some((game, book)) = torn {
            let detail =
                format!("{game}: it has ended: {}, archived: {}", book.game.has_ended(), book.is_archived);
            self.complain(Fault::EndWithoutRecord, detail);
        }
    }

    fn row(&mut self, boot: uuid::Uuid, game: &str, n: i32, row: &[u8], at: ServiceInstant) {
        let game: GameId = game.parse().expect("it is a game");
        let writer = self.boots.get(&boot).copied();
        let (owner, last) = self.owners.get(&game).copied().unzip();
        let last = last.unwrap_or_default();
        if n != last + 1 {
            self.complain(Fault::BrokenLog, format!("row {n} of {game} follows {last}"));
        }
        let owner = match encoding::decode(row) {
            Ok(Row::Claim { node, .. }) => Some(NodeNumber(node)),
            _ => owner.or(writer),
        };
        if let Some(owner) = owner {
            self.owners.insert(game, (owner, n));
        }
        match encoding::decode(row) {
            Ok(Row::Claim { .. }) => self.hit("claimed"),
            Ok(Row::Record { record, .. }) => {
                if writer.is_some() && writer != owner {
                    let detail = format!("row {n} of {game} is {writer:?}'s, and the game {owner:?}'s");
                    self.complain(Fault::NotItsOwner, detail);
                }
                let looked = self.record(&record, at);
                self.keep(looked, &format!("row {n} of {game}: {record:?}"));
            }
            other => self.complain(Fault::BrokenLog, format!("row {n} of {game} is {other:?}")),
        }
    }

    fn record(&mut self, record: &Arc<Record>, at: ServiceInstant) -> Look {
        let game = record.game;
        let last = self.books.get(&game).map_or(0, |book| book.game.seq());
        holds(record.first_seq == last + 1, Fault::BrokenLog, || format!("it follows event {last}"))?;
        if let Some(Event::Started(setup)) = record.events.first() {
            let same = self.books.iter().find(|(_, book)| book.setup.players == setup.players);
            holds(same.is_none(), Fault::TwoGames, || {
                format!("{:?} is for the same place", same.map(|(id, _)| *id))
            })?;
            let book = Book {
                setup: Arc::new((**setup).clone()),
                records: vec![(Arc::clone(record), at)],
                game: Game::replay(&record.events),
                shown: Vec::new(),
                texts: std::collections::BTreeMap::new(),
                is_archived: false,
            };
            self.books.insert(game, book);
        } else {
            self.is_no_repetition(record)?;
            self.is_charged_right(record, at)?;
            let book = self.books.get_mut(&game).expect("its game has begun");
            record.events.iter().for_each(|event| book.game.evolve(event));
            book.records.push((Arc::clone(record), at));
        }
        let book = self.books.get_mut(&game).expect("it was just there");
        let shown = (fen::write(book.game.position()), book.game.has_ended());
        // Of a record with several events only the last one is shown.
        book.shown.resize(book.game.seq() as usize, shown);
        let kinds: Vec<_> = record.events.iter().map(kind).collect();
        kinds.into_iter().for_each(|kind| self.hit(format!("event: {kind}")));
        Ok(())
    }

    /// No command has its effect twice while its answer is kept.
    fn is_no_repetition(&mut self, record: &Record) -> Look {
        let Some(account) = record.account else { return Ok(()) };
        if let Some(id) = record.command {
            let before = self.commands.insert((record.game, account, id.to_string()), record.first_seq);
            if let Some(before) = before {
                let is_kept = self.is_kept(record.game, account, before);
                // Another `ok` is right for what counts as another command.
                self.oks.remove(&(account, id.to_string()));
                return holds(!is_kept, Fault::Doubled, || "its command had its effect before".to_owned());
            }
        }
        let claims = record.events.iter().any(|event| matches!(event, Event::DrawClaimed { .. }));
        let kinds = record.events.iter().filter(|_| !claims).filter_map(|event| match event {
            Event::DrawOffered { .. } => Some("offer_draw"),
            Event::TakebackOffered { .. } => Some("offer_takeback"),
            Event::TimeAdjusted { cause: AdjustmentCause::GiveTime { .. }, .. } => Some("give_time"),
            _ => None,
        });
        for kind in kinds {
            let key = (record.game, account, kind.to_owned());
            let sent = self.sent.get(&key).copied().unwrap_or_default();
            let effects = self.effects.entry(key).or_default();
            *effects += 1;
            holds(*effects <= sent, Fault::Doubled, || format!("{kind} was sent {sent} times"))?;
        }
        Ok(())
    }

    /// A turn is charged at most what passed from the record before it to the command, and no flag falls in spite of a move.
    fn is_charged_right(&self, record: &Record, at: ServiceInstant) -> Look {
        let book = &self.books[&record.game];
        let (base, mover) = (book.game.position_seq(), book.game.turn());
        let account = AccountId::from_u128(book.setup.players[mover]);
        for event in &record.events {
            match event {
                Event::MovePlayed { charge: Some(charge), .. } => {
                    self.is_charged_at_most(
                        record.game,
                        base,
                        account,
                        Duration::from_micros(charge.took.0),
                        at,
                    )?;
                }
                Event::FlagFell { .. } => {
                    if let Some(charge) = event.charge() {
                        self.is_no_false_flag(
                            record.game,
                            base,
                            account,
                            Duration::from_micros(charge.took.0),
                            record.first_seq,
                        )?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether fewer commands of the player took effect since this one than answers are kept.
    pub(super) fn is_kept(&self, game: GameId, account: AccountId, command: Seq) -> bool {
        let since =
            |(record, _): &&(Arc<Record>, _)| record.account == Some(account) && record.first_seq > command;
        let count = self.books[&game].records.iter().filter(since).count();
        count < Limits::STANDARD.answers_kept as usize
    }

    fn is_charged_at_most(
        &self,
        game: GameId,
        base: Seq,
        account: AccountId,
        took: Duration,
        now: ServiceInstant,
    ) -> Look {
        let Some(since) = self.begun(game, base) else { return Ok(()) };
        let reads =
            self.reads.iter().filter(|read| read.game == game && read.on == base && read.account == account);
        // A node that did not know of the turn says how long ago the move was read, and its way to the owner is charged.
        let knew = |read: &Read| {
            self.written.get(&(read.connection.node, game, base)).is_some_and(|written| *written <= read.at)
        };
        let last = |read: &Read| if knew(read) { read.at } else { now.min(read.at + ON_THE_WAY) };
        let Some(last) = reads.map(last).max() else {
            return Err((Fault::BrokenLog, "nobody has read this move".to_owned()));
        };
        let most = last.since(since) + COARSE;
        holds(took <= most, Fault::Charged, || format!("{took:?} were charged, and it took {most:?} at most"))
    }

    fn is_no_false_flag(
        &self,
        game: GameId,
        base: Seq,
        account: AccountId,
        limit: Duration,
        first: Seq,
    ) -> Look {
        let Some(since) = self.begun(game, base) else { return Ok(()) };
        let position = self.books[&game].game.position();
        let reads =
            self.reads.iter().filter(|read| read.game == game && read.on == base && read.account == account);
        let owner = self.owners.get(&game).map(|(owner, _)| *owner);
        let is_told = |node: NodeNumber| self.written.contains_key(&(node, game, base));
        let is_told_somewhere = self.written.keys().any(|(_, of, on)| (*of, *on) == (game, base));
        for read in reads {
            let node = read.connection.node;
            let took = read.at.since(since);
            // Whoever was told of the turn over another node is not asked over one that is lost, and has told nothing of it, or
            // before the player acted over the other one: then the turn goes on from there. One that has come again since the
            // flag was decided, and before that was durable, came too late. An owner that has claimed the game and could not hear
            // this node since knows the player by other connections alone, and the turn goes on with those.
            let is_lost = owner.is_none_or(|owner| !self.links.was_asked(owner, node, game, first));
            let is_asked = !is_lost
                || !is_told_somewhere
                || is_told(node)
                    && !self.has_acted_elsewhere(game, account, node)
                    && !self.is_known_elsewhere_only(game, base, node);
            // Nothing comes any more from one that is found dead, however long it goes on.
            let is_awaited = is_asked && self.living.contains(&node) && !self.dead.contains(&node);
            let is_there = is_awaited && self.open.contains(&read.connection);
            let Ok(zeitnot_protocol::ClientMessage::Move(played)) =
                zeitnot_protocol::decode_client(&read.text)
            else {
                continue;
            };
            let is_legal = position
                .legal_moves()
                .iter()
                .any(|mv| played.uci.as_str().starts_with(&format!("{}{}", mv.from, mv.to)));
            holds(!is_there || !is_legal || took + COARSE >= limit, Fault::FalseFlag, || {
                format!("a move was read on node {node} after {took:?}, and the limit was {limit:?}")
            })?;
        }
        Ok(())
    }

    /// Whether a player has acted since the owner has lost this node, over one that it had not lost.
    fn has_acted_elsewhere(&self, game: GameId, account: AccountId, lost: NodeNumber) -> bool {
        let Some((owner, _)) = self.owners.get(&game) else { return false };
        let Some(lost_at) = self.links.lost_at(*owner, lost) else { return false };
        let of_player = self.acted.iter().filter(|((of, by, _), _)| (*of, *by) == (game, account));
        of_player
            .filter(|((_, _, node), _)| *node != lost && self.links.is_followed(*owner, *node, game))
            .any(|(_, at)| *at + ON_THE_WAY >= lost_at)
    }

    /// Whether the owner has never been told who follows the game on this node, and the turn of this base was told to its player over
    /// another one that the owner hears.
    fn is_known_elsewhere_only(&self, game: GameId, base: Seq, node: NodeNumber) -> bool {
        let Some((owner, _)) = self.owners.get(&game) else { return false };
        let mut told = self.written.keys().filter(|(_, of, on)| (*of, *on) == (game, base));
        !self.links.was_followed(*owner, node, game)
            && told.any(|(other, ..)| *other != node && self.links.is_followed(*owner, *other, game))
    }

    /// When the position of this base was durable: its turn has not begun before.
    fn begun(&self, game: GameId, base: Seq) -> Option<ServiceInstant> {
        let of_base = self.books[&game].records.iter().find(|(record, _)| record.last_seq() >= base);
        of_base.map(|(_, at)| *at)
    }

    /// Whether a game of this place has ended.
    pub(in crate::simulation::cluster) fn game_of(&self, white: AccountId) -> Option<(GameId, bool)> {
        let is_of = |book: &Book| AccountId::from_u128(book.setup.players[Color::White]) == white;
        self.books.iter().find(|(_, book)| is_of(book)).map(|(game, book)| (*game, book.game.has_ended()))
    }
}

fn kind(event: &Event) -> String {
    let text = format!("{event:?}");
    text.split([' ', '(']).next().unwrap_or_default().to_owned()
}
