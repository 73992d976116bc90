//! A game as a bot follows it: the moves so far, and which one it plays next.
//!
//! It plays any move that neither ends the game nor repeats a position, so that every game ends when a bot resigns.

use anyhow::{Context as _, Result, bail, ensure};
use zeitnot_protocol::{Uci, WireColor};
use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::uci;
use zeitnot_rules::verdict::{AutomaticDraws, after_move};

use crate::rng::Rng;

/// A bot resigns after so many half-moves: at least and at most.
const RESIGNS_AFTER: (u64, u64) = (16, 60);

/// The draws that the rules of pools know.
const DRAWS: AutomaticDraws = AutomaticDraws { repetitions: 3, quiet_plies: 100 };

/// What a bot does when it is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    Play(Uci),
    Resign,
}

/// A game, and when the bot resigns it.
#[derive(Clone, Debug)]
pub(super) struct Line {
    moves: Vec<Uci>,
    /// The positions so far, the newest last.
    positions: Vec<Position>,
    resigns_after: usize,
}

impl Line {
    pub(super) fn new(rng: &mut Rng) -> Result<Self> {
        let resigns_after = usize::try_from(rng.between(RESIGNS_AFTER.0, RESIGNS_AFTER.1))?;
        Ok(Self { moves: Vec::new(), positions: vec![Position::standard()], resigns_after })
    }

    pub(super) fn moves(&self) -> &[Uci] {
        &self.moves
    }

    /// The number of the event after which it now is somebody's move.
    pub(super) fn on(&self) -> u32 {
        u32::try_from(self.moves.len() + 1).unwrap_or(u32::MAX)
    }

    pub(super) fn turn(&self) -> WireColor {
        match self.position().side_to_move() {
            Color::White => WireColor::White,
            Color::Black => WireColor::Black,
        }
    }

    fn position(&self) -> &Position {
        self.positions.last().expect("it begins with the first position")
    }

    /// A move was played.
    pub(super) fn add(&mut self, played: Uci) -> Result<()> {
        let position = self.position();
        let mv = uci::parse(played.as_str(), position, Variant::Standard)
            .with_context(|| format!("{played} after {:?}", self.moves))?;
        let mut next = position.clone();
        next.play_unchecked(mv);
        self.moves.push(played);
        self.positions.push(next);
        Ok(())
    }

    /// All moves so far, as one is told them again and again: those that are known, and perhaps more.
    pub(super) fn follow(&mut self, told: &str) -> Result<()> {
        let told: Vec<&str> = told.split_whitespace().collect();
        ensure!(told.len() >= self.moves.len(), "{told:?} after {:?}", self.moves);
        for (index, text) in told.into_iter().enumerate() {
            let uci: Uci = text.parse().with_context(|| format!("{text} is no move"))?;
            match self.moves.get(index) {
                Some(known) if *known == uci => {}
                Some(known) => bail!("half-move {} was {known} and is {uci}", index + 1),
                None => self.add(uci)?,
            }
        }
        Ok(())
    }

    pub(super) fn choose(&self, rng: &mut Rng) -> Choice {
        if self.moves.len() >= self.resigns_after {
            return Choice::Resign;
        }
        let position = self.position();
        let mut moves: Vec<_> = position.legal_moves().into_iter().collect();
        rng.shuffle(&mut moves);
        let goes_on = moves.into_iter().find(|mv| {
            let mut next = position.clone();
            next.play_unchecked(*mv);
            after_move(&next, || 1, DRAWS).is_none()
                && !self.positions.iter().any(|seen| seen.same_position(&next))
        });
        goes_on.map_or(Choice::Resign, |mv| {
            let text = uci::write(mv, position, Variant::Standard);
            Choice::Play(text.as_str().parse().expect("the rules write UCI"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_goes_on_until_a_bot_resigns() {
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut line = Line::new(&mut rng).unwrap();
            while let Choice::Play(uci) = line.choose(&mut rng) {
                line.add(uci).unwrap();
            }
            assert!(line.moves().len() >= 16, "{line:?}");
        }
    }

    #[test]
    fn moves_that_are_told_must_be_those_that_are_known() {
        let mut line = Line::new(&mut Rng::new(1)).unwrap();
        line.follow("e2e4").unwrap();
        line.follow("e2e4 e7e5").unwrap();
        assert_eq!((line.on(), line.turn()), (3, WireColor::White));
        for wrong in ["e2e4", "e2e4 c7c5", "e2e4 e7e5 e7e5", "e2e4 e7e5 x"] {
            assert!(line.follow(wrong).is_err(), "{wrong}");
        }
    }
}
