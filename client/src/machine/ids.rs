//! The ids of commands: a text that stays the same for a client, and a number that counts up behind it.
//!
//! So no two commands of an account share an id, and the server keeps them in the least room. The same command sent
//! again has the same id.

use rand::Rng;
use zeitnot_protocol::{ClientMessage, CommandId};

const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The ids of one client.
#[derive(Debug)]
pub(super) struct Ids {
    prefix: String,
    next: u64,
}

impl Ids {
    pub(super) fn new(rng: &mut impl Rng) -> Self {
        let letters = (0..8).map(|_| char::from(LETTERS[rng.random_range(0..LETTERS.len())]));
        Self { prefix: letters.chain(['-']).collect(), next: 1 }
    }

    /// The number of the next command.
    pub(super) fn draw(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// The id of a number: 9 characters and at most 20 digits.
    pub(super) fn id(&self, number: u64) -> CommandId {
        format!("{}{number}", self.prefix).parse().expect("it is printable and has at most 29 characters")
    }

    /// The number of an id of this client.
    pub(super) fn number(&self, id: CommandId) -> Option<u64> {
        id.as_str().strip_prefix(&*self.prefix)?.parse().ok()
    }
}

/// Gives a message its id. `hello`, `unwatch` and `ping` have none.
pub(super) fn name(message: &mut ClientMessage, id: CommandId) {
    use ClientMessage as M;
    let place = match message {
        M::Hello(_) | M::Unwatch(_) | M::Ping(_) => return,
        M::Watch(m) => &mut m.id,
        M::History(m) => &mut m.id,
        M::Move(m) => &mut m.id,
        M::Resign(m)
        | M::OfferDraw(m)
        | M::Abort(m)
        | M::OfferTakeback(m)
        | M::AskIlc(m)
        | M::OfferRematch(m) => &mut m.id,
        M::AcceptDraw(m) | M::DeclineDraw(m) | M::AcceptTakeback(m) | M::DeclineTakeback(m) => &mut m.id,
        M::ClaimDraw(m) => &mut m.id,
        M::ClaimAbsence(m) => &mut m.id,
        M::GiveTime(m) => &mut m.id,
        M::CreateChallenge(m) => &mut m.id,
        M::AcceptChallenge(m) | M::CancelChallenge(m) => &mut m.id,
        M::DeclineChallenge(m) => &mut m.id,
        M::SetName(m) => &mut m.id,
        M::EnterLobby(m) | M::LeaveLobby(m) | M::LeavePool(m) => &mut m.id,
        M::JoinPool(m) => &mut m.id,
        M::Say(m) => &mut m.id,
    };
    *place = Some(id);
}
