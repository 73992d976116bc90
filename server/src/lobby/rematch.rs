//! Playing again: a challenge to the opponent of a finished game, colours swapped and everything else as it was.
//!
//! Invariant: of one finished game each player has at most one offer open, and when both offer, the second accepts.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, Code, CreateChallenge, GameCommand, GameOptions, WireColor};
use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::game::{GameSetup, Variant};
use zeitnot_rules::notation::fen;

use super::challenges::Offer;
use super::opening::{Opened, answer, open};
use super::terms::Terms;
use crate::accounts::Requester;
use crate::games;
use crate::server::Server;

/// Answers `offer_rematch`.
pub(crate) async fn offer_rematch(server: Arc<Server>, requester: Requester, wanted: GameCommand) {
    match offer(&server, &requester, &wanted).await {
        Ok(opened) => answer(server, requester, wanted.id, opened).await,
        Err(code) => requester.reject_about(Some(wanted.game), wanted.id, code, None),
    }
}

async fn offer(server: &Server, requester: &Requester, wanted: &GameCommand) -> Result<Opened, Code> {
    if !server.is_ready() {
        return Err(Code::Unavailable);
    }
    let game = server.games.read(wanted.game).await.map_err(|error| {
        tracing::error!(game = %wanted.game, %error, "a game cannot be read");
        Code::Unavailable
    })?;
    let game = game.ok_or(Code::UnknownGame)?;
    let player = |seat| games::player(game.setup(), seat).account;
    let seat = Color::ALL.into_iter().find(|&seat| player(seat) == requester.account);
    let seat = seat.ok_or(Code::NotYourGame)?;
    if !game.has_ended() {
        return Err(Code::NotOver);
    }
    let opponent = player(!seat);
    let wish = again(game.setup(), seat, opponent, wanted);
    let terms = Terms::read(&wish).map_err(|(code, why)| {
        tracing::error!(game = %wanted.game, %code, why, "a game that was played cannot be played again");
        Code::Unavailable
    })?;
    let offer = Offer {
        id: server.entropy.challenge_id(),
        by: requester.account,
        name: requester.name,
        to: Some(opponent),
        seek: false,
        command: wanted.id,
        rematch_of: Some(wanted.game),
        terms: Arc::new(terms),
    };
    open(server, offer, &wish).await
}

/// The challenge to play such a game again, for who had `seat`.
fn again(setup: &GameSetup, seat: Color, opponent: AccountId, wanted: &GameCommand) -> CreateChallenge {
    let is_usual = setup.by_lot || setup.variant == Variant::Standard && setup.start == Position::standard();
    CreateChallenge {
        color: Some(WireColor::from(!seat)),
        variant: setup.variant.into(),
        fen: (!is_usual).then(|| fen::write(&setup.start)),
        options: GameOptions::from(&setup.profile),
        to: Some(opponent),
        id: wanted.id,
        ..CreateChallenge::with(games::time_control(setup))
    }
}
