//! One game of a bot: it thinks on its turns, answers offers, and claims what is its due.
//!
//! Deliberately absent: rules of time. The server's clocks count; a bot reckons with what the client says
//! they show.
//!
//! Invariants: a move is played only if it is legal in the position that it was thought about; thinking
//! ends as soon as that position is gone.

use std::pin::Pin;
use std::time::Duration;

use tokio::time::{Sleep, sleep};
use zeitnot_client::protocol::{
    Code, DrawOrWin, OutcomeView, Period, Phase, TimeControl, Uci, WireColor, WireVariant,
};
use zeitnot_client::{Error, Game, GameEvent};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::{fen, uci};

use super::Bot;
use super::manners::{Claim, Hope, accepts_draw, claim, pause};
use crate::line::Line;
use crate::matches::Budget;
use crate::search::Score;
use crate::thinker::{Choice, ThinkError, Thinker};

/// A move to which no answer came is sent again so often. The server plays it once.
const ATTEMPTS: u32 = 10;

/// The game of a bot.
struct Play<'a> {
    game: Game,
    bot: &'a Bot,
    thinker: Thinker,
    hope: Hope,
    /// What the bot last thought of its position.
    score: Option<Score>,
    /// The moves before those that the game's state has.
    earlier: Vec<Uci>,
    /// When the absence of the opponent can be claimed.
    absence: Option<Pin<Box<Sleep>>>,
}

/// How a turn of the bot ended.
enum Thought {
    /// With a move, in this game so far.
    Chosen(Choice, Line),
    /// The position is gone; this has happened.
    Interrupted(GameEvent),
    /// The game is over.
    Over,
}

/// Plays a game until it is over.
pub(super) async fn play(game: Game, bot: &Bot) -> Result<Option<OutcomeView>, Error> {
    let seed = bot.seed_of(game.id());
    let thinker = match bot.brain.open(variant(&game), seed).await {
        Ok(thinker) => thinker,
        Err(error) => return give_up(&game, &error).await,
    };
    let hope = Hope::new(bot.resign_below);
    let mut play = Play { game, bot, thinker, hope, score: None, earlier: Vec::new(), absence: None };
    let outcome = play.until_over().await;
    play.thinker.close().await;
    outcome
}

/// Ends a game that the bot cannot play: without a result if it has hardly begun.
async fn give_up(game: &Game, error: &ThinkError) -> Result<Option<OutcomeView>, Error> {
    tracing::warn!(game = %game.id().as_str(), %error, "gives up");
    if game.state().phase == Phase::Playing && game.abort().await.is_err() {
        game.resign().await?;
    }
    Ok(None)
}

fn variant(game: &Game) -> Variant {
    match game.state().variant {
        WireVariant::Standard => Variant::Standard,
        WireVariant::Chess960 => Variant::Chess960,
    }
}

impl Play<'_> {
    async fn until_over(&mut self) -> Result<Option<OutcomeView>, Error> {
        let mut next = self.next().await?;
        while let Some(event) = next {
            self.note(&event);
            if !matches!(event, GameEvent::Turn(_)) {
                self.react(&event).await?;
                next = self.next().await?;
                continue;
            }
            next = match self.think().await? {
                Ok(Thought::Chosen(choice, line)) => {
                    self.act(choice, line).await?;
                    self.next().await?
                }
                Ok(Thought::Interrupted(event)) => Some(event),
                Ok(Thought::Over) => None,
                Err(error) => return give_up(&self.game, &error).await,
            };
        }
        Ok(self.game.state().outcome.clone())
    }

    /// The next event. If the opponent's absence can be claimed meanwhile, it is; a game that has hardly begun ends
    /// without a result.
    async fn next(&mut self) -> Result<Option<GameEvent>, Error> {
        loop {
            tokio::select! {
                event = self.game.next() => return event,
                () = due(self.absence.as_mut()) => {
                    self.absence = None;
                    if self.game.abort().await.is_err() {
                        self.game.claim_absence(DrawOrWin::Win).await.map(drop).or_else(super::tolerate)?;
                    }
                }
            }
        }
    }

    /// Notes who is there.
    fn note(&mut self, event: &GameEvent) {
        let GameEvent::Presence(presence) = event else { return };
        if Some(presence.color) != self.game.state().color {
            let claimable = presence.claim_in_ms.filter(|_| !presence.here);
            self.absence = claimable.map(|ms| Box::pin(tokio::time::sleep(Duration::from_millis(ms.into()))));
        }
    }

    /// Answers what the opponent asks for while the bot is not thinking.
    async fn react(&mut self, event: &GameEvent) -> Result<(), Error> {
        match event {
            GameEvent::Snapshot(_) => self.read_earlier().await,
            GameEvent::DrawOffered(_) | GameEvent::IlcAsked(_) => self.accept_or_decline_draw().await,
            GameEvent::TakebackOffered(_) => answer_takeback(&self.game, self.bot.takebacks).await,
            _ => Ok(()),
        }
    }

    /// Answers an open draw offer at once.
    async fn accept_or_decline_draw(&mut self) -> Result<(), Error> {
        if self.answer_draw_offer().await? {
            return Ok(());
        }
        let Some(offer) = self.game.state().draw_offer_to_me() else { return Ok(()) };
        self.game.decline_draw(offer.seq).await.map(drop).or_else(super::tolerate)
    }

    /// Accepts an open draw offer if the bot wants a draw; otherwise its next move declines it. Whether it
    /// was accepted.
    async fn answer_draw_offer(&mut self) -> Result<bool, Error> {
        let Some(offer) = self.game.state().draw_offer_to_me() else { return Ok(false) };
        if !accepts_draw(self.score, &self.line()) {
            return Ok(false);
        }
        match self.game.accept_draw(offer.seq).await {
            Ok(_) => Ok(true),
            Err(error) => super::tolerate(error).map(|()| false),
        }
    }

    /// Reads the moves that the state leaves out.
    async fn read_earlier(&mut self) -> Result<(), Error> {
        self.earlier.clear();
        let state = self.game.state();
        let missing = (state.ply_count as usize).saturating_sub(state.plies.len());
        if missing > 0 {
            let plies = self.game.all_plies().await?;
            self.earlier.extend(plies.iter().take(missing).map(|ply| ply.uci));
        }
        Ok(())
    }

    /// The game so far; if its moves are not all known, the position alone.
    fn line(&self) -> Line {
        let state = self.game.state();
        let whole = || {
            let mut line = Line::new(fen::parse(&state.start_fen).ok()?, variant(&self.game));
            for mv in self.earlier.iter().chain(state.plies.iter().map(|ply| &ply.uci)) {
                line.play_uci(mv.as_str()).ok()?;
            }
            (fen::write(line.position()) == state.fen).then_some(line)
        };
        whole().unwrap_or_else(|| {
            let position =
                fen::parse(&state.fen).unwrap_or_else(|_| zeitnot_rules::board::Position::standard());
            Line::new(position, variant(&self.game))
        })
    }

    /// Thinks about the position on the board until there is a move, or the position is gone.
    async fn think(&mut self) -> Result<Result<Thought, ThinkError>, Error> {
        let line = self.line();
        let budget = budget(&self.game, self.bot.unclocked);
        let pause = pause(self.bot.pause, left(&self.game));
        let Self { game, thinker, bot, .. } = self;
        let choosing = async {
            let (choice, ()) = tokio::join!(thinker.choose(&line, budget), sleep(pause));
            choice
        };
        tokio::pin!(choosing);
        let chosen = loop {
            tokio::select! {
                biased;
                event = game.next() => match event? {
                    None => return Ok(Ok(Thought::Over)),
                    Some(GameEvent::TakebackOffered(_)) => answer_takeback(game, bot.takebacks).await?,
                    Some(event) if changes_position(&event) => return Ok(Ok(Thought::Interrupted(event))),
                    // Offers are in the state, and are answered with the move.
                    Some(_) => {}
                },
                chosen = &mut choosing => break chosen,
            }
        };
        Ok(chosen.map(|choice| Thought::Chosen(choice, line.clone())))
    }

    /// Does what the bot has decided to: accepts a draw, claims one, resigns, or plays.
    async fn act(&mut self, choice: Choice, line: Line) -> Result<(), Error> {
        self.score = choice.score;
        if self.answer_draw_offer().await? {
            return Ok(());
        }
        if self.hope.is_gone(choice.score) {
            return self.game.resign().await.map(drop).or_else(super::tolerate);
        }
        let text: Uci = uci::write(choice.mv, line.position(), line.variant()).into();
        let mut after = line.clone();
        if after.play(choice.mv).is_err() {
            return Ok(());
        }
        let profile = self.game.state().options.profile;
        if let Some(claim) = claim(profile, choice.score, &line, &after) {
            let with = (claim == Claim::WithMove).then_some(text);
            match self.game.claim_draw(with).await {
                Ok(_) => return Ok(()),
                Err(error) => super::tolerate(error)?,
            }
        }
        self.send(text).await
    }

    /// Plays a move, again if no answer comes: the same move in the same position is played once.
    async fn send(&mut self, text: Uci) -> Result<(), Error> {
        for _ in 0..ATTEMPTS {
            match self.game.play(text).await {
                Err(Error::TimedOut { .. } | Error::TooManyUnanswered) => {}
                Err(error) if error.code() == Some(Code::IllegalMove) => {
                    tracing::error!(mv = text.as_str(), "the server says that a move is illegal");
                    return self.game.resign().await.map(drop).or_else(super::tolerate);
                }
                Err(error) => return super::tolerate(error),
                Ok(_) => return Ok(()),
            }
        }
        Ok(())
    }
}

/// Waits until the absence can be claimed; for ever if it cannot.
async fn due(absence: Option<&mut Pin<Box<Sleep>>>) {
    match absence {
        Some(sleep) => sleep.as_mut().await,
        None => std::future::pending().await,
    }
}

async fn answer_takeback(game: &Game, accept: bool) -> Result<(), Error> {
    let Some(offer) = game.state().takeback_offer_to_me() else { return Ok(()) };
    let answer =
        if accept { game.accept_takeback(offer.seq).await } else { game.decline_takeback(offer.seq).await };
    answer.map(drop).or_else(super::tolerate)
}

/// Whether a position that was thought about is gone after this event.
const fn changes_position(event: &GameEvent) -> bool {
    matches!(
        event,
        GameEvent::Snapshot(_)
            | GameEvent::Turn(_)
            | GameEvent::Move(_)
            | GameEvent::TakenBack(_)
            | GameEvent::FlagFell(_)
            | GameEvent::Resigned(_)
            | GameEvent::AbsenceClaimed(_)
            | GameEvent::Ended(_)
    )
}

/// What the bot has on its clock.
fn left(game: &Game) -> Option<Duration> {
    game.clocks().as_ref().zip(game.state().color).and_then(|(clocks, us)| clocks.left(us))
}

/// What the bot may spend on this move.
fn budget(game: &Game, unclocked: Duration) -> Budget {
    let clocks = game.clocks();
    let left = |color| clocks.as_ref().and_then(|clocks| clocks.left(color));
    match (left(WireColor::White), left(WireColor::Black)) {
        (Some(white), Some(black)) => Budget::Clocks {
            left: ByColor { white, black },
            increment: game.state().color.map_or(Duration::ZERO, |us| bonus(&game.state().time_control, us)),
        },
        _ => Budget::Time(unclocked),
    }
}

/// What a move of this side gives, in whichever of the three ways: the least of all periods.
fn bonus(time_control: &TimeControl, us: WireColor) -> Duration {
    let TimeControl::Clock { periods, black_periods } = time_control else { return Duration::ZERO };
    let periods = black_periods.as_ref().filter(|_| us == WireColor::Black).unwrap_or(periods);
    let each =
        |period: &Period| period.increment_ms.or(period.delay_ms).or(period.bronstein_ms).unwrap_or_default();
    Duration::from_millis(periods.iter().map(each).min().unwrap_or_default().into())
}
