//! A game as it stands, as one message; and its plies, 200 at a time.

use zeitnot_protocol::{
    ByColor, CommandId, GameId, GameOptions, History, Limits, OfferView, OutcomeView, Phase, PlyView, Rated,
    San, ServerMessage, Snapshot, StateView, TakebackOfferView, Uci,
};
use zeitnot_rules::board::ByColor as BySide;
use zeitnot_rules::game::{Game, PlayedMove};
use zeitnot_rules::notation::{fen, san};

use super::ClockReading;
use super::event_messages::{self, Shown};
use crate::connections::Frame;
use crate::storage::{Correction, RatingChange};
use crate::time::ServiceInstant;

/// What a game has done to the ratings of its players, with its corrections.
pub(crate) type RatingChanges = BySide<RatingChange>;

/// What has become of a game since its end.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Aftermath {
    /// What it has done to ratings, as far as that is known.
    pub(crate) ratings: Option<RatingChanges>,
    /// The last correction of its result.
    pub(crate) correction: Option<Correction>,
}

impl Aftermath {
    /// The correction that is in force.
    pub(crate) fn correction_of(&self, game: &Game) -> Option<Correction> {
        game.outcome().and_then(|played| self.correction?.in_force(played))
    }
}

const PLIES_MAX: u32 = Limits::STANDARD.plies_per_frame;

/// A game as it stands after its last event, with at most its last 200 plies.
pub fn snapshot(game_id: GameId, game: &Game) -> Snapshot {
    let (setup, ply_count) = (game.setup(), game.ply_count());
    let Shown { white_ms, black_ms } = Shown::new(game.clocks());
    Snapshot {
        game: game_id,
        seq: game.seq(),
        on: game.position_seq(),
        variant: game.variant().into(),
        start_fen: fen::write(&setup.start),
        fen: fen::write(game.position()),
        players: event_messages::players(setup),
        time_control: event_messages::time_control(setup),
        options: GameOptions::from(&setup.profile),
        ply_count,
        plies: plies(game, ply_count.saturating_sub(PLIES_MAX) + 1),
        state: state(game),
        white_ms,
        black_ms,
        began: event_messages::began(setup),
        rated: setup.rated,
        imported: setup.imported.is_some(),
        origin: event_messages::origin(setup),
        ratings: None,
        opening: None,
    }
}

/// The plies of a game from the `from`-th on (1 for the first), at most 200: the answer to the `history` with this `id`.
pub fn history(id: Option<CommandId>, game_id: GameId, game: &Game, from: u32) -> History {
    History { id, game: game_id, from, ply_count: game.ply_count(), plies: plies(game, from) }
}

/// [`snapshot`] of a game that may have changed ratings, and whose result may have been corrected.
pub(crate) fn snapshot_with(game_id: GameId, game: &Game, after: &Aftermath) -> Snapshot {
    let mut snapshot = snapshot(game_id, game);
    snapshot.ratings = after.ratings.as_ref().map(event_messages::rating_steps);
    if let (Some(correction), Some(played)) = (after.correction_of(game), game.outcome()) {
        let outcome = OutcomeView::of(correction.outcome(), game.position(), game.variant());
        let played_out = Some(event_messages::played_out(played, correction));
        snapshot.state.outcome = Some(OutcomeView { played_out, ..outcome });
    }
    snapshot
}

/// The frame of [`snapshot_with`].
pub(super) fn snapshot_frame(game_id: GameId, game: &Game, after: &Aftermath) -> Frame {
    Frame::new(game.seq(), &ServerMessage::Snapshot(snapshot_with(game_id, game, after)))
}

/// The frame of `rated`, for a game that has ended.
pub(super) fn rated_frame(game_id: GameId, game: &Game, changes: &RatingChanges) -> Frame {
    let ByColor { white, black } = event_messages::rating_steps(changes);
    Frame::new(game.seq(), &ServerMessage::Rated(Rated { game: game_id, white, black }))
}

/// The frame of [`history`].
pub(super) fn history_frame(id: Option<CommandId>, game_id: GameId, game: &Game, from: u32) -> Frame {
    Frame::new(game.seq(), &ServerMessage::History(history(id, game_id, game, from)))
}

/// `clock` for a game that nobody plays on: its clocks stand. It answers the `watch` with this `id`.
pub(super) fn standing_clock_frame(id: Option<CommandId>, game_id: GameId, game: &Game) -> Frame {
    let face = ClockReading::standing(game);
    Frame::new(game.seq(), &ServerMessage::Clock(face.message(id, game_id, ServiceInstant::default())))
}

fn state(game: &Game) -> StateView {
    let phase = match (game.is_over(), game.has_ended()) {
        (_, true) => Phase::Ended,
        (true, false) => Phase::Deciding,
        (false, false) => Phase::Playing,
    };
    let draw_offer = game.open_draw_offer().map(|offer| OfferView {
        by: offer.by.into(),
        seq: offer.seq,
        ilc: offer.is_ilc,
    });
    let offered_at = game.draw_offered_at();
    let takeback_offer = game.open_takeback().map(|offer| TakebackOfferView {
        by: offer.by.into(),
        seq: offer.seq,
        plies: u32::from(offer.plies),
    });
    let view = |outcome| OutcomeView::of(outcome, game.position(), game.variant());
    StateView {
        phase,
        check: event_messages::check(game.position()),
        draw_offer,
        draw_offered_at: (offered_at != BySide::both(None))
            .then_some(ByColor { white: offered_at.white, black: offered_at.black }),
        takeback_offer,
        remedy: game.remedy().map(event_messages::wire_bonus),
        outcome: game.outcome().map(view),
    }
}

/// SAN needs the position before each ply, so the line is played again from its start.
fn plies(game: &Game, from: u32) -> Vec<PlyView> {
    let mut position = game.setup().start.clone();
    let mut views = Vec::with_capacity(PLIES_MAX.min(game.ply_count()) as usize);
    for played in game.moves() {
        if views.len() >= PLIES_MAX as usize {
            break;
        }
        let before = position.clone();
        position.play_unchecked(played.mv);
        if played.ply >= from {
            let san = san::write_after(played.mv, &before, &position);
            let uci = event_messages::wire_uci(played.mv, &before, game.variant());
            views.push(view(&played, uci, san.into()));
        }
    }
    views
}

fn view(played: &PlayedMove, uci: Uci, san: San) -> PlyView {
    let Shown { white_ms, black_ms } = Shown::new(played.time.map(|time| time.clocks));
    PlyView {
        ply: played.ply,
        uci,
        san,
        white_ms,
        black_ms,
        took: played.time.map(|time| time.took.to_ms_down()),
        credit: played.time.map(|time| time.credit.to_ms_down()),
    }
}
