//! One game: its events, its clocks, and every command of a player.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::Stream;
use zeitnot_protocol::{
    AnswerOffer, ChallengeId, ChatRoom, ClaimAbsence, ClaimDraw, ClientMessage, DrawOrWin, GameCommand,
    GameId, GiveTime, Phase, PlayMove, PlyView, Say, Uci,
};

use crate::clocks::Clocks;
use crate::inbox::GameInbox;
use crate::machine::Answer;
use crate::{Client, Error, GameEvent, GameState};

/// A game that is open: see [`Client::game`]. It is a [`Stream`] of its events, too.
///
/// [`Game::state`] is the game after the events that were read, so a command is about the position that its caller
/// knows: a move after which the server has another position on the board is rejected with `stale`.
///
/// When it is dropped, the client watches the game no longer. A game of one's own goes on.
#[derive(Debug)]
pub struct Game {
    client: Client,
    id: GameId,
    inbox: Arc<GameInbox>,
    state: GameState,
    /// The snapshot that the game was opened with, until it is read.
    first: Option<GameEvent>,
    has_failed: bool,
}

impl Game {
    pub(crate) async fn new(client: Client, id: GameId, inbox: Arc<GameInbox>) -> Result<Self, Error> {
        let (first, _) = poll_fn(|cx| inbox.poll_next(usize::MAX, cx)).await;
        match first? {
            GameEvent::Snapshot(snapshot) => {
                let state = GameState::new(&snapshot, client.account());
                let first = Some(GameEvent::Snapshot(snapshot));
                Ok(Self { client, id, inbox, state, first, has_failed: false })
            }
            _ => Err(Error::Unreadable),
        }
    }

    /// The game.
    #[must_use]
    pub fn id(&self) -> GameId {
        self.id
    }

    /// The client that it was opened with.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The game after the events that were read.
    #[must_use]
    pub fn state(&self) -> &GameState {
        &self.state
    }

    /// Both clocks, which go on running: those of now, also if events wait to be read. Which of them runs in a game that
    /// was just opened is known a moment after the snapshot.
    #[must_use]
    pub fn clocks(&self) -> Option<Clocks> {
        self.inbox.clocks()
    }

    /// The next event; none after [`GameEvent::Ended`], or after the snapshot of a game that is over.
    ///
    /// The game's own events come each once and in order, however often the connection is lost, and however slowly
    /// they are read. It is fine to drop the future.
    ///
    /// # Errors
    /// Why nothing more will come.
    pub async fn next(&mut self) -> Result<Option<GameEvent>, Error> {
        poll_fn(|cx| self.poll_event(cx)).await
    }

    /// What comes when the game is over: what it has done to the ratings, and chat.
    ///
    /// # Errors
    /// Why nothing more will come.
    pub async fn next_after_end(&mut self) -> Result<GameEvent, Error> {
        poll_fn(|cx| self.poll_any(cx)).await
    }

    fn poll_event(&mut self, cx: &Context<'_>) -> Poll<Result<Option<GameEvent>, Error>> {
        if self.first.is_none() && self.state.phase == Phase::Ended {
            return Poll::Ready(Ok(None));
        }
        self.poll_any(cx).map_ok(Some)
    }

    fn poll_any(&mut self, cx: &Context<'_>) -> Poll<Result<GameEvent, Error>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Ok(first));
        }
        let shared = self.client.shared();
        self.inbox.poll_next(shared.options.game_buffer, cx).map(|(event, has_room)| {
            if has_room {
                shared.room.notify_one();
            }
            let event = event?;
            self.state.apply(&event, self.client.account());
            Ok(event)
        })
    }

    /// Plays a move in the position after the events that were read. Gives the `seq` of its event once it is durable.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `illegal_move`, `not_your_turn`, `stale`, `time_is_up` or `game_over`. After
    /// `illegal_move`, and after an error that is no rejection, no new [`GameEvent::Turn`] comes: play again. The same
    /// move in the same position is played once, however often it is sent.
    pub async fn play(&self, uci: Uci) -> Result<u32, Error> {
        let on = self.state.on;
        self.seq(ClientMessage::Move(PlayMove { game: self.id, on, uci, id: None })).await
    }

    /// Resigns.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `game_over`.
    pub async fn resign(&self) -> Result<u32, Error> {
        self.seq(ClientMessage::Resign(self.bare())).await
    }

    /// Ends the game without a result, before each side has moved.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `too_late_to_abort` or `not_in_profile`.
    pub async fn abort(&self) -> Result<u32, Error> {
        self.seq(ClientMessage::Abort(self.bare())).await
    }

    /// Offers a draw, or accepts the opponent's open offer.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `already_offered` or `offer_too_early`.
    pub async fn offer_draw(&self) -> Result<u32, Error> {
        self.seq(ClientMessage::OfferDraw(self.bare())).await
    }

    /// Accepts the draw offer with this `seq`: [`GameState::draw_offer_to_me`].
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `no_offer` or `both_must_move`.
    pub async fn accept_draw(&self, offer: u32) -> Result<u32, Error> {
        self.seq(ClientMessage::AcceptDraw(self.offer(offer))).await
    }

    /// Declines it. A move does so, too.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `no_offer`.
    pub async fn decline_draw(&self, offer: u32) -> Result<u32, Error> {
        self.seq(ClientMessage::DeclineDraw(self.offer(offer))).await
    }

    /// Claims a draw by repetition or move count, for the position on the board, or for the one after `uci`.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `already_claimed` or `not_in_profile`. A wrong claim is none: see
    /// [`GameEvent::DrawClaimed`].
    pub async fn claim_draw(&self, uci: Option<Uci>) -> Result<u32, Error> {
        let on = self.state.on;
        self.seq(ClientMessage::ClaimDraw(ClaimDraw { game: self.id, on, uci, id: None })).await
    }

    /// Claims the win, or a draw, against an opponent who has gone: see `claim_in_ms` in [`GameEvent::Presence`].
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `not_absent`.
    pub async fn claim_absence(&self, result: DrawOrWin) -> Result<u32, Error> {
        self.seq(ClientMessage::ClaimAbsence(ClaimAbsence { game: self.id, result, id: None })).await
    }

    /// Asks to take one's last move back.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `not_in_profile` or `nothing_to_take_back`.
    pub async fn offer_takeback(&self) -> Result<u32, Error> {
        self.seq(ClientMessage::OfferTakeback(self.bare())).await
    }

    /// Accepts the takeback offer with this `seq`: [`GameState::takeback_offer_to_me`].
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `no_offer`.
    pub async fn accept_takeback(&self, offer: u32) -> Result<u32, Error> {
        self.seq(ClientMessage::AcceptTakeback(self.offer(offer))).await
    }

    /// Declines it.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `no_offer`.
    pub async fn decline_takeback(&self, offer: u32) -> Result<u32, Error> {
        self.seq(ClientMessage::DeclineTakeback(self.offer(offer))).await
    }

    /// Gives the opponent time: 1,000 to 60,000 ms.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `bad_amount` or `not_in_profile`.
    pub async fn give_time(&self, ms: u32) -> Result<u32, Error> {
        self.seq(ClientMessage::GiveTime(GiveTime { game: self.id, ms, id: None })).await
    }

    /// Asks for a draw on insufficient losing chances.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `ilc_not_possible`.
    pub async fn ask_ilc(&self) -> Result<u32, Error> {
        self.seq(ClientMessage::AskIlc(self.bare())).await
    }

    /// Posts a line of chat: players in the room of players, others in that of spectators.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `not_your_room`, `bad_text` or `chat_too_fast`.
    pub async fn say(&self, room: ChatRoom, text: &str) -> Result<(), Error> {
        let text = text.to_owned();
        self.client.done(ClientMessage::Say(Say { game: self.id, room, text, id: None })).await
    }

    /// Asks the opponent for another game with colours swapped, or accepts that offer: then
    /// [`Client::game_of`] gives it at once.
    ///
    /// # Errors
    /// [`Error::Rejected`], such as `not_over`.
    pub async fn rematch(&self) -> Result<ChallengeId, Error> {
        self.client.rematch(self.id).await
    }

    /// All plies on the board, the older ones from the server.
    ///
    /// # Errors
    /// As for [`Client::plies`].
    pub async fn all_plies(&self) -> Result<Vec<PlyView>, Error> {
        let known = &self.state.plies;
        let older = self.state.ply_count as usize - known.len().min(self.state.ply_count as usize);
        let mut plies = Vec::with_capacity(older + known.len());
        while plies.len() < older {
            let more = self.client.plies(self.id, plies.len() as u32 + 1).await?;
            if more.is_empty() {
                return Err(Error::Unreadable);
            }
            plies.extend(more.into_iter().take(older - plies.len()));
        }
        plies.extend_from_slice(known);
        Ok(plies)
    }

    async fn seq(&self, message: ClientMessage) -> Result<u32, Error> {
        match self.client.command(message).await? {
            Answer::Ok(ok) => ok.seq.ok_or(Error::Unreadable),
            _ => Err(Error::Unreadable),
        }
    }

    fn bare(&self) -> GameCommand {
        GameCommand { game: self.id, id: None }
    }

    fn offer(&self, offer: u32) -> AnswerOffer {
        AnswerOffer { game: self.id, offer, id: None }
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.inbox.close();
        self.client.shared().room.notify_one();
    }
}

impl Stream for Game {
    type Item = Result<GameEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.has_failed {
            return Poll::Ready(None);
        }
        let next = self.poll_event(cx);
        self.has_failed = matches!(next, Poll::Ready(Err(_)));
        next.map(Result::transpose)
    }
}
