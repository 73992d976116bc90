//! A game of a match as PGN.

use std::time::Duration;

use zeitnot_rules::board::Color;
use zeitnot_rules::game::Micros;
use zeitnot_rules::notation::pgn::{PgnGame, PgnMove, PgnResult, write};
use zeitnot_rules::verdict::Reason;

use super::game::{Control, Ending, Played};

/// The text of a game: `names` are White's and Black's.
pub(super) fn text(
    game: &Played,
    names: [String; 2],
    opening: &str,
    round: usize,
    control: Control,
) -> String {
    let [white, black] = names;
    let tags = [
        ("Event", "zeitnot-bot match".to_owned()),
        ("Round", round.to_string()),
        ("White", white),
        ("Black", black),
        ("Opening", opening.to_owned()),
        ("TimeControl", time_control(control)),
        ("Termination", termination(&game.ending)),
    ];
    // The moves of the opening have no clock.
    let unclocked = game.line.moves().len() - game.clocks.len().min(game.line.moves().len());
    let clocks = std::iter::repeat_n(None, unclocked).chain(game.clocks.iter().copied().map(Some));
    let moves = game.line.moves().iter().zip(clocks);
    write(&PgnGame {
        tags: tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        variant: game.line.variant(),
        start: game.line.start().clone(),
        moves: moves.map(|(&mv, clock)| PgnMove { clock: clock.map(micros), ..PgnMove::new(mv) }).collect(),
        result: match game.winner {
            Some(Color::White) => PgnResult::WhiteWins,
            Some(Color::Black) => PgnResult::BlackWins,
            None => PgnResult::Draw,
        },
    })
}

fn micros(time: Duration) -> Micros {
    Micros(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
}

fn time_control(control: Control) -> String {
    match control {
        Control::Nodes(_) => "-".to_owned(),
        Control::Clock { base, increment } if increment.is_zero() => base.as_secs().to_string(),
        Control::Clock { base, increment } => format!("{}+{}", base.as_secs(), increment.as_secs()),
    }
}

fn termination(ending: &Ending) -> String {
    match ending {
        Ending::Rules(Reason::Checkmate) => "checkmate".to_owned(),
        Ending::Rules(reason) => format!("{reason:?}"),
        Ending::Time => "time forfeit".to_owned(),
        Ending::Illegal(mv) => format!("illegal move {mv}"),
        Ending::Failed(error) => format!("engine failed: {error}"),
    }
}
