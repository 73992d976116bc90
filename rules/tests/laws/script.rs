//! How a script reads.
//!
//! Each line is `AT WHO COMMAND => WHAT FOLLOWS`. `AT` is in seconds on the game's axis. What
//! follows is a list of events separated by `;`, or `!Rejection`; with `[` in it, each event is
//! followed by what the clocks were charged.
//!
//! - `0 play e4 e5 Nf3`: moves that follow each other at one instant; each goes through, and
//!   nothing else happens.
//! - `10 w Nf3`, `10 w Nf3 on 2`: a move. `resign`, `offer`, `accept`, `decline`, `claim`, `claim
//!   Nf3`, `absent win`, `absent draw`, `abort`, `takeback`, `takeback-yes`, `takeback-no`, `give
//!   15`, `ilc`: the other commands. An answer names the open offer, or `accept 7` names a seq.
//! - `10 arbiter declare 0-0`, `set 60 30`, `add w 10`, `take b 10`.
//! - `10 deadline`, `10 answer` (the answer to the open question), `10 dead 5` (a dead position
//!   found late), `10 dead-answer` (the answer to the question whether the position is dead), `10
//!   dead-question` (what it is about).
//! - `10 start`, `carried 5`, `here w`, `away b`, `rtt w 0.1`: facts.
//! - `10 clocks => 180 170`, `due => 190`, `running => w`, `claimable => threefold`, `moves => e4
//!   e5`: what can be asked; `bank` is the lag bank after the last charge.
//!
//! After each record the game is replayed from its events: every recorded field must be equal.

use zeitnot_rules::board::{ByColor, Color, Move};
use zeitnot_rules::game::{
    AbsenceWish, ArbiterAct, Command, Event, Fact, Game, GameInstant, Input, Micros, Seq,
};
use zeitnot_rules::notation::san;
use zeitnot_rules::verdict::{Limits, Outcome, Reason, Score};

use crate::show;
use crate::table::{Table, color, micros};

/// Plays a script; every line must lead to what it says.
#[track_caller]
pub(crate) fn check(table: Table, script: &str) -> Game {
    let mut play = Play::new(table);
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (said, expected) = match line.split_once("=>") {
            Some((said, expected)) => (said.trim(), Some(expected.trim())),
            None => (line, None),
        };
        let found = play.line(said, expected.is_some_and(|text| text.contains('[')));
        match (found, expected) {
            (None, None) => {}
            (Some(found), Some(expected)) => {
                assert_eq!(found, expected, "what follows from `{said}` in\n{script}");
            }
            (Some(found), None) => panic!("`{line}` lacks what follows from it: {found}"),
            (None, Some(_)) => panic!("nothing can be said to follow from `{line}`"),
        }
    }
    play.game
}

/// A script that is being played.
struct Play {
    game: Game,
    events: Vec<Event>,
    starts_turns: bool,
}

impl Play {
    #[track_caller]
    fn new(table: Table) -> Self {
        let Table { setup, starts_turns } = table;
        let events = Game::start(&setup).expect("the table's game can start");
        let mut play = Self { game: Game::replay(&events), events, starts_turns };
        play.start_turn(GameInstant::START);
        play
    }

    /// What follows from a line, or `None` for one that says nothing of it.
    #[track_caller]
    fn line(&mut self, line: &str, charges: bool) -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (at, words) = words.split_first().expect("a line has an instant");
        let at = GameInstant(micros(at).0);
        match words {
            ["play", moves @ ..] => {
                for text in moves {
                    self.play(at, text);
                }
                None
            }
            ["start"] => self.fact(Fact::TurnStarted { at }),
            ["stop"] => self.fact(Fact::TurnStopped { at }),
            ["carried", spent] => self.fact(Fact::TurnCarried { spent: micros(spent) }),
            ["here", seat] => self.fact(Fact::Present { seat: color(seat), at }),
            ["away", seat] => self.fact(Fact::Absent { seat: color(seat), at }),
            ["rtt", seat, smoothed] => {
                self.fact(Fact::RoundTrip { seat: color(seat), smoothed: Some(micros(smoothed)) })
            }
            ["clocks" | "due" | "running" | "claimable" | "moves" | "offers" | "bank" | "dead-question"] => {
                Some(self.ask(at, words[0]))
            }
            _ => {
                let input = self.input(words);
                Some(self.put_in(at, &input, charges))
            }
        }
    }

    fn fact(&mut self, fact: Fact) -> Option<String> {
        self.game.observe(fact);
        None
    }

    fn start_turn(&mut self, at: GameInstant) {
        if self.starts_turns && self.game.awaits_turn_start() {
            self.game.observe(Fact::TurnStarted { at });
        }
    }

    #[track_caller]
    fn play(&mut self, at: GameInstant, text: &str) {
        let seat = self.game.turn();
        let (mv, on) = (self.mv(text), self.game.position_seq());
        let followed = self.put_in(at, &Input::Player { seat, command: Command::PlayMove { on, mv } }, false);
        let alone = !followed.contains(';') && !followed.starts_with('!');
        assert!(alone, "only the move follows from `{text}`, not `{followed}`");
    }

    /// Decides, records and evolves one input, and shows what followed.
    #[track_caller]
    fn put_in(&mut self, at: GameInstant, input: &Input, charges: bool) -> String {
        let events = match self.game.decide(at, input) {
            Ok(events) => events,
            Err(rejection) => return format!("!{rejection:?}"),
        };
        assert!(!events.is_empty(), "what is accepted is never empty");
        let mut shown = Vec::new();
        for event in events {
            shown.push(show::event(&self.game, &event, charges));
            self.game.evolve(&event);
            self.events.push(event);
            let replayed = Game::replay(&self.events);
            assert_eq!(replayed.recorded(), self.game.recorded(), "the replayed game is the live one");
        }
        self.start_turn(at);
        shown.join("; ")
    }

    fn ask(&self, at: GameInstant, what: &str) -> String {
        let none = || "none".to_owned();
        match what {
            "clocks" => self.game.clocks_at(at).map_or_else(none, show::clocks),
            "due" => self.game.deadline().map_or_else(none, |due| show::seconds(Micros(due.0))),
            "running" => self.game.running().map_or_else(none, |seat| show::letter(seat).to_string()),
            "claimable" => self.game.claimable_draw().map_or_else(none, |reason| format!("{reason:?}")),
            "dead-question" => {
                self.game.dead_question().map_or_else(none, |question| question.about.to_string())
            }
            "bank" => {
                let last = self.events.iter().rev().find_map(Event::charge);
                last.map_or_else(none, |charge| show::seconds(charge.bank))
            }
            "offers" => {
                let draw = self.game.open_draw_offer().map(|offer| (offer.by, offer.seq, "draw"));
                let takeback = self.game.open_takeback().map(|offer| (offer.by, offer.seq, "takeback"));
                let open: Vec<_> = [draw, takeback].into_iter().flatten().collect();
                let open = open.iter().map(|(by, seq, what)| format!("{what} {} {seq}", show::letter(*by)));
                Some(open.collect::<Vec<_>>().join("; ")).filter(|text| !text.is_empty()).unwrap_or_else(none)
            }
            _ => self.moves(),
        }
    }

    fn moves(&self) -> String {
        let mut position = self.game.setup().start.clone();
        let mut shown = Vec::new();
        for played in self.game.moves() {
            shown.push(san::write(played.mv, &position).to_string());
            position.play(played.mv).expect("the moves on the board are legal");
        }
        assert_eq!(&position, self.game.position(), "the moves lead to the position on the board");
        shown.join(" ")
    }

    /// A move in SAN, or, to try an illegal one, in UCI.
    #[track_caller]
    fn mv(&self, text: &str) -> Move {
        san::parse(text, self.game.position()).unwrap_or_else(|_| raw_move(text))
    }

    #[track_caller]
    fn input(&self, words: &[&str]) -> Input {
        match words {
            ["deadline"] => Input::Deadline,
            ["answer"] => {
                let question = self.game.question().expect("a question is open");
                Input::Answer {
                    about: question.about,
                    outcome: question.answer(&Limits::nodes(100_000)).outcome,
                }
            }
            ["answer", "about", about] => {
                let question = self.game.question().expect("a question is open");
                Input::Answer { about: seq(about), outcome: question.answer(&Limits::nodes(100_000)).outcome }
            }
            ["dead-answer"] => {
                let question = self.game.dead_question().expect("the position may be dead");
                let outcome = question.answer(&Limits::nodes(100_000)).outcome;
                Input::Answer { about: question.about, outcome }
            }
            ["answer", about, "none"] => Input::Answer { about: seq(about), outcome: None },
            ["dead", about] => {
                Input::Answer { about: seq(about), outcome: Some(Outcome::draw(Reason::DeadPosition)) }
            }
            ["arbiter", act @ ..] => Input::Arbiter(arbiter_act(act)),
            [seat, command @ ..] => {
                Input::Player { seat: color(seat), command: self.command(color(seat), command) }
            }
            [] => panic!("a line says who does what"),
        }
    }

    #[track_caller]
    fn command(&self, seat: Color, words: &[&str]) -> Command {
        let on = self.game.position_seq();
        let draw = || self.game.open_draw_offer().map_or(1, |offer| offer.seq);
        let takeback = || self.game.open_takeback().map_or(1, |offer| offer.seq);
        match words {
            ["resign"] => Command::Resign,
            ["offer"] => Command::OfferDraw,
            ["accept"] => Command::AcceptDraw { offer: draw() },
            ["accept", offer] => Command::AcceptDraw { offer: seq(offer) },
            ["decline"] => Command::DeclineDraw { offer: draw() },
            ["decline", offer] => Command::DeclineDraw { offer: seq(offer) },
            ["claim"] => Command::ClaimDraw { on, intended: None },
            ["claim", "on", on] => Command::ClaimDraw { on: seq(on), intended: None },
            ["claim", mv] => Command::ClaimDraw { on, intended: Some(self.mv(mv)) },
            ["absent", "win"] => Command::ClaimAbsence { wish: AbsenceWish::Win },
            ["absent", "draw"] => Command::ClaimAbsence { wish: AbsenceWish::Draw },
            ["abort"] => Command::Abort,
            ["takeback"] => Command::OfferTakeback,
            ["takeback-yes"] => Command::AcceptTakeback { offer: takeback() },
            ["takeback-yes", offer] => Command::AcceptTakeback { offer: seq(offer) },
            ["takeback-no"] => Command::DeclineTakeback { offer: takeback() },
            ["takeback-no", offer] => Command::DeclineTakeback { offer: seq(offer) },
            ["give", amount] => Command::GiveTime { amount: micros(amount) },
            ["ilc"] => Command::AskIlc,
            [mv] => Command::PlayMove { on, mv: self.mv(mv) },
            [mv, "on", on] => Command::PlayMove { on: seq(on), mv: self.mv(mv) },
            _ => panic!("{seat} cannot do {words:?}"),
        }
    }
}

#[track_caller]
fn arbiter_act(words: &[&str]) -> ArbiterAct {
    match words {
        ["set", white, black] => {
            ArbiterAct::SetClocks(ByColor { white: micros(white), black: micros(black) })
        }
        ["add", seat, amount] => ArbiterAct::AddTime { seat: color(seat), amount: micros(amount) },
        ["take", seat, amount] => ArbiterAct::TakeTime { seat: color(seat), amount: micros(amount) },
        ["declare", score] => ArbiterAct::Declare(match *score {
            "1-0" => Score::WhiteWins,
            "0-1" => Score::BlackWins,
            "1/2-1/2" => Score::Draw,
            "0-0" => Score::BothLose,
            "1/2-0" => Score::HalfToWhite,
            "0-1/2" => Score::HalfToBlack,
            "*" => Score::NoResult,
            _ => panic!("not a score: {score}"),
        }),
        _ => panic!("an arbiter cannot do {words:?}"),
    }
}

#[track_caller]
fn raw_move(text: &str) -> Move {
    let square = |part: Option<&str>| part.and_then(|part| part.parse().ok());
    match (square(text.get(0..2)), square(text.get(2..4))) {
        (Some(from), Some(to)) if text.len() == 4 => Move::new(from, to),
        _ => panic!("neither a legal move nor two squares: {text}"),
    }
}

#[track_caller]
fn seq(text: &str) -> Seq {
    text.parse().unwrap_or_else(|_| panic!("not a seq: {text}"))
}
