//! What players want: moves mostly, and everything else that a player may say. Some commands have no id.

use zeitnot_protocol::{
    AnswerOffer, ClaimDraw, ClientMessage, CommandId, GameCommand, GameId, GiveTime, PlayMove, Turn,
};

use super::client::{Board, Sent, Tab};
use crate::simulation::dice::Dice;

/// So many commands may wait for an answer.
const UNANSWERED_MAX: usize = 2;

impl Tab {
    /// What this player wants to do in a game now.
    pub(super) fn wants(&mut self, game: GameId) -> Option<Sent> {
        let now = self.world.clock.now();
        let board = {
            let state = self.person.state();
            let of_game = state.unanswered.iter().filter(|sent| sent.game == game).count();
            if of_game >= UNANSWERED_MAX || self.world.lots.is_healing() && of_game > 0 {
                return None;
            }
            state.boards.get(&game).cloned().unwrap_or_default()
        };
        if board.has_ended {
            return None;
        }
        let turn = board.turn.clone().filter(|_| board.thinks_until <= now);
        let is_late = self.world.is_late();
        let has_thought = turn.is_some();
        let message = {
            let mut dice = self.world.lots.dice();
            match (turn, is_late) {
                (_, true) => Some((ClientMessage::Resign(GameCommand { game, id: None }), true)),
                (Some(turn), false) => Some(on_the_move(&mut dice, &turn, &board)),
                (None, false) if self.world.lots.is_healing() => None,
                (None, false) => out_of_turn(&mut dice, game, &board),
            }
        };
        let (mut message, may_be_nameless) = message?;
        if has_thought && let Some(board) = self.person.state().boards.get_mut(&game) {
            // If this does not end the turn, the next thought comes a while later.
            let wait = self.world.lots.dice().within(300_000, 1_500_000);
            board.thinks_until = now + std::time::Duration::from_micros(wait);
        }
        let is_move = matches!(message, ClientMessage::Move(_));
        let is_nameless = may_be_nameless && !is_late && self.world.lots.dice().one_in(4);
        let id: Option<CommandId> = (!is_nameless).then(|| {
            let mut state = self.person.state();
            state.commands += 1;
            format!("p{}n{}", self.person.number, state.commands).parse().expect("letters and digits")
        });
        name(&mut message, id);
        Some(self.command(game, message.to_text(), id, id.is_some() || is_move))
    }
}

/// What a player does on the move, and whether it may have no id.
fn on_the_move(dice: &mut Dice, turn: &Turn, board: &Board) -> (ClientMessage, bool) {
    let game = turn.game;
    match dice.below(30) {
        0 => {
            let uci = dice.one_in(2).then(|| *dice.pick(&turn.legal));
            (ClientMessage::ClaimDraw(ClaimDraw { game, on: turn.on, uci, id: None }), false)
        }
        1 => out_of_turn(dice, game, board)
            .unwrap_or((ClientMessage::OfferDraw(GameCommand { game, id: None }), true)),
        _ => {
            let uci = *dice.pick(&turn.legal);
            (ClientMessage::Move(PlayMove { game, on: turn.on, uci, id: None }), true)
        }
    }
}

fn out_of_turn(dice: &mut Dice, game: GameId, board: &Board) -> Option<(ClientMessage, bool)> {
    let plain = GameCommand { game, id: None };
    if let Some((_, offer)) = board.draw_offer.filter(|_| dice.one_in(20)) {
        let answer = AnswerOffer { game, offer, id: None };
        let accepts = dice.one_in(6);
        return Some((
            if accepts { ClientMessage::AcceptDraw(answer) } else { ClientMessage::DeclineDraw(answer) },
            false,
        ));
    }
    if let Some((_, offer)) = board.takeback_offer.filter(|_| dice.one_in(20)) {
        let answer = AnswerOffer { game, offer, id: None };
        let accepts = dice.one_in(2);
        return Some((
            if accepts {
                ClientMessage::AcceptTakeback(answer)
            } else {
                ClientMessage::DeclineTakeback(answer)
            },
            false,
        ));
    }
    Some(match dice.below(400) {
        0..=11 => {
            let ms = dice.within(1_000, 60_000) as u32;
            (ClientMessage::GiveTime(GiveTime { game, ms, id: None }), true)
        }
        12 | 13 => (ClientMessage::OfferTakeback(plain), true),
        14 | 15 => (ClientMessage::OfferDraw(plain), true),
        16 if dice.one_in(4) => (ClientMessage::Resign(plain), true),
        _ => return None,
    })
}

/// Gives a command its id.
fn name(message: &mut ClientMessage, new: Option<CommandId>) {
    match message {
        ClientMessage::Move(m) => m.id = new,
        ClientMessage::ClaimDraw(m) => m.id = new,
        ClientMessage::GiveTime(m) => m.id = new,
        ClientMessage::Resign(m) | ClientMessage::OfferDraw(m) | ClientMessage::OfferTakeback(m) => {
            m.id = new;
        }
        ClientMessage::AcceptDraw(m)
        | ClientMessage::DeclineDraw(m)
        | ClientMessage::AcceptTakeback(m)
        | ClientMessage::DeclineTakeback(m) => m.id = new,
        _ => {}
    }
}
