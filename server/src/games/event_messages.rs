//! Events as frames: one function from an event and the game around it to the message that
//! everybody gets.
//!
//! The same for an event that has just been committed and for one that is made again from the
//! journal, so both give the same bytes. Nothing but the events goes in: no clock is read, and
//! names are those that the game began with.

use zeitnot_protocol::{
    AbsenceClaimed, AccountId, ByColor, ByEvent, Check, DrawClaimed, Ended, GameId, GameOptions, IlcRemedied,
    MoveEvent, NamedMove, Origin, OutcomeView, PlayedOut, PlayerView, RatingStep, ServerMessage, Started,
    StoppedBy, TakebackOffered, TakenBack, TimeAdjusted, TimeControl, Turn, Uci, WireBonus,
};
use zeitnot_rules::board::{ByColor as BySide, Color, Move, Position};
use zeitnot_rules::game::{Bonus, Charge, Event, Game, GameSetup, Micros, Variant};
use zeitnot_rules::notation::{fen, san, uci};
use zeitnot_rules::verdict::Outcome;

use crate::accounts::shown_name;
use crate::connections::Frame;
use crate::storage::{Correction, RatingChange};

/// The name of a player of whom a PGN says none, as PGN has it.
const UNKNOWN: &str = "?";

/// Room for the legal moves of nearly every position.
const USUAL_MOVES: usize = 48;

/// Folds the next event of a game into it, and gives its frame. When that took writing the
/// position's FEN, it is left in `fen` for the next one who needs it.
pub(super) fn evolve_into_frame(
    id: GameId,
    game: &mut Game,
    event: &Event,
    fen: &mut Option<String>,
) -> Frame {
    let before = game.position().clone();
    game.evolve(event);
    let message = message(id, &before, game, event);
    let frame = Frame::new(game.seq(), &message);
    match message {
        ServerMessage::Move(MoveEvent { fen: written, .. })
        | ServerMessage::TakenBack(TakenBack { fen: written, .. }) => *fen = Some(written),
        ServerMessage::TimeAdjusted(_) => return frame.with_clock(),
        _ => {}
    }
    frame
}

/// The game of a first event, with its frame.
///
/// # Panics
/// When it is not [`Event::Started`].
pub(super) fn start_into_frame(id: GameId, started: &Event) -> (Game, Frame) {
    let game = Game::from_started(started);
    let frame = Frame::new(game.seq(), &message(id, game.position(), &game, started));
    (game, frame)
}

/// How a game was played out whose result was corrected.
pub(super) fn played_out(played: &Outcome, correction: Correction) -> PlayedOut {
    PlayedOut {
        score: played.score.into(),
        reason: played.reason.into(),
        corrected: u32::try_from(correction.at_unix_ms / 1_000).unwrap_or(u32::MAX),
    }
}

/// Both clocks in ms as they are shown.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) white_ms: Option<u32>,
    pub(super) black_ms: Option<u32>,
}

impl Shown {
    pub(super) fn new(clocks: Option<BySide<Micros>>) -> Self {
        Self {
            white_ms: clocks.map(|clocks| clocks.white.to_ms_up()),
            black_ms: clocks.map(|clocks| clocks.black.to_ms_up()),
        }
    }
}

/// The message for an event that led from `before` to `game`.
fn message(game_id: GameId, before: &Position, game: &Game, event: &Event) -> ServerMessage {
    let seq = game.seq();
    let Shown { white_ms, black_ms } = Shown::new(game.clocks());
    let by_event = |by| ByEvent { game: game_id, seq, by };
    match event {
        Event::Started(setup) => ServerMessage::Started(started(game_id, game, setup)),
        Event::MovePlayed { mv, charge } => {
            ServerMessage::Move(move_event(game_id, before, game, *mv, charge.as_ref()))
        }
        Event::DrawOffered { by } => ServerMessage::DrawOffered(by_event((*by).into())),
        Event::DrawDeclined { by } => ServerMessage::DrawDeclined(by_event((*by).into())),
        Event::DrawClaimed { by, intended, found } => ServerMessage::DrawClaimed(DrawClaimed {
            game: game_id,
            seq,
            by: (*by).into(),
            uci: intended.map(|mv| wire_uci(mv, before, game.variant())),
            right: found.is_some(),
        }),
        Event::AbsenceClaimed { by, wish, .. } => {
            let (by, result) = ((*by).into(), (*wish).into());
            ServerMessage::AbsenceClaimed(AbsenceClaimed {
                game: game_id,
                seq,
                by,
                result,
                white_ms,
                black_ms,
            })
        }
        Event::TakebackOffered { by, plies } => {
            let (by, plies) = ((*by).into(), u32::from(*plies));
            ServerMessage::TakebackOffered(TakebackOffered { game: game_id, seq, by, plies })
        }
        Event::TakebackDeclined { by } => ServerMessage::TakebackDeclined(by_event((*by).into())),
        Event::TakenBack { plies, .. } => {
            let (plies, ply, fen) = (u32::from(*plies), game.ply_count(), fen::write(game.position()));
            ServerMessage::TakenBack(TakenBack { game: game_id, seq, plies, ply, fen, white_ms, black_ms })
        }
        Event::TimeAdjusted { cause, .. } => {
            let cause = (*cause).into();
            ServerMessage::TimeAdjusted(TimeAdjusted { game: game_id, seq, cause, white_ms, black_ms })
        }
        Event::IlcAsked { by } => ServerMessage::IlcAsked(by_event((*by).into())),
        Event::IlcRemedied { by, bonus, .. } => {
            let (by, bonus) = ((*by).into(), wire_bonus(*bonus));
            ServerMessage::IlcRemedied(IlcRemedied { game: game_id, seq, by, bonus, white_ms, black_ms })
        }
        Event::FlagFell { seat, .. } => {
            let by = (*seat).into();
            ServerMessage::FlagFell(StoppedBy { game: game_id, seq, by, white_ms, black_ms })
        }
        Event::Resigned { seat, .. } => {
            let by = (*seat).into();
            ServerMessage::Resigned(StoppedBy { game: game_id, seq, by, white_ms, black_ms })
        }
        Event::Ended { outcome, .. } => {
            let outcome = OutcomeView::of(outcome, game.position(), game.variant());
            ServerMessage::Ended(Ended { game: game_id, seq, outcome, white_ms, black_ms })
        }
    }
}

fn started(game_id: GameId, game: &Game, setup: &GameSetup) -> Started {
    let Shown { white_ms, black_ms } = Shown::new(game.clocks());
    Started {
        game: game_id,
        seq: game.seq(),
        variant: setup.variant.into(),
        fen: fen::write(&setup.start),
        players: players(setup),
        time_control: time_control(setup),
        options: GameOptions::from(&setup.profile),
        white_ms,
        black_ms,
        began: began(setup),
        rated: setup.rated,
        imported: setup.imported.is_some(),
    }
}

fn move_event(
    game_id: GameId,
    before: &Position,
    game: &Game,
    mv: Move,
    charge: Option<&Charge>,
) -> MoveEvent {
    let after = game.position();
    let Shown { white_ms, black_ms } = Shown::new(game.clocks());
    let san = san::write_after(mv, before, after);
    MoveEvent {
        game: game_id,
        seq: game.seq(),
        ply: game.ply_count(),
        uci: wire_uci(mv, before, game.variant()),
        san: san.into(),
        fen: fen::write(after),
        check: check(after),
        white_ms,
        black_ms,
        took: charge.map(|charge| charge.took.to_ms_down()),
        credit: charge.map(|charge| charge.credit.to_ms_down()),
    }
}

/// A legal move in both notations; `position` is the one after it then.
pub(crate) fn play_named(position: &mut Position, mv: Move, variant: Variant) -> NamedMove {
    let before = position.clone();
    position.play_unchecked(mv);
    NamedMove {
        uci: uci::write(mv, &before, variant).into(),
        san: san::write_after(mv, &before, position).into(),
    }
}

/// The check that stands on the board.
pub(crate) fn check(position: &Position) -> Option<Check> {
    if !position.in_check() {
        return None;
    }
    let checkers: Vec<_> = position.checkers().into_iter().map(Into::into).collect();
    Some(Check {
        king: position.king(position.side_to_move()).into(),
        double: checkers.len() > 1,
        checkers,
        mate: !position.has_legal_move(),
    })
}

/// A legal move as it is written on the wire.
pub(super) fn wire_uci(mv: Move, position: &Position, variant: Variant) -> Uci {
    Uci::from(uci::write(mv, position, variant))
}

pub(super) fn wire_bonus(bonus: BySide<Bonus>) -> ByColor<WireBonus> {
    let wire = |bonus: Bonus| WireBonus::try_from(bonus).expect("remedies are whole milliseconds");
    ByColor { white: wire(bonus.white), black: wire(bonus.black) }
}

/// Both players, with the ratings that they began the game with.
pub(crate) fn players(setup: &GameSetup) -> ByColor<PlayerView> {
    let view = |seat| {
        let shown = setup.ratings[seat];
        PlayerView {
            rating: shown.map(|shown| shown.rating.into()),
            provisional: shown.is_some_and(|shown| shown.provisional),
            bot: setup.bots[seat],
            ..player(setup, seat)
        }
    };
    ByColor { white: view(Color::White), black: view(Color::Black) }
}

/// What a game has done to both ratings.
pub(super) fn rating_steps(changes: &BySide<RatingChange>) -> ByColor<RatingStep> {
    let step = |change: &RatingChange| RatingStep {
        before: change.before.whole_points(),
        after: change.after.whole_points(),
        provisional: change.after.is_provisional(),
    };
    ByColor { white: step(&changes.white), black: step(&changes.black) }
}

/// A player of a game, by the name that the game began with. Whoever played elsewhere has no account here.
pub(crate) fn player(setup: &GameSetup, seat: Color) -> PlayerView {
    let account = AccountId::from_u128(setup.players[seat]);
    let name = match &setup.imported {
        Some(_) => setup.name_elsewhere(seat).unwrap_or(UNKNOWN).to_owned(),
        None => shown_name(account, setup.names[seat]),
    };
    PlayerView::unrated(account, name)
}

/// What is known of a game that was played elsewhere.
pub(super) fn origin(setup: &GameSetup) -> Option<Box<Origin>> {
    let tags = setup.imported.as_ref()?;
    let value = |name| tags.get(name).map(str::to_owned);
    let (event, site) = (value("Event"), value("Site"));
    Some(Box::new(Origin { event, site, date: value("Date"), round: value("Round") }))
}

/// The clocks of a game as they are written on the wire.
pub(crate) fn time_control(setup: &GameSetup) -> TimeControl {
    TimeControl::try_from(&setup.time_control).expect("a game's time control came from the wire")
}

/// When the game began, in seconds of Unix time.
pub(super) fn began(setup: &GameSetup) -> u32 {
    u32::try_from(setup.began_unix_ms / 1_000).unwrap_or(u32::MAX)
}

/// `turn`, for the player to move. `clocks` are what is shown now, `fen` the position's if it was
/// written already.
pub(super) fn turn(
    game_id: GameId,
    game: &Game,
    fen: Option<String>,
    clocks: Option<BySide<Micros>>,
) -> Frame {
    let Shown { white_ms, black_ms } = Shown::new(clocks);
    let (position, variant) = (game.position(), game.variant());
    let mut legal = Vec::with_capacity(USUAL_MOVES);
    position.for_each_piece_moves(|moves| {
        legal.extend(moves.into_iter().map(|mv| wire_uci(mv, position, variant)));
        false
    });
    let (on, fen) = (game.position_seq(), fen.unwrap_or_else(|| fen::write(position)));
    let turn = Turn { game: game_id, on, fen, legal, white_ms, black_ms };
    Frame::new(game.seq(), &ServerMessage::Turn(turn))
}
