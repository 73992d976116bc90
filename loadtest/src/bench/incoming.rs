//! The few messages that the players of `bench latency` act on, decoded with little work.
//!
//! All others are `None`: moves, clocks and turns of a game in progress are by far the most
//! frequent.

use anyhow::{Context, Result, bail};
use zeitnot_protocol::{ChallengeId, GameId, ServerMessage, decode_server};

use super::closed_loop::{game_of, shown};

/// A message that a player acts on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Incoming {
    /// A command was accepted, with the number of its event.
    Ok(Option<usize>),
    /// The player has the turn in this game.
    Turn(GameId),
    /// A game has ended.
    Ended(GameId),
    /// A challenge was created.
    Challenge(ChallengeId),
}

impl Incoming {
    /// Decodes a frame. `rejected` is an error.
    pub(super) fn of(text: &[u8]) -> Result<Option<Self>> {
        const TYPE: &[u8] = br#"{"t":""#;
        let kind =
            text.strip_prefix(TYPE).with_context(|| format!("a frame without a type: {}", shown(text)))?;
        let is = |name: &str| kind.starts_with(name.as_bytes()) && kind.get(name.len()) == Some(&b'"');
        if is("ok") {
            return Ok(Some(Self::Ok(seq_of(text))));
        }
        if is("turn") {
            return Ok(Some(Self::Turn(game(text)?)));
        }
        if is("ended") {
            return Ok(Some(Self::Ended(game(text)?)));
        }
        if is("rejected") {
            bail!("a player received {}", shown(text));
        }
        if !is("challenge") {
            return Ok(None);
        }
        match decode_server(std::str::from_utf8(text)?) {
            Ok(ServerMessage::Challenge(made)) => Ok(Some(Self::Challenge(made.challenge))),
            _ => bail!("cannot read {}", shown(text)),
        }
    }
}

fn game(text: &[u8]) -> Result<GameId> {
    let id = game_of(text).with_context(|| format!("a frame without a game: {}", shown(text)))?;
    std::str::from_utf8(id)?.parse().with_context(|| format!("a game in {}", shown(text)))
}

/// The number of the event in an `ok`.
fn seq_of(text: &[u8]) -> Option<usize> {
    const KEY: &[u8] = br#""seq":"#;
    let start = text.windows(KEY.len()).position(|part| part == KEY)? + KEY.len();
    let digits = text[start..].split(|byte| !byte.is_ascii_digit()).next()?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_decoded() {
        let decoded = |text: &str| Incoming::of(text.as_bytes());
        let game: GameId = "BBBBBBBBBBBB".parse().unwrap();
        let ok = r#"{"t":"ok","d":{"id":null,"game":"BBBBBBBBBBBB","seq":21}}"#;
        assert_eq!(decoded(ok).unwrap(), Some(Incoming::Ok(Some(21))));
        assert_eq!(decoded(r#"{"t":"ok","d":{"id":null}}"#).unwrap(), Some(Incoming::Ok(None)));
        let turn = r#"{"t":"turn","d":{"game":"BBBBBBBBBBBB","on":3}}"#;
        assert_eq!(decoded(turn).unwrap(), Some(Incoming::Turn(game)));
        let ended = r#"{"t":"ended","d":{"game":"BBBBBBBBBBBB","seq":9}}"#;
        assert_eq!(decoded(ended).unwrap(), Some(Incoming::Ended(game)));
        assert_eq!(decoded(r#"{"t":"challenge_gone","d":{}}"#).unwrap(), None);
        assert_eq!(decoded(r#"{"t":"move","d":{}}"#).unwrap(), None);
        assert!(decoded(r#"{"t":"rejected","d":{"code":"stale"}}"#).is_err());
        assert!(decoded("nonsense").is_err());
    }
}
