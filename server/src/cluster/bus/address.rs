//! Where the bus is, and as whom a node connects to it: flags, and why they are rejected.
//!
//! Whoever may publish on the bus can move for anybody, so it is TLS or this machine, unless the operator
//! says otherwise.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use async_nats::{ConnectOptions, ServerAddr};

/// The letters of the seed of an nkey, and those that a user's begins with.
const SEED_LETTERS: usize = 58;
const USER_SEED: &str = "SU";

/// One NATS server: `tls://host:port`, or `nats://host:port` in plain text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BusUrl(ServerAddr);

/// Why something about the bus is rejected, and what to do instead.
#[derive(Debug, thiserror::Error)]
pub enum BusRejection {
    /// Not a URL of a NATS server.
    #[error("not the URL of a NATS server, such as tls://nats.example.org:4222")]
    NotAUrl,
    /// A name or a password in the URL, which others on the machine can read.
    #[error("name and password of the bus belong into a file that --bus-creds names")]
    PasswordInUrl,
    /// Plain text over a network.
    #[error(
        "{0} is plain text over a network, and who can write there can move for anybody: use tls://, or say \
         --bus-plaintext if the network is as safe as one machine"
    )]
    PlainText(BusUrl),
    /// The file of credentials cannot be read.
    #[error("the credentials of the bus in {0} cannot be read")]
    CredentialsFile(PathBuf, #[source] io::Error),
    /// The file has something else.
    #[error(
        "{0} has no credentials of the bus: it is one line with name:password or with the seed of an nkey \
         (SU…), or a .creds file"
    )]
    NotCredentials(PathBuf),
}

impl FromStr for BusUrl {
    type Err = BusRejection;

    fn from_str(text: &str) -> Result<Self, BusRejection> {
        let address: ServerAddr = text.trim().parse().map_err(|_| BusRejection::NotAUrl)?;
        if address.username().is_some() || address.password().is_some() {
            return Err(BusRejection::PasswordInUrl);
        }
        if address.is_websocket() || address.host().is_empty() {
            return Err(BusRejection::NotAUrl);
        }
        Ok(Self(address))
    }
}

impl fmt::Display for BusUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}:{}", self.0.scheme(), self.0.host(), self.0.port())
    }
}

impl BusUrl {
    /// Whether what is sent there leaves this machine as it is.
    fn is_open_to_others(&self) -> bool {
        let is_loopback =
            self.0.host().parse::<IpAddr>().map_or(self.0.host() == "localhost", |ip| ip.is_loopback());
        !self.0.tls_required() && !is_loopback
    }
}

/// What a node connects to the bus with.
#[derive(Debug)]
pub(crate) struct BusOptions {
    /// The first one that answers is used. All nodes have them in the same order, so that they meet.
    pub(super) servers: Vec<BusUrl>,
    credentials: Credentials,
}

/// As whom.
#[derive(PartialEq, Eq)]
enum Credentials {
    Nobody,
    Password {
        name: String,
        password: String,
    },
    Seed(String),
    /// The content of a `.creds` file: a token and the seed of its key.
    Creds(String),
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nobody => "Nobody",
            Self::Password { .. } => "Password",
            Self::Seed(_) => "Seed",
            Self::Creds(_) => "Creds",
        })
    }
}

impl BusOptions {
    /// From the flags `--bus`, `--bus-creds` and `--bus-plaintext`.
    ///
    /// # Errors
    /// When they are not safe, or the file is not there.
    pub(crate) fn new(
        servers: Vec<BusUrl>,
        credentials: Option<&Path>,
        allows_plain_text: bool,
    ) -> Result<Self, BusRejection> {
        if let Some(open) = servers.iter().find(|url| url.is_open_to_others())
            && !allows_plain_text
        {
            return Err(BusRejection::PlainText(open.clone()));
        }
        let credentials = credentials.map_or(Ok(Credentials::Nobody), Credentials::of_file)?;
        Ok(Self { servers, credentials })
    }

    pub(super) fn addresses(&self) -> Vec<ServerAddr> {
        self.servers.iter().map(|BusUrl(address)| address.clone()).collect()
    }

    /// Options of the client, with the credentials.
    pub(super) fn identified(&self) -> ConnectOptions {
        let options = ConnectOptions::new();
        match &self.credentials {
            Credentials::Nobody => options,
            Credentials::Password { name, password } => {
                options.user_and_password(name.clone(), password.clone())
            }
            Credentials::Seed(seed) => options.nkey(seed.clone()),
            Credentials::Creds(text) => options.credentials(text).expect("it was read before"),
        }
    }
}

impl Credentials {
    fn of_file(path: &Path) -> Result<Self, BusRejection> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| BusRejection::CredentialsFile(path.to_owned(), error))?;
        Self::of_text(&text).ok_or_else(|| BusRejection::NotCredentials(path.to_owned()))
    }

    fn of_text(text: &str) -> Option<Self> {
        let line = text.trim();
        if line.lines().count() > 1 {
            let can_be_read = ConnectOptions::new().credentials(line).is_ok();
            return can_be_read.then(|| Self::Creds(line.to_owned()));
        }
        if let Some((name, password)) = line.split_once(':') {
            let is_whole = !name.is_empty() && !password.is_empty();
            return is_whole.then(|| Self::Password { name: name.to_owned(), password: password.to_owned() });
        }
        let is_seed = line.starts_with(USER_SEED)
            && line.len() == SEED_LETTERS
            && line.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'));
        is_seed.then(|| Self::Seed(line.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(urls: &[&str], allows_plain_text: bool) -> Result<BusOptions, BusRejection> {
        let urls = urls.iter().map(|url| url.parse()).collect::<Result<_, _>>()?;
        BusOptions::new(urls, None, allows_plain_text)
    }

    #[test]
    fn plain_text_stays_on_this_machine_unless_the_operator_allows_it() {
        for safe in [
            "nats://127.0.0.1:4222",
            "nats://localhost",
            "nats://[::1]:4222",
            "tls://a.example:4222",
            "tls://10.0.0.1",
        ] {
            assert!(options(&[safe], false).is_ok(), "{safe}");
        }
        for open in ["nats://a.example:4222", "a.example", "nats://10.0.0.1"] {
            let error = options(&["tls://a.example", open], false).unwrap_err();
            assert!(matches!(error, BusRejection::PlainText(_)), "{open}");
            assert!(error.to_string().contains("--bus-plaintext"));
            assert!(options(&[open], true).is_ok(), "{open}");
        }
    }

    #[test]
    fn a_url_is_of_a_nats_server_and_has_no_password() {
        for wrong in ["", "http://a.example", "ws://a.example", "nats://", "nats://a b"] {
            assert!(matches!(options(&[wrong], true), Err(BusRejection::NotAUrl)), "{wrong:?}");
        }
        for wrong in ["nats://me:secret@127.0.0.1", "tls://token@a.example"] {
            let error = options(&[wrong], true).unwrap_err();
            assert!(error.to_string().contains("--bus-creds") && !error.to_string().contains("secret"));
        }
    }

    #[test]
    fn a_file_has_a_password_or_a_seed() {
        let seed = "SUAIO3FHUX5PNV2LQIIP7TZ3N4L7TX3W53MQGEIVYFIGA635OZCKEYHFLM";
        let password = Credentials::Password { name: "zn".to_owned(), password: "a:b".to_owned() };
        assert_eq!(Credentials::of_text("zn:a:b\n"), Some(password));
        assert_eq!(Credentials::of_text(&format!("{seed}\n")), Some(Credentials::Seed(seed.to_owned())));
        for wrong in ["", "zn", "zn:", ":secret", &seed[1..], "two\nlines"] {
            assert_eq!(Credentials::of_text(wrong), None, "{wrong:?}");
        }
        let missing = BusOptions::new(Vec::new(), Some(Path::new("/nowhere/creds")), false);
        assert!(matches!(missing, Err(BusRejection::CredentialsFile(..))));
    }

    #[test]
    fn nothing_shows_a_secret() {
        let password = Credentials::of_text("zn:secret").unwrap();
        let options = BusOptions { servers: Vec::new(), credentials: password };
        assert!(!format!("{options:?}").contains("secret"));
    }
}
