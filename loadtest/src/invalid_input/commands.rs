//! The kinds of forbidden command, and the code each must be refused with.
//!
//! They are about the games of the [`Fixture`]: one in which White has made the third half-move's offer and is to move,
//! and one that is over.

use zeitnot_protocol::{
    AccountId, AnswerOffer, ChallengeCommand, ChallengeId, ClaimAbsence, ClaimDraw, ClientMessage, Code,
    CommandId, CreateChallenge, DeclineChallenge, DeclineReason, DrawOrWin, GameCommand, GameId, GameOptions,
    GiveTime, Hello, HistoryRequest, Period, PlayMove, SetName, TimeControl, Watch, WireColor, WireIlc,
    WireProfile,
};

use super::fixture::{Fixture, no_game};
use super::sender::{Answer, Case, Sender};
use crate::player;
use crate::wire::{Opcode, client_frame};

/// Every kind, in the order they are sent.
pub(super) fn kinds(fixture: &Fixture) -> Vec<Case> {
    let mut kinds = moves(fixture);
    kinds.extend(game_commands(fixture));
    kinds.extend(challenges(fixture));
    kinds.extend(people(fixture));
    kinds.extend(elsewhere(fixture));
    kinds
}

fn kind(name: &'static str, who: Sender, message: &ClientMessage, code: Code) -> Case {
    let frame = client_frame(Opcode::Text, message.to_text().as_bytes());
    Case::new(name, who, frame, Answer::Refused(message.id(), code))
}

fn id() -> Option<CommandId> {
    Some("abuse".parse().expect("a short ASCII word"))
}

fn play(game: GameId, on: u32, uci: &str) -> ClientMessage {
    ClientMessage::Move(PlayMove { game, on, uci: uci.parse().expect("a move in UCI"), id: id() })
}

fn moves(fixture: &Fixture) -> Vec<Case> {
    let (game, on) = (fixture.game, fixture.on);
    vec![
        kind("an illegal move", Sender::White, &play(game, on, "e1e8"), Code::IllegalMove),
        kind("a promotion where none belongs", Sender::White, &play(game, on, "d2d4q"), Code::IllegalMove),
        kind("a move on an earlier position", Sender::White, &play(game, 1, "d2d4"), Code::Stale),
        kind("a move out of turn", Sender::Black, &play(game, on, "d7d5"), Code::NotYourTurn),
        kind("a move in others' game", Sender::Other, &play(game, on, "d2d4"), Code::NotYourGame),
        kind("a move without an account", Sender::Nobody, &play(game, on, "d2d4"), Code::NoAccount),
        kind("a move in no game", Sender::White, &play(no_game(), on, "d2d4"), Code::UnknownGame),
        kind("a move after the end", Sender::White, &play(fixture.over, 1, "e2e4"), Code::GameOver),
    ]
}

fn game_commands(fixture: &Fixture) -> Vec<Case> {
    let game = fixture.game;
    let command = || GameCommand { game, id: id() };
    let answer = |offer| AnswerOffer { game, offer, id: id() };
    let claim = ClaimDraw { game, on: fixture.on, uci: None, id: id() };
    let absence = ClaimAbsence { game, result: DrawOrWin::Win, id: id() };
    vec![
        kind(
            "a second draw offer",
            Sender::White,
            &ClientMessage::OfferDraw(command()),
            Code::AlreadyOffered,
        ),
        kind(
            "accepting one's own offer",
            Sender::White,
            &ClientMessage::AcceptDraw(answer(fixture.offer)),
            Code::NoOffer,
        ),
        kind(
            "declining an earlier offer",
            Sender::Black,
            &ClientMessage::DeclineDraw(answer(1)),
            Code::Stale,
        ),
        kind(
            "a claim where draws are automatic",
            Sender::White,
            &ClientMessage::ClaimDraw(claim),
            Code::NotInProfile,
        ),
        kind(
            "claiming a player who is here",
            Sender::White,
            &ClientMessage::ClaimAbsence(absence),
            Code::NotAbsent,
        ),
        kind("aborting too late", Sender::White, &ClientMessage::Abort(command()), Code::TooLateToAbort),
        kind(
            "asking to take back",
            Sender::Black,
            &ClientMessage::OfferTakeback(command()),
            Code::NotInProfile,
        ),
        kind("taking back unasked", Sender::Black, &ClientMessage::AcceptTakeback(answer(2)), Code::NoOffer),
        kind(
            "giving time",
            Sender::White,
            &ClientMessage::GiveTime(GiveTime { game, ms: 15_000, id: id() }),
            Code::NotInProfile,
        ),
        kind("asking for 14H", Sender::White, &ClientMessage::AskIlc(command()), Code::NotInProfile),
        kind("resigning others' game", Sender::Other, &ClientMessage::Resign(command()), Code::NotYourGame),
        kind(
            "resigning after the end",
            Sender::Black,
            &ClientMessage::Resign(GameCommand { game: fixture.over, id: id() }),
            Code::GameOver,
        ),
    ]
}

fn challenges(fixture: &Fixture) -> Vec<Case> {
    let create = || CreateChallenge { id: id(), ..player::challenge(WireColor::White) };
    let no_time = TimeControl::Clock { periods: vec![Period::default()], black_periods: None };
    let over = "7k/8/8/8/8/8/8/7K w - - 0 1".to_owned();
    let options =
        GameOptions { profile: WireProfile::FideOnline, ilc: WireIlc::Us14h, ..GameOptions::default() };
    let refused =
        |name, challenge, code| kind(name, Sender::White, &ClientMessage::CreateChallenge(challenge), code);
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
        kind("one's own challenge", Sender::White, &accept(fixture.challenge), Code::OwnChallenge),
        kind("a challenge for another", Sender::Other, &accept(fixture.challenge), Code::NotForYou),
        kind("no challenge", Sender::Other, &accept(no_challenge()), Code::UnknownChallenge),
        kind(
            "cancelling another's challenge",
            Sender::Other,
            &ClientMessage::CancelChallenge(ChallengeCommand { challenge: fixture.challenge, id: id() }),
            Code::NotForYou,
        ),
    ]
}

fn people(fixture: &Fixture) -> Vec<Case> {
    let name = |name: &str| ClientMessage::SetName(SetName { name: name.to_owned(), id: id() });
    let decline =
        DeclineChallenge { challenge: fixture.challenge, reason: DeclineReason::default(), id: id() };
    let rematch = |game| ClientMessage::OfferRematch(GameCommand { game, id: id() });
    let by_name =
        CreateChallenge { to_name: Some("x".repeat(90)), id: id(), ..player::challenge(WireColor::White) };
    vec![
        kind("a name that is too long", Sender::Other, &name(&"x".repeat(90)), Code::BadName),
        kind("a name that is no name", Sender::Other, &name("\u{202e}\0"), Code::BadName),
        kind("a guest's name", Sender::Other, &name("guest-00000"), Code::BadName),
        kind("a name for nobody", Sender::Nobody, &name("Castle"), Code::NoAccount),
        kind(
            "challenging no name",
            Sender::White,
            &ClientMessage::CreateChallenge(by_name),
            Code::UnknownAccount,
        ),
        kind(
            "declining another's challenge",
            Sender::Other,
            &ClientMessage::DeclineChallenge(decline),
            Code::NotForYou,
        ),
        kind("a rematch of a game that goes on", Sender::White, &rematch(fixture.game), Code::NotOver),
        kind("a rematch of others' game", Sender::Other, &rematch(fixture.over), Code::NotYourGame),
        kind("a rematch of no game", Sender::White, &rematch(no_game()), Code::UnknownGame),
    ]
}

fn elsewhere(fixture: &Fixture) -> Vec<Case> {
    let game = no_game();
    let again = Hello { guest: true, token: None };
    let forged = Hello { guest: false, token: Some("A".repeat(43)) };
    vec![
        kind(
            "watching no game",
            Sender::Nobody,
            &ClientMessage::Watch(Watch { game, after: None, id: id() }),
            Code::UnknownGame,
        ),
        kind(
            "the history of no game",
            Sender::Nobody,
            &ClientMessage::History(HistoryRequest { game, from: 1, id: id() }),
            Code::UnknownGame,
        ),
        kind("hello twice", Sender::Other, &ClientMessage::Hello(again), Code::AlreadyIdentified),
        kind("a forged token", Sender::Stranger, &ClientMessage::Hello(forged), Code::BadToken),
        kind("a command before hello", Sender::Stranger, &play(fixture.game, 1, "e2e4"), Code::HelloFirst),
    ]
}

fn no_challenge() -> ChallengeId {
    "000000000000".parse().expect("twelve digits are an id")
}
