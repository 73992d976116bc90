//! Making a guest: the one way, for `hello` and for `POST /api/guest`.

use zeitnot_protocol::{AccountId, Code};

use crate::accounts::Token;
use crate::net::Address;
use crate::server::Server;
use crate::telemetry::metrics;
use crate::time::unix_now_ms;

/// Makes a guest for somebody at `address`; its account is durable when this ends.
///
/// # Errors
/// [`Code::TooManyGuests`] or [`Code::Unavailable`]; then nothing was made.
pub(crate) async fn make(server: &Server, address: Address) -> Result<(AccountId, Token), Code> {
    if !server.is_ready() {
        return Err(Code::Unavailable);
    }
    if !server.addresses.may_make_guest(address, server.clock.now()) {
        return Err(Code::TooManyGuests);
    }
    let account = server.entropy.account_id(unix_now_ms());
    let token = Token::from_random(server.entropy.token());
    server.accounts.create_guest(account, &token).await.map_err(|error| {
        tracing::warn!(%error, "no guest can be made");
        Code::Unavailable
    })?;
    metrics().guests.increment(1);
    Ok((account, token))
}
