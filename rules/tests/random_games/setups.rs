//! What random games start from.

use zeitnot_rules::board::{ByColor, Position};
use zeitnot_rules::game::{Bonus, GameSetup, IlcRule, Micros, Period, Profile, TimeControl, Variant};
use zeitnot_rules::notation::fen;

use crate::dice::Dice;

/// First positions in which ends are near.
const POSITIONS: &[&str] = &[
    "4k3/8/8/8/8/8/P6p/4K3 w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "k7/8/2K5/8/8/8/8/1R6 w - - 0 1",
    "8/8/8/3k4/8/8/1r6/K7 w - - 97 80",
    "4k3/8/8/8/8/8/8/R3K3 w - - 97 80",
    "4k3/8/8/8/8/8/8/R3K3 b - - 60 80",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "k7/8/8/8/8/8/8/K5N1 w - - 0 1",
    "k6q/p7/8/8/8/8/8/1K4N1 w - - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4",
];

const PROFILES: [fn() -> Profile; 6] = [
    Profile::fide_online,
    Profile::fide_board,
    Profile::us_chess,
    Profile::casual,
    || Profile::fide_board().with_ilc(IlcRule::FideIii4).with_no_draw_offer_before_move(2),
    || Profile::us_chess().with_ilc(IlcRule::Us14H),
];

/// A setup that a game can start from.
pub(crate) fn random_setup(dice: &mut Dice) -> GameSetup {
    loop {
        let (variant, start) = random_start(dice);
        let (time_control, profile) = (random_time_control(dice), dice.pick(&PROFILES)());
        let players = ByColor { white: 7, black: 8 };
        let setup = GameSetup { variant, start, ..GameSetup::casual(players, time_control, profile, 1_000) };
        if setup.validate().is_ok() {
            return setup;
        }
    }
}

fn random_start(dice: &mut Dice) -> (Variant, Position) {
    match dice.below(4) {
        0 => (Variant::Standard, Position::standard()),
        1 => (Variant::Chess960, Position::chess960(dice.below(960) as u16)),
        _ => (Variant::Standard, fen::parse(random_position(dice)).expect("the FENs of this file are right")),
    }
}

fn random_position(dice: &mut Dice) -> &'static str {
    POSITIONS[dice.below(POSITIONS.len() as u64) as usize]
}

fn random_time_control(dice: &mut Dice) -> TimeControl {
    match dice.below(10) {
        0 => TimeControl::Unlimited,
        1 => TimeControl::DaysPerMove { days: 1 + dice.below(30) as u8 },
        2 | 3 => TimeControl::Clock(ByColor { white: random_periods(dice), black: random_periods(dice) }),
        4 => TimeControl::fischer(Micros::from_secs(600), Micros::ZERO),
        _ => TimeControl::Clock(ByColor::both(random_periods(dice))),
    }
}

fn random_periods(dice: &mut Dice) -> Vec<Period> {
    let count = 1 + dice.below(4);
    (1..=count)
        .map(|number| {
            let is_last = number == count;
            let moves = if is_last && !dice.one_in(4) { None } else { Some(1 + dice.below(4) as u16) };
            let base = Micros(1 + dice.below(900_000_000));
            Period { moves, base, bonus: random_bonus(dice) }
        })
        .collect()
}

fn random_bonus(dice: &mut Dice) -> Bonus {
    let amount = Micros(dice.below(20_000_000));
    match dice.below(5) {
        0 => Bonus::None,
        1 => Bonus::SimpleDelay(amount),
        2 => Bonus::Bronstein(amount),
        _ => Bonus::Increment(amount),
    }
}
