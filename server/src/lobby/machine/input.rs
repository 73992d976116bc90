//! What comes into the lobby's machine, what goes out, and what it may ask in between.

use std::sync::Arc;

use zeitnot_protocol::{
    AccountId, ChallengeId, Code, CommandId, DeclineReason, GameId, PoolId, Rejected, ServerMessage,
    WireColor,
};

use zeitnot_rules::game::{Category, ShownRating};

use super::Challenge;
use crate::accounts::Person;
use crate::connections::ConnectionId;
use crate::games::Origin;
use crate::lobby::terms::Terms;
use crate::net::Address;
use crate::storage::Block;
use crate::time::ServiceInstant;

/// A command that is to be answered once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    /// The connection that sent it.
    pub(crate) connection: ConnectionId,
    /// Where that connection comes from.
    pub(crate) address: Address,
    /// The account of that connection, with the name that it has at present.
    pub(crate) by: Person,
    /// The account's rating in the category of the game that it accepts, where that counts.
    pub(crate) rating: Option<ShownRating>,
    /// The command's own id, if it has one.
    pub(crate) id: Option<CommandId>,
    /// The game that the command is about, which a rejection names.
    pub(crate) game: Option<GameId>,
}

impl Request {
    /// What rejects it.
    pub(crate) fn rejected(&self, code: Code) -> ServerMessage {
        self.rejected_because(code, code.meaning().to_owned())
    }

    /// What rejects it, with a text that says why.
    pub(crate) fn rejected_because(&self, code: Code, message: String) -> ServerMessage {
        ServerMessage::Rejected(Rejected { id: self.id, game: self.game, code, message })
    }
}

/// Something that happened.
#[derive(Debug)]
pub(crate) enum LobbyInput {
    /// The account has one more connection, from this address.
    Connected { account: AccountId, connection: ConnectionId, address: Address },
    /// The account's last connection closed. Another one may have opened since.
    LastConnectionClosed { account: AccountId },
    /// The account is this from now on: its name or its kind has changed.
    Changed(Person),
    /// An account has blocked another one.
    Blocked(Block),
    /// `create_challenge` or `offer_rematch`.
    Create { request: Request, challenge: Box<Challenge> },
    /// The answer to [`LobbyEffect::Keep`].
    Kept { challenge: ChallengeId, is_durable: bool },
    /// A challenge of the last run is open again. Its owner counts as just gone.
    Restore(Box<Challenge>),
    /// `accept_challenge`.
    Accept { request: Request, challenge: ChallengeId },
    /// `decline_challenge`; `cancel_challenge` when there is no reason.
    End { request: Request, challenge: ChallengeId, declined: Option<DeclineReason> },
    /// The answer to [`LobbyEffect::Discard`].
    Discarded { challenge: ChallengeId, is_durable: bool },
    /// `join_pool`.
    JoinPool { request: Request, pool: PoolId },
    /// An account is to wait in this pool, or nowhere, as it did in the lobby of another node that is gone. A place that it
    /// has here stays. Its connections are told where it waits.
    WaitAgain { by: Person, address: Address, pool: Option<PoolId> },
    /// The answer to [`LobbyEffect::ReadRating`]: `None` when it cannot be read.
    RatingRead { account: AccountId, pool: PoolId, rating: Option<ShownRating> },
    /// `leave_pool`.
    LeavePool { request: Request },
    /// The answer to [`LobbyEffect::StartGame`]: the game is durable, or it will never begin.
    Started { game: GameId, is_durable: bool },
    /// The time of a timer has come.
    Fired(Timer),
}

/// What a timer is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Timer {
    /// Challenges whose time has come end.
    Sweep,
    /// Players who wait are paired.
    PairingRound,
}

/// Something that must be done.
#[derive(Debug)]
pub(crate) enum LobbyEffect {
    /// Tell one connection.
    Send { to: ConnectionId, message: ServerMessage },
    /// Tell every connection of an account but one.
    Notify { account: AccountId, except: Option<ConnectionId>, message: ServerMessage },
    /// Seat every connection of an account but one at its game.
    Seat { account: AccountId, except: Option<ConnectionId>, game: GameId },
    /// Seat the connection of a request at its game. `ok` follows the game's first event.
    SeatAndAnswer { request: Request, game: GameId },
    /// Answer a request to accept a challenge that does not exist. If it has become a game of the
    /// same account, the command was sent again; one of other players has taken it. Without a game it is rejected with
    /// `otherwise`.
    AnswerFromGame { request: Request, game: GameId, otherwise: Code },
    /// Store an open challenge as it stands now; then [`LobbyInput::Kept`] is due.
    Keep(Box<Challenge>),
    /// Remove a stored challenge; then [`LobbyInput::Discarded`] is due.
    Discard(ChallengeId),
    /// Start a game on these terms; then [`LobbyInput::Started`] is due. The lots that the terms
    /// leave open are drawn when this is carried out.
    StartGame(Box<NewGame>),
    /// Log that this address meets a limit, of which the next message tells its client.
    NoteLimited { address: Address, code: Code },
    /// Read the rating of a player who waits in a pool, in its category; then [`LobbyInput::RatingRead`] is due.
    ReadRating { player: Person, pool: PoolId, category: Category },
    /// Set a timer; then [`LobbyInput::Fired`] is due.
    SetTimer { at: ServiceInstant, timer: Timer },
}

/// A game that is to be started.
#[derive(Debug)]
pub(crate) struct NewGame {
    pub(crate) game: GameId,
    pub(crate) terms: Arc<Terms>,
    pub(crate) challenger: Person,
    pub(crate) accepter: Person,
    /// The challenger's side, if the lot was drawn before.
    pub(crate) lot: Option<WireColor>,
    /// The command that led to it, for finding the game when the command is sent again.
    pub(crate) origin: Option<Origin>,
}

/// What must be done, in order.
pub(crate) type LobbyEffects = Vec<LobbyEffect>;

/// What the rest of the server knows at the instant of an input, and the lots that it draws.
pub(crate) trait Facts {
    /// Whether the account has a connection.
    fn is_connected(&self, account: AccountId) -> bool;
    /// Where a connection of the account comes from, if it has one.
    fn address_of(&self, account: AccountId) -> Option<Address>;
    /// Whether the server itself plays as this account.
    fn is_own_computer(&self, account: AccountId) -> bool;
    /// How many games of the account have not ended.
    fn live_games(&self, account: AccountId) -> usize;
    /// Whether one of the two has blocked the other.
    fn is_blocked(&self, one: AccountId, other: AccountId) -> bool;
    /// Whether a game with clocks of the account has not ended.
    fn plays_with_clocks(&self, account: AccountId) -> bool;
    /// How many games of all accounts have not ended.
    fn all_live_games(&self) -> usize;
    /// The game in progress that this challenge's command has led to before, or, for a rematch, a
    /// challenge of either player.
    fn game_of_same_command(&self, challenge: &Challenge) -> Option<GameId>;
    /// Heads or tails.
    fn coin(&self) -> bool;
    /// The id of a game that comes from no challenge.
    fn game_id(&self) -> GameId;
}
