//! The cases of forbidden commands, and the code that each must be rejected with.
//!
//! They are about the games of the [`Fixture`]: one in which White is to move and has offered a
//! draw, and one that has ended.

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

/// All cases, in the order in which they are sent.
pub(super) fn cases(fixture: &Fixture) -> Vec<Case> {
    let mut cases = moves(fixture);
    cases.extend(game_commands(fixture));
    cases.extend(challenges(fixture));
    cases.extend(names_and_rematches(fixture));
    cases.extend(connections(fixture));
    cases
}

fn case(name: &'static str, sender: Sender, message: &ClientMessage, code: Code) -> Case {
    let frame = client_frame(Opcode::Text, message.to_text().as_bytes());
    Case::new(name, sender, frame, Answer::Rejected(message.id(), code))
}

fn id() -> Option<CommandId> {
    Some("invalid".parse().expect("a short ASCII word"))
}

fn play(game: GameId, on: u32, uci: &str) -> ClientMessage {
    ClientMessage::Move(PlayMove { game, on, uci: uci.parse().expect("a move in UCI"), id: id() })
}

fn moves(fixture: &Fixture) -> Vec<Case> {
    let (game, on) = (fixture.game, fixture.on);
    vec![
        case("an illegal move", Sender::White, &play(game, on, "e1e8"), Code::IllegalMove),
        case("a promotion where none belongs", Sender::White, &play(game, on, "d2d4q"), Code::IllegalMove),
        case("a move on an earlier position", Sender::White, &play(game, 1, "d2d4"), Code::Stale),
        case("a move out of turn", Sender::Black, &play(game, on, "d7d5"), Code::NotYourTurn),
        case("a move in others' game", Sender::Third, &play(game, on, "d2d4"), Code::NotYourGame),
        case("a move without an account", Sender::Spectator, &play(game, on, "d2d4"), Code::NoAccount),
        case("a move in no game", Sender::White, &play(no_game(), on, "d2d4"), Code::UnknownGame),
        case("a move after the end", Sender::White, &play(fixture.over, 1, "e2e4"), Code::GameOver),
    ]
}

fn game_commands(fixture: &Fixture) -> Vec<Case> {
    let game = fixture.game;
    let command = || GameCommand { game, id: id() };
    let answer = |offer| AnswerOffer { game, offer, id: id() };
    let claim = ClaimDraw { game, on: fixture.on, uci: None, id: id() };
    let absence = ClaimAbsence { game, result: DrawOrWin::Win, id: id() };
    vec![
        case(
            "a second draw offer",
            Sender::White,
            &ClientMessage::OfferDraw(command()),
            Code::AlreadyOffered,
        ),
        case(
            "accepting one's own offer",
            Sender::White,
            &ClientMessage::AcceptDraw(answer(fixture.offer)),
            Code::NoOffer,
        ),
        case(
            "declining an earlier offer",
            Sender::Black,
            &ClientMessage::DeclineDraw(answer(1)),
            Code::Stale,
        ),
        case(
            "a claim where draws are automatic",
            Sender::White,
            &ClientMessage::ClaimDraw(claim),
            Code::NotInProfile,
        ),
        case(
            "claiming a player who is here",
            Sender::White,
            &ClientMessage::ClaimAbsence(absence),
            Code::NotAbsent,
        ),
        case("aborting too late", Sender::White, &ClientMessage::Abort(command()), Code::TooLateToAbort),
        case(
            "asking to take back",
            Sender::Black,
            &ClientMessage::OfferTakeback(command()),
            Code::NotInProfile,
        ),
        case("taking back unasked", Sender::Black, &ClientMessage::AcceptTakeback(answer(2)), Code::NoOffer),
        case(
            "giving time",
            Sender::White,
            &ClientMessage::GiveTime(GiveTime { game, ms: 15_000, id: id() }),
            Code::NotInProfile,
        ),
        case("asking for 14H", Sender::White, &ClientMessage::AskIlc(command()), Code::NotInProfile),
        case("resigning others' game", Sender::Third, &ClientMessage::Resign(command()), Code::NotYourGame),
        case(
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
    let rejected =
        |name, challenge, code| case(name, Sender::White, &ClientMessage::CreateChallenge(challenge), code);
    let accept = |challenge| ClientMessage::AcceptChallenge(ChallengeCommand { challenge, id: id() });
    let nobody = AccountId::from_u128(1);
    vec![
        rejected(
            "a clock without time",
            CreateChallenge { time_control: no_time, ..create() },
            Code::BadTimeControl,
        ),
        rejected("a start that is over", CreateChallenge { fen: Some(over), ..create() }, Code::BadPosition),
        rejected(
            "a start that is no FEN",
            CreateChallenge { fen: Some("x".repeat(90)), ..create() },
            Code::BadPosition,
        ),
        rejected("options that do not fit", CreateChallenge { options, ..create() }, Code::BadOptions),
        rejected(
            "challenging nobody",
            CreateChallenge { to: Some(nobody), ..create() },
            Code::UnknownAccount,
        ),
        case("one's own challenge", Sender::White, &accept(fixture.challenge), Code::OwnChallenge),
        case("a challenge for another", Sender::Third, &accept(fixture.challenge), Code::NotForYou),
        case("no challenge", Sender::Third, &accept(no_challenge()), Code::UnknownChallenge),
        case(
            "cancelling another's challenge",
            Sender::Third,
            &ClientMessage::CancelChallenge(ChallengeCommand { challenge: fixture.challenge, id: id() }),
            Code::NotForYou,
        ),
    ]
}

fn names_and_rematches(fixture: &Fixture) -> Vec<Case> {
    let name = |name: &str| ClientMessage::SetName(SetName { name: name.to_owned(), id: id() });
    let decline =
        DeclineChallenge { challenge: fixture.challenge, reason: DeclineReason::default(), id: id() };
    let rematch = |game| ClientMessage::OfferRematch(GameCommand { game, id: id() });
    let by_name =
        CreateChallenge { to_name: Some("x".repeat(90)), id: id(), ..player::challenge(WireColor::White) };
    vec![
        case("a name that is too long", Sender::Third, &name(&"x".repeat(90)), Code::BadName),
        case("a name that is no name", Sender::Third, &name("\u{202e}\0"), Code::BadName),
        case("a guest's name", Sender::Third, &name("guest-00000"), Code::BadName),
        case("a name for nobody", Sender::Spectator, &name("Castle"), Code::NoAccount),
        case(
            "challenging no name",
            Sender::White,
            &ClientMessage::CreateChallenge(by_name),
            Code::UnknownAccount,
        ),
        case(
            "declining another's challenge",
            Sender::Third,
            &ClientMessage::DeclineChallenge(decline),
            Code::NotForYou,
        ),
        case("a rematch of a game that goes on", Sender::White, &rematch(fixture.game), Code::NotOver),
        case("a rematch of others' game", Sender::Third, &rematch(fixture.over), Code::NotYourGame),
        case("a rematch of no game", Sender::White, &rematch(no_game()), Code::UnknownGame),
    ]
}

fn connections(fixture: &Fixture) -> Vec<Case> {
    let game = no_game();
    let again = Hello { guest: true, token: None };
    let forged = Hello { guest: false, token: Some("A".repeat(43)) };
    vec![
        case(
            "watching no game",
            Sender::Spectator,
            &ClientMessage::Watch(Watch { game, after: None, id: id() }),
            Code::UnknownGame,
        ),
        case(
            "the history of no game",
            Sender::Spectator,
            &ClientMessage::History(HistoryRequest { game, from: 1, id: id() }),
            Code::UnknownGame,
        ),
        case("hello twice", Sender::Third, &ClientMessage::Hello(again), Code::AlreadyIdentified),
        case("a forged token", Sender::Unidentified, &ClientMessage::Hello(forged), Code::BadToken),
        case(
            "a command before hello",
            Sender::Unidentified,
            &play(fixture.game, 1, "e2e4"),
            Code::HelloFirst,
        ),
    ]
}

fn no_challenge() -> ChallengeId {
    "000000000000".parse().expect("twelve digits are an id")
}
