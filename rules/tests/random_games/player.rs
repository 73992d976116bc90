//! Plays one random game: chooses inputs and instants, and lets the auditor check everything that
//! follows.

use zeitnot_rules::board::{ByColor, Color, Move, Square};
use zeitnot_rules::game::{
    AbsenceWish, ArbiterAct, Command, Event, Fact, Game, GameInstant, Input, Micros, Rejection,
};
use zeitnot_rules::verdict::{Limits, Outcome, Reason, Score};

use crate::audit::Audit;
use crate::dice::Dice;
use crate::setups::random_setup;

/// What the games must contain for the test to mean something: kinds of event, and reasons of ends.
pub(crate) const EXPECTED: &[&str] = &[
    "MovePlayed",
    "DrawOffered",
    "DrawDeclined",
    "DrawClaimed",
    "AbsenceClaimed",
    "TakebackOffered",
    "TakebackDeclined",
    "TakenBack",
    "TimeAdjusted",
    "IlcAsked",
    "IlcRemedied",
    "FlagFell",
    "Resigned",
    "Checkmate",
    "Resignation",
    "Stalemate",
    "DeadPosition",
    "Agreement",
    "FlagFall",
    "ThreefoldRepetition",
    "FiftyMoves",
    "FivefoldRepetition",
    "Abandonment",
    "Aborted",
    "FirstMoveLimit",
    "Arbiter",
];

/// The most inputs of a game.
const INPUTS: usize = 400;

/// One game being played.
pub(crate) struct Player {
    dice: Dice,
    game: Game,
    events: Vec<Event>,
    audit: Audit,
    now: GameInstant,
    /// Whether this game is played with repetitions rather than progress.
    shuffles: bool,
    seen: Vec<String>,
}

impl Player {
    pub(crate) fn new(mut dice: Dice) -> Self {
        let setup = random_setup(&mut dice);
        let events = Game::start(&setup).expect("the setup is one that a game can start from");
        let game = Game::replay(&events);
        let shuffles = dice.one_in(3);
        Self {
            audit: Audit::new(&setup),
            dice,
            game,
            events,
            now: GameInstant::START,
            shuffles,
            seen: Vec::new(),
        }
    }

    /// Plays, and returns what the game came to.
    pub(crate) fn play(mut self) -> Vec<String> {
        for _ in 0..INPUTS {
            self.observe_something();
            let at = self.next_instant();
            let input = self.input(at);
            self.put_in(at, &input);
            if self.game.has_ended() {
                break;
            }
        }
        self.seen
    }

    fn observe(&mut self, fact: Fact) {
        self.audit.observe(&self.game, fact);
        self.game.observe(fact);
    }

    fn observe_something(&mut self) {
        let seat = *self.dice.pick(&Color::ALL);
        let at = self.now;
        match self.dice.below(12) {
            0 => {
                let smoothed = Micros(self.dice.below(3_000_000));
                self.observe(Fact::RoundTrip { seat, smoothed: Some(smoothed) });
            }
            1 => self.observe(Fact::Present { seat, at }),
            2 => self.observe(Fact::Absent { seat, at }),
            3 if self.dice.one_in(8) => {
                let spent = Micros(self.dice.below(20_000_000));
                self.observe(Fact::TurnCarried { spent });
            }
            4 if self.dice.one_in(8) => self.observe(Fact::TurnStopped { at }),
            _ => {}
        }
        // Mostly the turn starts at once; sometimes it waits for some inputs.
        if self.game.awaits_turn_start() && !self.dice.one_in(8) {
            self.observe(Fact::TurnStarted { at });
        }
    }

    /// Time goes by: mostly little, now and then to just before, at or after the deadline.
    fn next_instant(&mut self) -> GameInstant {
        let step = match self.dice.below(40) {
            0..=9 => 0,
            10..=29 => self.dice.below(2_000_000),
            30..=37 => self.dice.below(15_000_000),
            38 => self.dice.below(90_000_000),
            _ => {
                let deadline = self.game.deadline().map_or(self.now.0, |deadline| deadline.0);
                let around = deadline + self.dice.below(3);
                return self.advance_to(around.saturating_sub(1));
            }
        };
        self.advance_to(self.now.0 + step)
    }

    fn advance_to(&mut self, instant: u64) -> GameInstant {
        self.now = self.now.max(GameInstant(instant));
        self.now
    }

    fn input(&mut self, at: GameInstant) -> Input {
        if let Some(question) = self.game.question().filter(|_| !self.dice.one_in(3)) {
            return Input::Answer {
                about: question.about,
                outcome: question.answer(&Limits::nodes(2_000)).outcome,
            };
        }
        if self.game.deadline().is_some_and(|deadline| at >= deadline) && !self.dice.one_in(3) {
            return Input::Deadline;
        }
        match self.dice.below(100) {
            0 => Input::Deadline,
            1 => self.answer(),
            2 if self.dice.one_in(4) => Input::Arbiter(self.act()),
            _ => self.command(),
        }
    }

    /// An unsolicited answer: late, about something else, or of another kind.
    fn answer(&mut self) -> Input {
        let about = self.dice.below(u64::from(self.game.seq()) + 2) as u32;
        let reason = *self.dice.pick(&[Reason::FlagFall, Reason::Resignation, Reason::Checkmate]);
        let outcome = Some(Outcome::draw(reason)).filter(|_| !self.dice.one_in(2));
        Input::Answer { about, outcome }
    }

    fn act(&mut self) -> ArbiterAct {
        let seat = *self.dice.pick(&Color::ALL);
        let amount = Micros(self.dice.below(400_000_000));
        match self.dice.below(8) {
            0 => {
                ArbiterAct::Declare(*self.dice.pick(&[Score::WhiteWins, Score::BothLose, Score::HalfToBlack]))
            }
            1 | 2 => {
                ArbiterAct::SetClocks(ByColor { white: amount, black: Micros(self.dice.below(400_000_000)) })
            }
            3 | 4 => ArbiterAct::AddTime { seat, amount },
            _ => ArbiterAct::TakeTime { seat, amount },
        }
    }

    fn command(&mut self) -> Input {
        let turn = self.game.turn();
        let seat = if self.dice.one_in(12) { !turn } else { turn };
        let other = *self.dice.pick(&Color::ALL);
        let on = self.game.position_seq() - u32::from(self.dice.one_in(40));
        let player = |seat, command| Input::Player { seat, command };
        let draw = self.game.open_draw_offer().map_or(1, |offer| offer.seq);
        let takeback = self.game.open_takeback().map_or(1, |offer| offer.seq);
        match self.dice.below(200) {
            0 if self.dice.one_in(4) => player(other, Command::Resign),
            1..=7 => player(other, Command::OfferDraw),
            8 if self.dice.one_in(3) => player(other, Command::AcceptDraw { offer: draw }),
            9..=11 => player(other, Command::DeclineDraw { offer: draw }),
            12..=16 => player(seat, Command::ClaimDraw { on, intended: None }),
            17..=20 => player(seat, Command::ClaimDraw { on, intended: Some(self.mv()) }),
            21..=22 => player(other, Command::ClaimAbsence { wish: AbsenceWish::Draw }),
            23 => player(other, Command::ClaimAbsence { wish: AbsenceWish::Win }),
            24 if self.dice.one_in(2) => player(other, Command::Abort),
            25..=31 => player(other, Command::OfferTakeback),
            32..=35 => player(other, Command::AcceptTakeback { offer: takeback }),
            36..=37 => player(other, Command::DeclineTakeback { offer: takeback }),
            38..=40 => player(other, Command::GiveTime { amount: Micros(self.dice.below(70_000_000)) }),
            41..=50 => player(seat, Command::AskIlc),
            _ => player(seat, Command::PlayMove { on, mv: self.mv() }),
        }
    }

    /// Mostly a legal move. In a game that shuffles mostly one that takes the last own move back.
    fn mv(&mut self) -> Move {
        if self.dice.one_in(30) {
            let square = |dice: &mut Dice| Square::from_index(dice.below(64) as usize);
            return Move::new(square(&mut self.dice), square(&mut self.dice));
        }
        let legal = self.game.position().legal_moves();
        let own_last = self.game.moves().filter(|played| played.by == self.game.turn()).last();
        let back = own_last.map(|played| Move::new(played.mv.to, played.mv.from));
        match back.filter(|back| self.shuffles && legal.contains(back) && !self.dice.one_in(8)) {
            Some(back) => back,
            None => *self.dice.pick(&legal),
        }
    }

    fn put_in(&mut self, at: GameInstant, input: &Input) {
        let late = self.game.deadline().is_some_and(|deadline| at >= deadline);
        match self.game.decide(at, input) {
            Err(rejection) => self.check_rejection(input, rejection, late),
            Ok(events) => {
                assert!(!events.is_empty(), "what is accepted is never empty");
                let is_command = matches!(input, Input::Player { .. } | Input::Arbiter(_));
                assert!(!(late && is_command), "{input:?} came too late and was accepted");
                let last = events.len() - 1;
                for (nth, event) in events.into_iter().enumerate() {
                    self.record(at, event, nth == last);
                }
            }
        }
    }

    fn check_rejection(&self, input: &Input, rejection: Rejection, late: bool) {
        let is_command = matches!(input, Input::Player { .. } | Input::Arbiter(_));
        if is_command && self.game.is_over() {
            assert_eq!(rejection, Rejection::GameOver);
        } else if is_command && late {
            assert_eq!(rejection, Rejection::TimeIsUp);
        }
        if let Input::Player { seat, command: Command::PlayMove { on, mv } } = input {
            let is_mine = *seat == self.game.turn() && *on == self.game.position_seq();
            let is_legal = self.game.position().legal_moves().contains(mv);
            assert!(late || self.game.is_over() || !is_mine || !is_legal, "{mv:?} was rejected: {rejection}");
        }
    }

    fn record(&mut self, at: GameInstant, event: Event, is_last: bool) {
        self.see(&event);
        let before = self.game.clone();
        self.game.evolve(&event);
        self.audit.event(at, &before, &event, &self.game);
        self.events.push(event);
        let replayed = Game::replay(&self.events);
        assert_eq!(replayed.recorded(), self.game.recorded(), "the replayed game is the live one");
        if is_last {
            self.audit.between_records(&self.game);
        }
    }

    fn see(&mut self, event: &Event) {
        let shown = format!("{event:?}");
        let kind = shown.split([' ', '(', '{']).next().unwrap_or_default();
        self.seen.push(kind.to_owned());
        if let Event::Ended { outcome, .. } = event {
            self.seen.push(format!("{:?}", outcome.reason));
        }
    }
}
