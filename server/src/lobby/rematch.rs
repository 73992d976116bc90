//! Playing again: a challenge to the opponent of a finished game, with colours swapped and everything
//! else as it was.
//!
//! The machine sees to it that each player has at most one offer of the same rematch open, and that
//! the second of two offers accepts the first.

use zeitnot_protocol::{ChallengeId, Code, CreateChallenge, GameCommand, GameOptions, WireColor};
use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::game::{Game, GameSetup, Variant};
use zeitnot_rules::notation::fen;

use super::machine::Challenge;
use crate::accounts::Person;
use crate::games;

/// The challenge with this id by which `owner` offers to play `game` again.
///
/// # Errors
/// `not_your_game`, `not_over`; `unavailable` when its terms cannot be played any more.
pub(super) fn of(
    game: &Game,
    owner: Person,
    wanted: &GameCommand,
    id: ChallengeId,
) -> Result<Challenge, Code> {
    let seat = games::seat_of(game, owner.account).ok_or(Code::NotYourGame)?;
    if !game.has_ended() {
        return Err(Code::NotOver);
    }
    let again = again(game.setup(), seat, wanted);
    Challenge::new(id, owner, again, Some(wanted.game)).map_err(|(code, why)| {
        tracing::error!(game = %wanted.game, %code, why, "a game that was played cannot be played again");
        Code::Unavailable
    })
}

/// The command to play such a game again, for the player who had `seat`.
fn again(setup: &GameSetup, seat: Color, wanted: &GameCommand) -> CreateChallenge {
    let is_usual = setup.by_lot || setup.variant == Variant::Standard && setup.start == Position::standard();
    CreateChallenge {
        color: Some(WireColor::from(!seat)),
        variant: setup.variant.into(),
        fen: (!is_usual).then(|| fen::write(&setup.start)),
        options: GameOptions::from(&setup.profile),
        rated: setup.rated,
        to: Some(games::player(setup, !seat).account),
        id: wanted.id,
        ..CreateChallenge::with(games::time_control(setup))
    }
}
