//! docs/laws.md, "Offers and claims": how many events a game has beyond its half-moves.

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, EXTRA_EVENTS_MAX, Event, Game, GameInstant, Input, Micros, Rejection};
use zeitnot_rules::notation::uci;

use crate::script::check;
use crate::table::{casual, us};

/// Each of these adds four events beyond the half-moves on the board.
const TAKEBACK: &str = "0 w takeback => takeback w 2
    0 b takeback-yes => taken-back 2
    0 play e4 e5\n";

#[test]
fn a_game_has_250_takebacks_and_goes_on() {
    assert_eq!(EXTRA_EVENTS_MAX, 1_000);
    let game = check(
        casual().clock("none"),
        &format!(
            "0 play e4 e5
             {}
             0 w takeback => !TooManyOffers
             0 b takeback => !TooManyOffers
             0 w offer => !TooManyOffers
             0 play Nf3 Nc6
             1 b takeback => !TooManyOffers
             1 w resign => resign w",
            TAKEBACK.repeat(250)
        ),
    );
    assert_eq!(game.seq() - game.ply_count(), 1 + 4 * 250 + 1);
}

#[test]
fn given_time_counts_too() {
    let given = (1..=EXTRA_EVENTS_MAX - 1).map(|nth| format!("0 w give 1 => gift w 180 {}\n", 180 + nth));
    check(
        casual(),
        &format!(
            "{}
             0 w give 1 => !TooManyOffers
             0 b give 1 => !TooManyOffers
             0 play e4 e5
             0 w offer => !TooManyOffers
             0 b resign => resign b",
            given.collect::<String>()
        ),
    );
}

/// Two players who do nothing but what adds events, until the game is over.
fn worn_out(mut game: Game) -> Game {
    let say = |game: &mut Game, seat, command| {
        let input = Input::Player { seat, command };
        let events = game.decide(GameInstant::START, &input)?;
        events.iter().for_each(|event| game.evolve(event));
        Ok::<_, Rejection>(())
    };
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    while !game.is_over() {
        let text = shuffle[game.ply_count() as usize % 4];
        let mv = uci::parse(text, game.position(), game.variant()).expect("it is a move");
        let on = game.position_seq();
        let turn = game.turn();
        for seat in Color::ALL {
            for command in
                [Command::OfferDraw, Command::AskIlc, Command::GiveTime { amount: Micros::from_secs(1) }]
            {
                say(&mut game, seat, command).ok();
            }
            let offer = game.open_draw_offer().map_or(0, |offer| offer.seq);
            say(&mut game, !seat, Command::DeclineDraw { offer }).ok();
        }
        let intended = game.seq().is_multiple_of(2).then_some(mv);
        say(&mut game, turn, Command::ClaimDraw { on, intended }).ok();
        if game.is_over() {
            break;
        }
        if game.position_seq() != on {
            // A wrong claim with a move has played it.
            continue;
        }
        if game.ply_count() >= 6 {
            let asked = say(&mut game, turn, Command::OfferTakeback);
            if let Some(offer) = game.open_takeback() {
                say(&mut game, !turn, Command::AcceptTakeback { offer: offer.seq }).expect("it is open");
                continue;
            }
            assert!(matches!(asked, Err(Rejection::TooManyOffers | Rejection::NotInProfile)), "{asked:?}");
        }
        say(&mut game, turn, Command::PlayMove { on, mv }).expect("moves go through");
    }
    game
}

#[test]
fn whatever_two_players_do_the_events_beyond_the_moves_are_bounded() {
    for table in [casual(), us()] {
        let game = worn_out(check(table, ""));
        assert!(game.is_over(), "the moves went through until the repetition");
        assert!(game.seq() - game.ply_count() < EXTRA_EVENTS_MAX + 100, "{}", game.seq());
    }
}

#[test]
fn a_game_that_was_recorded_with_more_is_read_and_goes_on() {
    let mut game = check(casual().clock("none"), "0 play e4 e5");
    for _ in 0..EXTRA_EVENTS_MAX {
        game.evolve(&Event::DrawOffered { by: Color::White });
        game.evolve(&Event::DrawDeclined { by: Color::Black });
    }
    let takeback = Input::Player { seat: Color::White, command: Command::OfferTakeback };
    assert_eq!(game.decide(GameInstant::START, &takeback), Err(Rejection::TooManyOffers));
    let mv = uci::parse("g1f3", game.position(), game.variant()).expect("it is a move");
    let command = Command::PlayMove { on: game.position_seq(), mv };
    assert!(game.decide(GameInstant::START, &Input::Player { seat: Color::White, command }).is_ok());
    let resign = Input::Player { seat: Color::Black, command: Command::Resign };
    assert!(game.decide(GameInstant::START, &resign).is_ok());
}
