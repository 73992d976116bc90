//! A game as its caller knows it: the fold of the events that the caller has read.
//!
//! Deliberately absent: the rules of chess. Positions and legal moves come from the server.

use zeitnot_protocol::{
    AccountId, ByColor, GameOptions, OfferView, OutcomeView, Phase, PlayerView, PlyView, RatingStep,
    Snapshot, Started, TakebackOfferView, TimeControl, WireColor, WireVariant,
};

use crate::event::{GameEvent, to_move};

/// A game after the events that its caller has read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GameState {
    /// The last event.
    pub seq: u32,
    /// The event that made the position on the board: what a move names.
    pub on: u32,
    /// Standard or Chess960.
    pub variant: WireVariant,
    /// The position that the game started from, in FEN.
    pub start_fen: String,
    /// The position on the board, in FEN.
    pub fen: String,
    /// The players.
    pub players: ByColor<PlayerView>,
    /// The account's side; none for a spectator.
    pub color: Option<WireColor>,
    /// The clocks' rules.
    pub time_control: TimeControl,
    /// The game's rules.
    pub options: GameOptions,
    /// How many plies stand on the board in all.
    pub ply_count: u32,
    /// The last of them, oldest first: at least 200, or all. [`Client::plies`](crate::Client::plies) gives the others.
    pub plies: Vec<PlyView>,
    /// Whether it is being played.
    pub phase: Phase,
    /// The open draw offer.
    pub draw_offer: Option<OfferView>,
    /// The open takeback offer.
    pub takeback_offer: Option<TakebackOfferView>,
    /// How it ended, if it has.
    pub outcome: Option<OutcomeView>,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// What it has done to the ratings, when it has.
    pub ratings: Option<ByColor<RatingStep>>,
}

impl GameState {
    pub(crate) fn new(snapshot: &Snapshot, account: Option<AccountId>) -> Self {
        let state = snapshot.state.clone();
        Self {
            seq: snapshot.seq,
            on: snapshot.on,
            variant: snapshot.variant,
            start_fen: snapshot.start_fen.clone(),
            fen: snapshot.fen.clone(),
            players: snapshot.players.clone(),
            color: color_of(&snapshot.players, account),
            time_control: snapshot.time_control.clone(),
            options: snapshot.options,
            ply_count: snapshot.ply_count,
            plies: snapshot.plies.clone(),
            phase: state.phase,
            draw_offer: state.draw_offer,
            takeback_offer: state.takeback_offer,
            outcome: state.outcome,
            rated: snapshot.rated,
            ratings: snapshot.ratings,
        }
    }

    /// The side to move.
    #[must_use]
    pub fn to_move(&self) -> WireColor {
        to_move(&self.fen)
    }

    /// Whether it is the account's move.
    #[must_use]
    pub fn is_my_move(&self) -> bool {
        self.phase == Phase::Playing && self.color == Some(self.to_move())
    }

    /// The draw offer that the account may answer.
    #[must_use]
    pub fn draw_offer_to_me(&self) -> Option<OfferView> {
        self.draw_offer.filter(|offer| self.color.is_some_and(|color| color != offer.by))
    }

    /// The takeback offer that the account may answer.
    #[must_use]
    pub fn takeback_offer_to_me(&self) -> Option<TakebackOfferView> {
        self.takeback_offer.filter(|offer| self.color.is_some_and(|color| color != offer.by))
    }

    /// Folds an event.
    pub(crate) fn apply(&mut self, event: &GameEvent, account: Option<AccountId>) {
        if let Some(seq) = event.seq() {
            self.seq = seq;
        }
        match event {
            GameEvent::Snapshot(snapshot) => *self = Self::new(snapshot, account),
            GameEvent::Started(started) => self.start(started),
            GameEvent::Move(played) => {
                (self.on, self.ply_count) = (played.seq, played.ply);
                self.fen.clone_from(&played.fen);
                self.plies.push(PlyView::from(played));
                // A move declines the opponent's offer.
                let opponent = self.to_move();
                self.draw_offer = self.draw_offer.filter(|offer| offer.by != opponent);
                self.takeback_offer = None;
            }
            GameEvent::TakenBack(back) => {
                (self.on, self.ply_count) = (back.seq, back.ply);
                self.fen.clone_from(&back.fen);
                self.plies.truncate(self.plies.len().saturating_sub(back.plies as usize));
                (self.draw_offer, self.takeback_offer) = (None, None);
            }
            GameEvent::DrawOffered(offer) => self.offered(offer.by, offer.seq, false),
            GameEvent::IlcAsked(offer) => self.offered(offer.by, offer.seq, true),
            GameEvent::DrawDeclined(_) => self.draw_offer = None,
            GameEvent::TakebackOffered(offer) => {
                let (by, seq, plies) = (offer.by, offer.seq, offer.plies);
                self.takeback_offer = Some(TakebackOfferView { by, seq, plies });
            }
            GameEvent::TakebackDeclined(_) => self.takeback_offer = None,
            GameEvent::FlagFell(_) | GameEvent::Resigned(_) | GameEvent::AbsenceClaimed(_) => {
                self.stopped(Phase::Deciding);
            }
            GameEvent::Ended(ended) => {
                self.stopped(Phase::Ended);
                self.outcome = Some(ended.outcome.clone());
            }
            GameEvent::Rated(rated) => {
                self.ratings = Some(ByColor { white: rated.white, black: rated.black });
            }
            _ => {}
        }
    }

    fn start(&mut self, started: &Started) {
        self.on = started.seq;
        self.start_fen.clone_from(&started.fen);
        self.fen.clone_from(&started.fen);
        self.ply_count = 0;
        self.plies.clear();
    }

    fn offered(&mut self, by: WireColor, seq: u32, ilc: bool) {
        self.draw_offer = Some(OfferView { by, seq, ilc });
    }

    fn stopped(&mut self, phase: Phase) {
        self.phase = phase;
        (self.draw_offer, self.takeback_offer) = (None, None);
    }
}

fn color_of(players: &ByColor<PlayerView>, account: Option<AccountId>) -> Option<WireColor> {
    let account = account?;
    let plays = |player: &PlayerView| player.account == account;
    let black = plays(&players.black).then_some(WireColor::Black);
    if plays(&players.white) { Some(WireColor::White) } else { black }
}
