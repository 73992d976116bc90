//! What a call asks of an agent, and the commands that it becomes.
//!
//! Deliberately absent: reading a call (the handlers), and whether a command is allowed (the server, as for every client).
//!
//! Invariants: a call is answered once, or its agent ends; a move that is sent again is played once, because it names the
//! position that it is played on.

use serde_json::{Value, json};
use tokio::sync::oneshot;
use zeitnot_protocol::{
    AnswerOffer, ChallengeCommand, ChallengeId, ChatRoom, ClaimAbsence, ClaimDraw, ClientMessage, CommandId,
    CreateChallenge, DeclineChallenge, DrawOrWin, GameCommand, GameId, GameRef, GiveTime, OkAnswer, PlayMove,
    Rejected, Say, Uci, Watch, WireColor,
};

use super::{Agent, Over};
use crate::lichess_api::game_view::{GameView, other};
use crate::lichess_api::lines::{Kind, Lines};
use crate::lichess_api::rejection::Rejection;
use crate::lichess_api::words::Decline;

/// Event streams of one token. The oldest of more is broken off.
const EVENT_STREAMS_MAX: usize = 8;

/// Where the answer to a call goes.
pub(in crate::lichess_api) type Reply = oneshot::Sender<Result<Value, Rejection>>;

/// Makes a command with an id.
type Make = Box<dyn FnOnce(CommandId) -> ClientMessage + Send + Sync>;

/// What a player does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::lichess_api) enum Act {
    Move {
        uci: Uci,
        offers_draw: bool,
    },
    Abort,
    Resign,
    /// Yes or no to a draw.
    Draw(bool),
    /// Yes or no to taking back.
    Takeback(bool),
    ClaimVictory,
    ClaimDraw,
    /// Seconds for the opponent.
    AddTime(u32),
    Say(ChatRoom, String),
}

/// A call.
#[derive(Debug)]
pub(in crate::lichess_api) enum Call {
    /// What a player does in a game.
    Act {
        game: GameId,
        act: Act,
        reply: Reply,
    },
    /// The stream of a game.
    Game {
        game: GameId,
        lines: Lines,
        reply: Reply,
    },
    /// The lines of the players' chat.
    Chat {
        game: GameId,
        reply: Reply,
    },
    /// A stream of events.
    Events {
        lines: Lines,
    },
    /// The games that go on.
    Playing {
        reply: Reply,
    },
    /// The challenges to and from the account.
    Challenges {
        reply: Reply,
    },
    /// One of them.
    Challenge {
        challenge: ChallengeId,
        reply: Reply,
    },
    /// Challenges somebody. With a stream the challenge lasts as long as that is read.
    Create {
        wanted: Box<CreateChallenge>,
        keep_alive: Option<Lines>,
        reply: Reply,
    },
    Accept {
        challenge: ChallengeId,
        reply: Reply,
    },
    Decline {
        challenge: ChallengeId,
        decline: Decline,
        reply: Reply,
    },
    /// Withdraws a challenge, or aborts the game that it has become.
    Cancel {
        challenge: ChallengeId,
        reply: Reply,
    },
    /// Looks for an opponent as long as the stream is read.
    Seek {
        wanted: Box<CreateChallenge>,
        lines: Lines,
    },
}

/// A command that was not answered yet.
pub(super) struct Pending {
    pub(super) replies: Vec<Reply>,
    /// What is sent when it took effect. Nobody waits for the answer.
    then: Option<Make>,
    /// What is sent instead when it was rejected.
    otherwise: Option<Make>,
    pub(super) new_challenge: Option<NewChallenge>,
}

/// A challenge that is being made.
#[derive(Debug)]
pub(super) struct NewChallenge {
    pub(super) wanted: CreateChallenge,
    pub(super) keep_alive: Option<Lines>,
}

impl std::fmt::Debug for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending").field("replies", &self.replies.len()).finish_non_exhaustive()
    }
}

impl Pending {
    fn new(reply: Reply) -> Self {
        Self { replies: vec![reply], then: None, otherwise: None, new_challenge: None }
    }

    fn silent() -> Self {
        Self { replies: Vec::new(), then: None, otherwise: None, new_challenge: None }
    }
}

fn ok() -> Value {
    json!({ "ok": true })
}

fn answer(reply: Reply, answer: Result<Value, Rejection>) {
    // Whoever asked may be gone.
    reply.send(answer).ok();
}

impl Agent {
    /// Takes a call.
    pub(super) async fn take(&mut self, call: Call) -> Result<(), Over> {
        match call {
            Call::Act { game, .. } | Call::Game { game, .. } | Call::Chat { game, .. }
                if !self.games.contains_key(&game) =>
            {
                return self.ask_for(game, call);
            }
            Call::Act { game, act, reply } => return self.act(game, act, reply),
            Call::Game { game, lines, reply } => self.open_game(game, lines, reply)?,
            Call::Chat { game, reply } => {
                let lines = self.games.get(&game).map_or(Value::Array(Vec::new()), super::Followed::chat);
                answer(reply, Ok(lines));
            }
            Call::Events { lines } => self.open_events(lines),
            Call::Playing { reply } => answer(reply, Ok(self.playing())),
            Call::Challenges { reply } => answer(reply, Ok(self.list_challenges())),
            Call::Challenge { challenge, reply } => {
                let found = self.challenges.get(&challenge).map(|known| known.object.clone());
                answer(reply, found.ok_or_else(|| Rejection::not_found("No such challenge")));
            }
            Call::Create { wanted, keep_alive, reply } => return self.create(*wanted, keep_alive, reply),
            Call::Accept { challenge, reply } => {
                return self.send(
                    Pending::new(reply),
                    Box::new(move |id| {
                        ClientMessage::AcceptChallenge(ChallengeCommand { challenge, id: Some(id) })
                    }),
                );
            }
            Call::Decline { challenge, decline, reply } => return self.decline(challenge, decline, reply),
            Call::Cancel { challenge, reply } => return self.cancel(challenge, reply),
            Call::Seek { wanted, lines } => return self.seek(*wanted, lines),
        }
        Ok(())
    }

    /// Sends a command, and notes what is to be done with its answer.
    fn send(&mut self, pending: Pending, make: Make) -> Result<(), Over> {
        let id = self.command_id();
        self.pending.insert(id, pending);
        self.command(make(id))
    }

    /// Sends a command whose answer nobody waits for.
    pub(super) fn send_silently(&mut self, make: Make) -> Result<(), Over> {
        self.send(Pending::silent(), make)
    }

    /// A call about a game that the agent does not know waits until it does.
    fn ask_for(&mut self, game: GameId, call: Call) -> Result<(), Over> {
        if let Some((_, calls)) = self.asked.values_mut().find(|(asked, _)| *asked == game) {
            if calls.len() < super::CALLS_MAX {
                calls.push(call);
            }
            return Ok(());
        }
        let id = self.command_id();
        self.asked.insert(id, (game, vec![call]));
        self.command(ClientMessage::Watch(Watch { game, after: None, id: Some(id) }))
    }

    /// A game is known now: the calls that waited for it go on.
    pub(super) async fn go_on(&mut self, game: GameId) -> Result<(), Over> {
        let Some(id) = self.asked.iter().find(|(_, (asked, _))| *asked == game).map(|(id, _)| *id) else {
            return Ok(());
        };
        let Some((_, calls)) = self.asked.remove(&id) else { return Ok(()) };
        for call in calls {
            Box::pin(self.take(call)).await?;
        }
        Ok(())
    }

    fn open_game(&mut self, game: GameId, lines: Lines, reply: Reply) -> Result<(), Over> {
        let now = self.now();
        let Some(followed) = self.games.get_mut(&game) else { return Ok(()) };
        if followed.side.is_none() {
            answer(reply, Err(Rejection::not_found("Not your game")));
            self.games.remove(&game);
            return self.command(ClientMessage::Unwatch(GameRef { game }));
        }
        followed.open(lines, now);
        answer(reply, Ok(ok()));
        Ok(())
    }

    fn open_events(&mut self, lines: Lines) {
        let now = self.now();
        for followed in self.games.values() {
            if let (Some(side), None) = (followed.side, &followed.view.outcome) {
                lines
                    .push(Kind::Kept, &json!({ "type": "gameStart", "game": followed.view.info(side, now) }));
            }
        }
        for known in self.challenges.values() {
            lines.push(Kind::Kept, &challenge_line("challenge", &known.object));
        }
        self.event_streams.push(lines);
        if self.event_streams.len() > EVENT_STREAMS_MAX {
            self.event_streams.remove(0);
        }
    }

    fn playing(&self) -> Value {
        let now = self.now();
        let games = self.games.values().filter(|game| game.view.outcome.is_none());
        let infos = games.filter_map(|game| Some(game.view.info(game.side?, now))).collect::<Vec<_>>();
        let turns = infos.iter().filter(|info| info["isMyTurn"] == true).count();
        json!({ "nowPlaying": infos, "nbMyTurn": turns })
    }

    fn list_challenges(&self) -> Value {
        let of = |is_own: bool| {
            let known = self.challenges.values();
            let side = known.filter(move |known| (known.challenge.by.account == self.account) == is_own);
            side.map(|known| known.object.clone()).collect::<Vec<_>>()
        };
        json!({ "in": of(false), "out": of(true) })
    }

    fn act(&mut self, game: GameId, act: Act, reply: Reply) -> Result<(), Over> {
        let Some(followed) = self.games.get(&game) else { return Ok(()) };
        let Some(side) = followed.side else {
            answer(reply, Err(Rejection::not_found("Not your game")));
            return Ok(());
        };
        let view = &followed.view;
        if let Act::Say(room, text) = act {
            // A program whose greeting is rejected does not make its first move.
            answer(reply, Ok(ok()));
            let say = move |id| ClientMessage::Say(Say { game, room, text, id: Some(id) });
            return self.send_silently(Box::new(say));
        }
        if view.outcome.is_some() || view.is_deciding {
            answer(reply, Err(Rejection::bad_request("Not your turn, or game already over")));
            return Ok(());
        }
        let Some((make, otherwise, then)) = steps(view, side, &act, followed.is_claimable()) else {
            answer(reply, Ok(ok()));
            return Ok(());
        };
        self.send(Pending { otherwise, then, ..Pending::new(reply) }, make)
    }

    /// Challenges somebody. The same again, while the first one is open or being made, is the same challenge.
    fn create(
        &mut self,
        wanted: CreateChallenge,
        keep_alive: Option<Lines>,
        reply: Reply,
    ) -> Result<(), Over> {
        let is_same = |new: &NewChallenge| new.wanted == wanted && new.keep_alive.is_none();
        let being_made =
            self.pending.values_mut().find(|pending| pending.new_challenge.as_ref().is_some_and(is_same));
        if let Some(pending) = being_made.filter(|_| keep_alive.is_none()) {
            pending.replies.push(reply);
            return Ok(());
        }
        if let Some(known) = self.made_lately(&wanted).filter(|_| keep_alive.is_none()) {
            answer(reply, Ok(known));
            return Ok(());
        }
        let new_challenge = Some(NewChallenge { wanted: wanted.clone(), keep_alive });
        let make = move |id| ClientMessage::CreateChallenge(CreateChallenge { id: Some(id), ..wanted });
        self.send(Pending { new_challenge, ..Pending::new(reply) }, Box::new(make))
    }

    /// The open challenge that the same call made.
    fn made_lately(&self, wanted: &CreateChallenge) -> Option<Value> {
        let is_same = |known: &&super::KnownChallenge| known.made_by.as_ref() == Some(wanted);
        self.challenges.values().find(is_same).map(|known| known.object.clone())
    }

    fn decline(&mut self, challenge: ChallengeId, decline: Decline, reply: Reply) -> Result<(), Over> {
        self.api.declines.note(challenge, decline);
        let reason = decline.reason;
        let make =
            move |id| ClientMessage::DeclineChallenge(DeclineChallenge { challenge, reason, id: Some(id) });
        self.send(Pending::new(reply), Box::new(make))
    }

    fn cancel(&mut self, challenge: ChallengeId, reply: Reply) -> Result<(), Over> {
        let make = move |id| ClientMessage::CancelChallenge(ChallengeCommand { challenge, id: Some(id) });
        let game = GameId::from(challenge);
        let abort = move |id| ClientMessage::Abort(GameCommand { game, id: Some(id) });
        let pending = Pending { otherwise: Some(Box::new(abort)), ..Pending::new(reply) };
        self.send(pending, Box::new(make))
    }

    /// Withdraws a challenge that nobody waits for any more.
    pub(super) fn cancel_silently(&mut self, challenge: ChallengeId) -> Result<(), Over> {
        let make = move |id| ClientMessage::CancelChallenge(ChallengeCommand { challenge, id: Some(id) });
        self.send_silently(Box::new(make))
    }

    /// A command was answered.
    pub(super) fn answered(&mut self, ok_answer: &OkAnswer) -> Result<(), Over> {
        let Some(pending) = ok_answer.id.and_then(|id| self.pending.remove(&id)) else { return Ok(()) };
        pending.replies.into_iter().for_each(|reply| answer(reply, Ok(ok())));
        pending.then.map_or(Ok(()), |then| self.send_silently(then))
    }

    /// A challenge that was made is the answer to a command.
    pub(super) fn challenge_made(&mut self, id: CommandId, object: &Value) -> Option<NewChallenge> {
        let pending = self.pending.remove(&id)?;
        let is_new = pending.new_challenge.is_some();
        let told = if is_new { object.clone() } else { ok() };
        pending.replies.into_iter().for_each(|reply| answer(reply, Ok(told.clone())));
        pending.new_challenge
    }

    /// A command was rejected.
    pub(super) fn rejected(&mut self, rejected: &Rejected) -> Result<(), Over> {
        let Some(id) = rejected.id else { return Ok(()) };
        let Rejected { code, message, .. } = rejected;
        if let Some((_, calls)) = self.asked.remove(&id) {
            for call in calls {
                if let Call::Act { reply, .. } | Call::Game { reply, .. } | Call::Chat { reply, .. } = call {
                    answer(reply, Err(Rejection::of(*code, message)));
                }
            }
            return Ok(());
        }
        let Some(pending) = self.pending.remove(&id) else { return Ok(()) };
        if let Some(otherwise) = pending.otherwise {
            let again = Pending { otherwise: None, then: None, ..pending };
            return self.send(again, otherwise);
        }
        let rejection = match pending.new_challenge {
            Some(_) => Rejection::of_new_challenge(*code, message),
            None => Rejection::of(*code, message),
        };
        pending.replies.into_iter().for_each(|reply| answer(reply, Err(rejection.clone())));
        Ok(())
    }
}

/// The commands of an act: the one to send, the one instead if that is rejected, and the one after it if not. `None`: it is
/// done already.
fn steps(
    view: &GameView,
    side: WireColor,
    act: &Act,
    is_claimable: bool,
) -> Option<(Make, Option<Make>, Option<Make>)> {
    let (game, on, plies) = (view.id, view.on, view.plies);
    let of_opponent = |offer: &crate::lichess_api::game_view::OpenOffer| offer.by == other(side);
    let plain = |make: fn(GameCommand) -> ClientMessage| -> Make {
        Box::new(move |id| make(GameCommand { game, id: Some(id) }))
    };
    let of_offer = |make: fn(AnswerOffer) -> ClientMessage, offer: u32| -> Make {
        Box::new(move |id| make(AnswerOffer { game, offer, id: Some(id) }))
    };
    let claim_absence = |result| -> Make {
        Box::new(move |id| ClientMessage::ClaimAbsence(ClaimAbsence { game, result, id: Some(id) }))
    };
    let draw_offer = view.draw_offer;
    let make = match act {
        // Whoever offers a draw to an opponent who offers one accepts it.
        Act::Move { offers_draw: true, .. } if draw_offer.as_ref().is_some_and(of_opponent) => {
            of_offer(ClientMessage::AcceptDraw, draw_offer?.seq)
        }
        Act::Move { uci, offers_draw } => {
            if view.has_just_played(side, *uci) {
                return None;
            }
            // Sent again it names the position before, and is known by that.
            let on = if view.turn() == side { on } else { view.on_before.unwrap_or(on) };
            let uci = *uci;
            let make: Make =
                Box::new(move |id| ClientMessage::Move(PlayMove { game, on, uci, id: Some(id) }));
            return Some((make, None, offers_draw.then(|| plain(ClientMessage::OfferDraw))));
        }
        Act::Abort => plain(ClientMessage::Abort),
        Act::Resign if plies < 2 => {
            return Some((plain(ClientMessage::Abort), Some(plain(ClientMessage::Resign)), None));
        }
        Act::Resign => plain(ClientMessage::Resign),
        Act::Draw(is_wanted) => match (draw_offer, is_wanted) {
            (Some(offer), true) if of_opponent(&offer) => of_offer(ClientMessage::AcceptDraw, offer.seq),
            (Some(offer), false) if of_opponent(&offer) => of_offer(ClientMessage::DeclineDraw, offer.seq),
            (None, true) => plain(ClientMessage::OfferDraw),
            (Some(_), _) | (None, false) => return None,
        },
        Act::Takeback(is_wanted) => match (view.takeback_offer, is_wanted) {
            (Some(offer), true) if of_opponent(&offer) => of_offer(ClientMessage::AcceptTakeback, offer.seq),
            (Some(offer), false) if of_opponent(&offer) => {
                of_offer(ClientMessage::DeclineTakeback, offer.seq)
            }
            (None, true) => plain(ClientMessage::OfferTakeback),
            (Some(_), _) | (None, false) => return None,
        },
        Act::ClaimVictory => claim_absence(DrawOrWin::Win),
        Act::ClaimDraw => {
            let on_board: Make =
                Box::new(move |id| ClientMessage::ClaimDraw(ClaimDraw { game, on, uci: None, id: Some(id) }));
            let absence = claim_absence(DrawOrWin::Draw);
            // A claim on the board that is wrong stands as an offer.
            let (first, second) = if is_claimable { (absence, on_board) } else { (on_board, absence) };
            return Some((first, Some(second), None));
        }
        Act::AddTime(seconds) => {
            let ms = seconds.saturating_mul(1_000);
            Box::new(move |id| ClientMessage::GiveTime(GiveTime { game, ms, id: Some(id) }))
        }
        Act::Say(..) => return None,
    };
    Some((make, None, None))
}

/// A line of the event stream about a challenge.
pub(super) fn challenge_line(what: &str, object: &Value) -> Value {
    json!({ "type": what, "challenge": object, "compat": { "bot": true, "board": true } })
}
