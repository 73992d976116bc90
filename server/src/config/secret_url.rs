//! A flag whose value is a URL that may hold a password.
//!
//! The parser of the command line repeats a value that it rejects, on the terminal and so in the log of whatever started the
//! program. The message here names the flag and the reason alone.
//!
//! Deliberately absent: what the URLs are. The reasons of their types repeat no part of them.

use std::ffi::OsStr;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

/// Parses a value and does not repeat it when it is rejected.
pub(super) struct SecretUrl<T>(PhantomData<fn() -> T>);

/// The parser of such a flag.
pub(super) const fn secret_url<T>() -> SecretUrl<T> {
    SecretUrl(PhantomData)
}

impl<T> Clone for SecretUrl<T> {
    fn clone(&self) -> Self {
        secret_url()
    }
}

impl<T> TypedValueParser for SecretUrl<T>
where
    T: FromStr<Err: Display> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let rejection = |why: String| {
            let flag = arg.map_or_else(String::new, |arg| format!(" for '{arg}'"));
            Error::raw(ErrorKind::ValueValidation, format!("invalid value{flag}: {why}\n")).with_cmd(command)
        };
        let text = value.to_str().ok_or_else(|| rejection("it is not UTF-8".to_owned()))?;
        text.parse().map_err(|error: T::Err| rejection(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::config::Config;

    #[test]
    fn a_rejected_url_is_not_repeated() {
        let base = ["zeitnot", "--cluster", "postgres://club@127.0.0.1/club"];
        let rejected = [
            vec!["zeitnot", "--cluster", "postgres://club:hunter2@[127.0.0.1/club"],
            [&base[..], &["--bus", "nats://node:hunter2@chess.example.org:42222x"]].concat(),
            [&base[..], &["--bus", "nats://node:hunter2@chess.example.org:4222"]].concat(),
        ];
        for args in rejected {
            let message = Config::try_parse_from(&args).unwrap_err().to_string();
            assert!(message.contains("invalid value for '--"), "{message}");
            assert!(!message.contains("hunter2"), "{message}");
        }
        let allowed = [&base[..], &["--bus", "tls://a:4222,tls://b:4222"]].concat();
        assert_eq!(Config::try_parse_from(allowed).unwrap().bus.len(), 2);
    }
}
