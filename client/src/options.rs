//! The settings of a client: how long it waits, and how much it keeps for a caller that does not read.

use std::time::Duration;

/// The settings of a client. The defaults are good for a bot.
///
/// ```
/// use std::time::Duration;
/// use zeitnot_client::Options;
///
/// let options = Options { command_timeout: Duration::from_secs(5), ..Options::default() };
/// assert_eq!(options.game_buffer, 256);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How long [`Client::connect`](crate::Client::connect) tries to reach the server. 10 s.
    pub connect_timeout: Duration,
    /// How long a command is sent again before it fails with [`Error::TimedOut`](crate::Error::TimedOut). 60 s:
    /// longer than a server needs to start again.
    pub command_timeout: Duration,
    /// How long one attempt to open a connection may take, `hello` included. 8 s.
    pub opening_timeout: Duration,
    /// How often the client sends `ping`, to measure the round trip and to notice a dead connection. 2.5 s; at the
    /// least 100 ms.
    pub ping_every: Duration,
    /// A connection on which nothing came for so long is dead. 7.5 s: three pings.
    pub silence: Duration,
    /// How long to wait before the first reconnect where the server did not say so. Each further one waits half as
    /// long again. 1 s, changed by up to a quarter by lot; at the least 50 ms.
    pub retry_first: Duration,
    /// The longest wait between two attempts, before that change. 15 s.
    pub retry_longest: Duration,
    /// How many events of a game wait for a caller that does not read them. Further ones are left with the server
    /// and asked for when the caller has read half of these: none is lost. 256; at the least 2.
    pub game_buffer: usize,
    /// How many events of the account wait in one [`Events`](crate::Events). When they are more, they are replaced
    /// by [`Event::Missed`](crate::Event::Missed) and all that is open now. 256, and never less.
    pub event_buffer: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            command_timeout: Duration::from_secs(60),
            opening_timeout: Duration::from_secs(8),
            ping_every: Duration::from_millis(2_500),
            silence: Duration::from_millis(7_500),
            retry_first: Duration::from_secs(1),
            retry_longest: Duration::from_secs(15),
            game_buffer: 256,
            event_buffer: Self::EVENT_BUFFER,
        }
    }
}

impl Options {
    /// All that is open has room in it: at most 96 challenges, 128 games, the pool and the name, as the machine keeps
    /// them.
    pub(crate) const EVENT_BUFFER: usize = 256;

    /// The same without what would keep the client busy for nothing.
    pub(crate) fn sound(self) -> Self {
        Self {
            ping_every: self.ping_every.max(Duration::from_millis(100)),
            retry_first: self.retry_first.max(Duration::from_millis(50)),
            retry_longest: self.retry_longest.max(Duration::from_millis(50)),
            game_buffer: self.game_buffer.max(2),
            ..self
        }
    }
}
