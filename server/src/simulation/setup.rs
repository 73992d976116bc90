//! What the games of a simulation start from: short clocks, and positions in which ends are near.

use zeitnot_protocol::AccountId;
use zeitnot_rules::board::{ByColor, Position};
use zeitnot_rules::game::{Bonus, GameSetup, IlcRule, Micros, Period, Profile, TimeControl, Variant};
use zeitnot_rules::notation::fen;

use super::dice::Dice;

const POSITIONS: &[&str] = &[
    "6k1/5ppp/8/8/8/8/5PPP/R3R1K1 w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w - - 97 80",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/8/8/P6p/4K3 w - - 0 1",
    "k7/8/8/8/8/8/7p/K5N1 b - - 0 1",
    "4k2r/6r1/8/8/8/8/3R4/R3K3 w Qk - 94 70",
];

const PROFILES: [fn() -> Profile; 5] =
    [Profile::fide_online, Profile::fide_board, Profile::casual, Profile::casual, || {
        Profile::us_chess().with_ilc(IlcRule::Us14H)
    }];

/// A setup that a game can start from.
pub(super) fn draw(dice: &mut Dice, players: ByColor<AccountId>) -> GameSetup {
    loop {
        let (variant, start) = match dice.below(6) {
            0 | 1 => (Variant::Standard, Position::standard()),
            2 => (Variant::Chess960, Position::chess960(dice.below(960) as u16)),
            _ => {
                let text = *dice.pick(POSITIONS);
                (Variant::Standard, fen::parse(text).expect("the FENs of this file are right"))
            }
        };
        let players = players.map(|account| account.as_u128());
        let setup = GameSetup {
            variant,
            start,
            names: ByColor { white: "Rook_And_Roll".parse().ok(), black: None },
            ..GameSetup::casual(players, time_control(dice), dice.pick(&PROFILES)(), 1_795_226_400_000)
        };
        if setup.validate().is_ok() {
            return setup;
        }
    }
}

fn time_control(dice: &mut Dice) -> TimeControl {
    let whole = |base: Micros, bonus: Bonus| vec![Period { moves: None, base, bonus }];
    let periods = match dice.below(10) {
        0 => return TimeControl::Unlimited,
        1 => return TimeControl::DaysPerMove { days: 2 },
        2 => whole(ms(dice, 200, 3_000), Bonus::None),
        3 => whole(ms(dice, 1_000, 9_000), Bonus::Increment(ms(dice, 1, 900))),
        4 => whole(ms(dice, 1_000, 9_000), Bonus::SimpleDelay(ms(dice, 1, 700))),
        5 => whole(ms(dice, 1_000, 9_000), Bonus::Bronstein(ms(dice, 1, 700))),
        6 => {
            let bonus = Bonus::Increment(ms(dice, 1, 50));
            let first = Period { moves: Some(2), base: Micros::from_secs(8), bonus };
            vec![first, Period { moves: None, base: Micros::from_secs(5), bonus: Bonus::None }]
        }
        7 => whole(Micros::from_secs(200), Bonus::Increment(Micros::from_secs(2))),
        _ => whole(Micros::from_secs(60), Bonus::None),
    };
    TimeControl::Clock(ByColor::both(periods))
}

/// So many milliseconds.
fn ms(dice: &mut Dice, least: u64, most: u64) -> Micros {
    Micros::from_millis(dice.within(least, most))
}
