//! Making a guest: the one way, for `hello` and for `POST /api/guest`.

use zeitnot_protocol::{AccountId, Code};

use super::{Accounts, Token};
use crate::net::Address;
use crate::telemetry::metrics;
use crate::time::unix_now_ms;

impl Accounts {
    /// Makes a guest for a client at `address`. Its account is durable when this ends.
    ///
    /// # Errors
    /// [`Code::TooManyGuests`] or [`Code::Unavailable`]; then nothing was made.
    pub(crate) async fn create_guest(&self, address: Address) -> Result<(AccountId, Token), Code> {
        if !self.addresses.may_make_guest(address, self.clock.now()) {
            return Err(Code::TooManyGuests);
        }
        let account = self.entropy.account_id(unix_now_ms());
        let token = Token::from_random(self.entropy.token());
        self.create(account, &token).await.map_err(|_| Code::Unavailable)?;
        metrics().guests.increment(1);
        Ok((account, token))
    }
}
