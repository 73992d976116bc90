//! What a script is played on: a profile, a clock and a position in a line of text.

use zeitnot_rules::board::{ByColor, Color, Position};
use zeitnot_rules::game::{Bonus, GameSetup, IlcRule, Micros, Period, Profile, TimeControl, Variant};
use zeitnot_rules::notation::fen;

/// A table to play at.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) setup: GameSetup,
    /// Whether each turn starts at the instant of the event that made it. If not, the script says
    /// `start`.
    pub(crate) starts_turns: bool,
}

fn table(profile: Profile) -> Table {
    let setup = GameSetup::casual(ByColor { white: 1, black: 2 }, time_control("3+2"), profile, 0);
    Table { setup, starts_turns: true }
}

/// 3+2 under FIDE Online rules.
pub(crate) fn online() -> Table {
    table(Profile::fide_online())
}

/// 3+2 under the Laws over the board.
pub(crate) fn board() -> Table {
    table(Profile::fide_board())
}

/// 3+2 under US Chess rules.
pub(crate) fn us() -> Table {
    table(Profile::us_chess())
}

/// 3+2 under friendly rules.
pub(crate) fn casual() -> Table {
    table(Profile::casual())
}

/// The four of them.
pub(crate) fn all() -> [Table; 4] {
    [online(), board(), us(), casual()]
}

impl Table {
    /// See [`time_control`].
    pub(crate) fn clock(mut self, text: &str) -> Self {
        self.setup.time_control = time_control(text);
        self
    }

    /// With a program on one side.
    pub(crate) fn bot(mut self, color: Color) -> Self {
        self.setup.bots[color] = true;
        self
    }

    /// Another first position.
    #[track_caller]
    pub(crate) fn fen(mut self, text: &str) -> Self {
        self.setup.start = fen::parse(text).expect("the script's FEN is right");
        self
    }

    pub(crate) fn chess960(mut self, number: u16) -> Self {
        self.setup.variant = Variant::Chess960;
        self.setup.start = Position::chess960(number);
        self
    }

    pub(crate) fn ilc(mut self, rule: IlcRule) -> Self {
        self.setup.profile = self.setup.profile.with_ilc(rule);
        self
    }

    pub(crate) fn no_draw_offer_before_move(mut self, moves: u16) -> Self {
        self.setup.profile = self.setup.profile.with_no_draw_offer_before_move(moves);
        self
    }

    /// The script itself says when a turn starts.
    pub(crate) fn starts_by_hand(mut self) -> Self {
        self.starts_turns = false;
        self
    }
}

/// `none`, `2d` for days per move, `3+2` for minutes and an increment in seconds, `5+3s` and `5+3b`
/// for simple and Bronstein delay, `40/100+30,20/50+30,15+30` for periods, and `5+0|3+2` for clocks
/// that differ.
pub(crate) fn time_control(text: &str) -> TimeControl {
    if text == "none" {
        return TimeControl::Unlimited;
    }
    if let Some(days) = text.strip_suffix('d') {
        return TimeControl::DaysPerMove { days: days.parse().expect("days") };
    }
    let (white, black) = text.split_once('|').unwrap_or((text, text));
    TimeControl::Clock(ByColor { white: periods(white), black: periods(black) })
}

fn periods(text: &str) -> Vec<Period> {
    text.split(',').map(period).collect()
}

fn period(text: &str) -> Period {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().expect("moves of a period")), rest),
        None => (None, text),
    };
    let (base, bonus) = rest.split_once('+').expect("base + bonus");
    let minutes: f64 = base.parse().expect("minutes");
    Period { moves, base: Micros((minutes * 60e6) as u64), bonus: parse_bonus(bonus) }
}

fn parse_bonus(text: &str) -> Bonus {
    let number = text.trim_end_matches(['s', 'b']);
    let amount = micros(number);
    match text.as_bytes().last() {
        Some(b's') => Bonus::SimpleDelay(amount),
        Some(b'b') => Bonus::Bronstein(amount),
        _ if amount == Micros::ZERO => Bonus::None,
        _ => Bonus::Increment(amount),
    }
}

/// Seconds with up to six decimals, or other units with `m`, `h` or `d` after them.
#[track_caller]
pub(crate) fn micros(text: &str) -> Micros {
    let (number, unit) = match text.as_bytes().last() {
        Some(b'm') => (&text[..text.len() - 1], 60),
        Some(b'h') => (&text[..text.len() - 1], 3_600),
        Some(b'd') => (&text[..text.len() - 1], 86_400),
        _ => (text, 1),
    };
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let decimals: u64 = format!("{decimals:0<6}").parse().unwrap_or_else(|_| panic!("not a time: {text}"));
    let whole: u64 = whole.parse().unwrap_or_else(|_| panic!("not a time: {text}"));
    Micros((whole * 1_000_000 + decimals) * unit)
}

/// `w` or `b`.
#[track_caller]
pub(crate) fn color(text: &str) -> Color {
    match text {
        "w" => Color::White,
        "b" => Color::Black,
        _ => panic!("not a colour: {text}"),
    }
}
