//! What people want: moves mostly, and everything else that a client may say.

use zeitnot_protocol::{
    AnswerOffer, ClaimAbsence, ClaimDraw, ClientMessage, DrawOrWin, GameCommand, GameId, GiveTime,
    HistoryRequest, PlayMove, Turn, Uci, WireColor,
};
use zeitnot_rules::notation::fen;

use super::World;
use super::checker::TabId;
use super::person::{Board, Sent};
use super::world::What;

/// So many commands may wait for an answer. Fewer than the answers that are kept.
const UNANSWERED_MAX: usize = 3;
/// After so long without an answer a command is sent again.
const SENT_AGAIN_AFTER: u64 = 900_000;

impl World {
    /// How long a person thinks. Some wait until the flag is about to fall.
    pub(super) fn think_time(&mut self, person: usize, turn: &Turn) -> u64 {
        if self.is_healing {
            return self.dice.below(50_000);
        }
        let clock = match self.people[person].seats.get(&turn.game) {
            Some(WireColor::White) => turn.white_ms,
            _ => turn.black_ms,
        };
        let races = if self.people[person].races { 3 } else { 20 };
        let lot = self.dice.below(12);
        match clock {
            Some(ms) if ms < 30_000 && self.dice.one_in(races) => {
                let about = u64::from(ms) * 1_000 + self.dice.below(3_000);
                about.saturating_sub(self.dice.span(2 * self.faults.latency + 2_000))
            }
            _ if lot == 0 => self.dice.below(6_000_000),
            _ => self.dice.span(900_000),
        }
    }

    /// It is still this person's turn: does something about it.
    pub(super) fn think(&mut self, person: usize, game: GameId, on: u32) {
        let board = self.board(person, game).clone();
        let Some(turn) = board.turn.clone().filter(|turn| turn.on == on && !board.has_ended) else { return };
        let message = match self.dice.below(100) {
            _ if self.is_healing => self.a_move(person, &turn, &board),
            0..=2 => self.a_claim(&turn),
            3..=6 => self.an_answer_or_offer(game, &board),
            7 => self.a_wrong_move(&turn),
            8 => ClientMessage::AskIlc(GameCommand { game, id: None }),
            _ => self.a_move(person, &turn, &board),
        };
        self.command(person, game, message);
        // If that was no move, it is still the turn.
        let wait = self.dice.within(300_000, 1_500_000);
        self.after(wait, What::Think { person, game, on });
    }

    fn a_move(&mut self, person: usize, turn: &Turn, board: &Board) -> ClientMessage {
        let back = board.last_own_move.as_ref().map(|own| format!("{}{}", &own[2..4], &own[..2]));
        let back = back.and_then(|back| turn.legal.iter().find(|uci| uci.as_str() == back).copied());
        let uci = match back {
            Some(back) if self.people[person].shuffles && !self.dice.one_in(8) => back,
            _ => match self.dice.one_in(4).then(|| mating(turn)).flatten() {
                Some(mate) => mate,
                None => *self.dice.pick(&turn.legal),
            },
        };
        self.board(person, turn.game).last_own_move = Some(uci.as_str().to_owned());
        ClientMessage::Move(PlayMove { game: turn.game, on: turn.on, uci, id: None })
    }

    /// On an earlier position, or not legal.
    fn a_wrong_move(&mut self, turn: &Turn) -> ClientMessage {
        let (on, uci) = if self.dice.one_in(2) {
            (turn.on.saturating_sub(1).max(1), *self.dice.pick(&turn.legal))
        } else {
            (turn.on, "a1a1".parse().expect("it has the form of a move"))
        };
        ClientMessage::Move(PlayMove { game: turn.game, on, uci, id: None })
    }

    fn a_claim(&mut self, turn: &Turn) -> ClientMessage {
        let uci = self.dice.one_in(2).then(|| *self.dice.pick(&turn.legal));
        ClientMessage::ClaimDraw(ClaimDraw { game: turn.game, on: turn.on, uci, id: None })
    }

    fn an_answer_or_offer(&mut self, game: GameId, board: &Board) -> ClientMessage {
        let plain = GameCommand { game, id: None };
        if let Some((_, offer)) = board.draw_offer.filter(|_| self.dice.one_in(2)) {
            let answer = AnswerOffer { game, offer, id: None };
            return if self.dice.one_in(3) {
                ClientMessage::AcceptDraw(answer)
            } else {
                ClientMessage::DeclineDraw(answer)
            };
        }
        if let Some((_, offer)) = board.takeback_offer.filter(|_| self.dice.one_in(2)) {
            let answer = AnswerOffer { game, offer, id: None };
            return if self.dice.one_in(2) {
                ClientMessage::AcceptTakeback(answer)
            } else {
                ClientMessage::DeclineTakeback(answer)
            };
        }
        match self.dice.below(5) {
            0 => ClientMessage::GiveTime(GiveTime {
                game,
                ms: self.dice.within(1_000, 60_000) as u32,
                id: None,
            }),
            1 | 2 => ClientMessage::OfferTakeback(plain),
            _ => ClientMessage::OfferDraw(plain),
        }
    }

    /// Out of turn: answers, offers, claims, an end.
    fn out_of_turn(&mut self, person: usize, game: GameId) {
        let board = self.board(person, game).clone();
        if board.has_ended {
            return;
        }
        let plain = GameCommand { game, id: None };
        let message = match self.dice.below(60) {
            _ if board.claimable_at.is_some_and(|at| at <= self.now) => {
                let result = if self.dice.one_in(3) { DrawOrWin::Draw } else { DrawOrWin::Win };
                ClientMessage::ClaimAbsence(ClaimAbsence { game, result, id: None })
            }
            0 => ClientMessage::Resign(plain),
            1 => ClientMessage::Abort(plain),
            2 => ClientMessage::ClaimAbsence(ClaimAbsence { game, result: DrawOrWin::Win, id: None }),
            3..=9 => self.an_answer_or_offer(game, &board),
            _ if board.draw_offer.is_some() || board.takeback_offer.is_some() => {
                if self.dice.one_in(2) {
                    return;
                }
                self.an_answer_or_offer(game, &board)
            }
            _ => return,
        };
        self.command(person, game, message);
    }

    /// Sends a new command, unless too many wait for their answers.
    fn command(&mut self, person: usize, game: GameId, mut message: ClientMessage) {
        if self.people[person].unanswered.len() >= UNANSWERED_MAX {
            return;
        }
        let is_move = matches!(message, ClientMessage::Move(_));
        let has_nameless = self.people[person].unanswered.iter().any(|sent| sent.id.is_none());
        let id = if is_move && !has_nameless && self.dice.one_in(6) {
            None
        } else {
            self.people[person].commands += 1;
            let id = format!("p{person}n{}", self.people[person].commands);
            Some(id.parse().expect("letters and digits"))
        };
        name(&mut message, id);
        let text = message.to_text();
        self.people[person].unanswered.push(Sent { game, id, text: text.clone(), at: self.now });
        let Some(tab) = self.some_tab(person) else { return };
        self.say(tab, &text);
        if !self.is_healing && self.dice.permille(self.faults.doubled) {
            self.checker.coverage.hit("fault: doubled command");
            if let Some(tab) = self.some_tab(person) {
                self.say(tab, &text);
            }
        }
    }

    /// Looks around now and then.
    pub(super) fn look_around(&mut self, person: usize) {
        self.connects(person);
        self.sends_again(person);
        for game in self.people[person].seats.keys().copied().collect::<Vec<_>>() {
            if self.is_healing { self.finish(person, game) } else { self.out_of_turn(person, game) }
        }
        self.looks_on(person);
        let wait = if self.is_healing { 300_000 } else { self.dice.within(200_000, 1_500_000) };
        self.after(wait, What::LookAround { person });
    }

    fn sends_again(&mut self, person: usize) {
        let late = |sent: &Sent, now: u64| now - sent.at >= SENT_AGAIN_AFTER;
        for index in 0..self.people[person].unanswered.len() {
            let sent = &mut self.people[person].unanswered[index];
            if !late(sent, self.now) {
                continue;
            }
            sent.at = self.now;
            let text = sent.text.clone();
            if let Some(tab) = self.some_tab(person) {
                self.say(tab, &text);
            }
        }
    }

    /// Nothing is wrong any more: one move if it is the turn, then the end.
    fn finish(&mut self, person: usize, game: GameId) {
        let board = self.board(person, game).clone();
        let waits = self.people[person].unanswered.iter().any(|sent| sent.game == game);
        if board.has_ended || waits || self.now < self.healed_at + 2_500_000 {
            return;
        }
        if self.board(person, game).moves_while_healing == 0
            && let Some(turn) = board.turn
        {
            self.board(person, game).moves_while_healing = 1;
            return self.think(person, game, turn.on);
        }
        if self.now > self.healed_at + 5_000_000 {
            self.command(person, game, ClientMessage::Resign(GameCommand { game, id: None }));
        }
    }

    /// Watches what is not followed; spectators also look away, and read what was before.
    fn looks_on(&mut self, person: usize) {
        for tab in self.people[person].tabs.clone() {
            if self.tabs[tab as usize].connection.is_none() {
                continue;
            }
            let seats = self.people[person].seats.keys().copied().collect::<Vec<_>>();
            for game in self.people[person].watches.clone().into_iter().chain(seats) {
                self.looks_at(person, tab, game);
            }
        }
    }

    fn looks_at(&mut self, person: usize, tab: TabId, game: GameId) {
        let is_away =
            self.tabs[tab as usize].unwatched.contains(&game) || !self.checker.is_following(tab, game);
        if is_away && (self.is_healing || self.dice.one_in(3)) {
            return self.watches(tab, game);
        }
        if self.is_healing {
            return;
        }
        if self.dice.one_in(12) && self.people[person].account.is_none() {
            self.looks_away(tab, game);
        } else if self.dice.one_in(20) {
            self.checker.coverage.hit("act: history");
            let history = HistoryRequest { game, from: 1, id: Some("h".parse().expect("an id")) };
            self.say(tab, &ClientMessage::History(history).to_text());
        }
    }
}

/// A move that mates.
fn mating(turn: &Turn) -> Option<Uci> {
    let position = fen::parse(&turn.fen).ok()?;
    turn.legal.iter().copied().find(|uci| {
        let Some(mv) = position
            .legal_moves()
            .into_iter()
            .find(|mv| uci.as_str().starts_with(&format!("{}{}", mv.from, mv.to)))
        else {
            return false;
        };
        let mut next = position.clone();
        next.play(mv).is_ok() && next.in_check() && !next.has_legal_move()
    })
}

/// Gives a command its id.
fn name(message: &mut ClientMessage, new: Option<zeitnot_protocol::CommandId>) {
    match message {
        ClientMessage::Move(m) => m.id = new,
        ClientMessage::ClaimDraw(m) => m.id = new,
        ClientMessage::ClaimAbsence(m) => m.id = new,
        ClientMessage::GiveTime(m) => m.id = new,
        ClientMessage::Resign(m)
        | ClientMessage::OfferDraw(m)
        | ClientMessage::Abort(m)
        | ClientMessage::OfferTakeback(m)
        | ClientMessage::AskIlc(m) => m.id = new,
        ClientMessage::AcceptDraw(m)
        | ClientMessage::DeclineDraw(m)
        | ClientMessage::AcceptTakeback(m)
        | ClientMessage::DeclineTakeback(m) => m.id = new,
        _ => {}
    }
}
