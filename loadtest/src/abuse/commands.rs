//! The kinds of forbidden command, and the code each must be refused with.
//!
//! They are about the games of the [`Stage`]: one in which White has made the third half-move's offer and is to move,
//! and one that is over.

use zeitnot_protocol::{
    AccountId, AnswerOffer, ChallengeCommand, ChallengeId, ClaimAbsence, ClaimDraw, ClientMessage, Code,
    CommandId, CreateChallenge, DeclineChallenge, DeclineReason, DrawOrWin, GameCommand, GameId, GameOptions,
    GiveTime, Hello, HistoryRequest, Period, PlayMove, SetName, TimeControl, Watch, WireColor, WireIlc,
    WireProfile,
};

use super::attacker::{Answer, Kind, Who};
use super::stage::{Stage, no_game};
use crate::bench::seat;
use crate::wire::{Opcode, client_frame};

/// Every kind, in the order they are sent.
pub(super) fn kinds(stage: &Stage) -> Vec<Kind> {
    let mut kinds = moves(stage);
    kinds.extend(game_commands(stage));
    kinds.extend(challenges(stage));
    kinds.extend(people(stage));
    kinds.extend(elsewhere(stage));
    kinds
}

fn kind(name: &'static str, who: Who, message: &ClientMessage, code: Code) -> Kind {
    let frame = client_frame(Opcode::Text, message.to_text().as_bytes());
    Kind::new(name, who, frame, Answer::Refused(message.id(), code))
}

fn id() -> Option<CommandId> {
    Some("abuse".parse().expect("a short ASCII word"))
}

fn play(game: GameId, on: u32, uci: &str) -> ClientMessage {
    ClientMessage::Move(PlayMove { game, on, uci: uci.parse().expect("a move in UCI"), id: id() })
}

fn moves(stage: &Stage) -> Vec<Kind> {
    let (game, on) = (stage.game, stage.on);
    vec![
        kind("an illegal move", Who::White, &play(game, on, "e1e8"), Code::IllegalMove),
        kind("a promotion where none belongs", Who::White, &play(game, on, "d2d4q"), Code::IllegalMove),
        kind("a move on an earlier position", Who::White, &play(game, 1, "d2d4"), Code::Stale),
        kind("a move out of turn", Who::Black, &play(game, on, "d7d5"), Code::NotYourTurn),
        kind("a move in others' game", Who::Other, &play(game, on, "d2d4"), Code::NotYourGame),
        kind("a move without an account", Who::Nobody, &play(game, on, "d2d4"), Code::NoAccount),
        kind("a move in no game", Who::White, &play(no_game(), on, "d2d4"), Code::UnknownGame),
        kind("a move after the end", Who::White, &play(stage.over, 1, "e2e4"), Code::GameOver),
    ]
}

fn game_commands(stage: &Stage) -> Vec<Kind> {
    let game = stage.game;
    let command = || GameCommand { game, id: id() };
    let answer = |offer| AnswerOffer { game, offer, id: id() };
    let claim = ClaimDraw { game, on: stage.on, uci: None, id: id() };
    let absence = ClaimAbsence { game, result: DrawOrWin::Win, id: id() };
    vec![
        kind("a second draw offer", Who::White, &ClientMessage::OfferDraw(command()), Code::AlreadyOffered),
        kind(
            "accepting one's own offer",
            Who::White,
            &ClientMessage::AcceptDraw(answer(stage.offer)),
            Code::NoOffer,
        ),
        kind("declining an earlier offer", Who::Black, &ClientMessage::DeclineDraw(answer(1)), Code::Stale),
        kind(
            "a claim where draws are automatic",
            Who::White,
            &ClientMessage::ClaimDraw(claim),
            Code::NotInProfile,
        ),
        kind(
            "claiming a player who is here",
            Who::White,
            &ClientMessage::ClaimAbsence(absence),
            Code::NotAbsent,
        ),
        kind("aborting too late", Who::White, &ClientMessage::Abort(command()), Code::TooLateToAbort),
        kind("asking to take back", Who::Black, &ClientMessage::OfferTakeback(command()), Code::NotInProfile),
        kind("taking back unasked", Who::Black, &ClientMessage::AcceptTakeback(answer(2)), Code::NoOffer),
        kind(
            "giving time",
            Who::White,
            &ClientMessage::GiveTime(GiveTime { game, ms: 15_000, id: id() }),
            Code::NotInProfile,
        ),
        kind("asking for 14H", Who::White, &ClientMessage::AskIlc(command()), Code::NotInProfile),
        kind("resigning others' game", Who::Other, &ClientMessage::Resign(command()), Code::NotYourGame),
        kind(
            "resigning after the end",
            Who::Black,
            &ClientMessage::Resign(GameCommand { game: stage.over, id: id() }),
            Code::GameOver,
        ),
    ]
}

fn challenges(stage: &Stage) -> Vec<Kind> {
    let create = || CreateChallenge { id: id(), ..seat::challenge(WireColor::White) };
    let no_time = TimeControl::Clock { periods: vec![Period::default()], black_periods: None };
    let over = "7k/8/8/8/8/8/8/7K w - - 0 1".to_owned();
    let options =
        GameOptions { profile: WireProfile::FideOnline, ilc: WireIlc::Us14h, ..GameOptions::default() };
    let refused =
        |name, challenge, code| kind(name, Who::White, &ClientMessage::CreateChallenge(challenge), code);
    let accept = |challenge| ClientMessage::AcceptChallenge(ChallengeCommand { challenge, id: id() });
    let nobody = AccountId::from_u128(1);
    vec![
        refused(
            "a clock without time",
            CreateChallenge { time_control: no_time, ..create() },
            Code::BadTimeControl,
        ),
        refused("a start that is over", CreateChallenge { fen: Some(over), ..create() }, Code::BadPosition),
        refused(
            "a start that is no FEN",
            CreateChallenge { fen: Some("x".repeat(90)), ..create() },
            Code::BadPosition,
        ),
        refused("options that do not fit", CreateChallenge { options, ..create() }, Code::BadOptions),
        refused("challenging nobody", CreateChallenge { to: Some(nobody), ..create() }, Code::UnknownAccount),
        kind("one's own challenge", Who::White, &accept(stage.challenge), Code::OwnChallenge),
        kind("a challenge for another", Who::Other, &accept(stage.challenge), Code::NotForYou),
        kind("no challenge", Who::Other, &accept(no_challenge()), Code::UnknownChallenge),
        kind(
            "cancelling another's challenge",
            Who::Other,
            &ClientMessage::CancelChallenge(ChallengeCommand { challenge: stage.challenge, id: id() }),
            Code::NotForYou,
        ),
    ]
}

fn people(stage: &Stage) -> Vec<Kind> {
    let name = |name: &str| ClientMessage::SetName(SetName { name: name.to_owned(), id: id() });
    let decline = DeclineChallenge { challenge: stage.challenge, reason: DeclineReason::default(), id: id() };
    let rematch = |game| ClientMessage::OfferRematch(GameCommand { game, id: id() });
    let by_name =
        CreateChallenge { to_name: Some("x".repeat(90)), id: id(), ..seat::challenge(WireColor::White) };
    vec![
        kind("a name that is too long", Who::Other, &name(&"x".repeat(90)), Code::BadName),
        kind("a name that is no name", Who::Other, &name("\u{202e}\0"), Code::BadName),
        kind("a guest's name", Who::Other, &name("guest-00000"), Code::BadName),
        kind("a name for nobody", Who::Nobody, &name("Castle"), Code::NoAccount),
        kind(
            "challenging no name",
            Who::White,
            &ClientMessage::CreateChallenge(by_name),
            Code::UnknownAccount,
        ),
        kind(
            "declining another's challenge",
            Who::Other,
            &ClientMessage::DeclineChallenge(decline),
            Code::NotForYou,
        ),
        kind("a rematch of a game that goes on", Who::White, &rematch(stage.game), Code::NotOver),
        kind("a rematch of others' game", Who::Other, &rematch(stage.over), Code::NotYourGame),
        kind("a rematch of no game", Who::White, &rematch(no_game()), Code::UnknownGame),
    ]
}

fn elsewhere(stage: &Stage) -> Vec<Kind> {
    let game = no_game();
    let again = Hello { guest: true, token: None };
    let forged = Hello { guest: false, token: Some("A".repeat(43)) };
    vec![
        kind(
            "watching no game",
            Who::Nobody,
            &ClientMessage::Watch(Watch { game, after: None, id: id() }),
            Code::UnknownGame,
        ),
        kind(
            "the history of no game",
            Who::Nobody,
            &ClientMessage::History(HistoryRequest { game, from: 1, id: id() }),
            Code::UnknownGame,
        ),
        kind("hello twice", Who::Other, &ClientMessage::Hello(again), Code::AlreadyIdentified),
        kind("a forged token", Who::Stranger, &ClientMessage::Hello(forged), Code::BadToken),
        kind("a command before hello", Who::Stranger, &play(stage.game, 1, "e2e4"), Code::HelloFirst),
    ]
}

fn no_challenge() -> ChallengeId {
    "000000000000".parse().expect("twelve digits are an id")
}
