//! The words of Lichess for ours: speeds, variants, results, reasons to decline.
//!
//! Invariant: no word is used that Lichess does not use: strict clients have lists.

use serde_json::{Value, json};
use zeitnot_protocol::Needs;
use zeitnot_protocol::{
    ChallengeId, DeclineReason, OutcomeView, Period, Scope, Scopes, TimeControl, WireColor, WireReason,
    WireScore, WireVariant,
};

/// The clock of a game without one, in milliseconds: the largest number that every client can read.
pub(super) const NO_CLOCK_MS: u32 = 2_147_483_647;

/// How fast a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Speed {
    UltraBullet,
    Bullet,
    Blitz,
    Rapid,
    Classical,
    Correspondence,
}

impl Speed {
    /// By the time for 40 moves, as Lichess estimates it.
    pub(super) fn of(time_control: &TimeControl) -> Self {
        let Some((limit_s, increment_s)) = clock_s(time_control) else { return Self::Correspondence };
        match limit_s + 40 * increment_s {
            0..30 => Self::UltraBullet,
            30..180 => Self::Bullet,
            180..480 => Self::Blitz,
            480..1_500 => Self::Rapid,
            _ => Self::Classical,
        }
    }

    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::UltraBullet => "ultraBullet",
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::UltraBullet => "UltraBullet",
            Self::Bullet => "Bullet",
            Self::Blitz => "Blitz",
            Self::Rapid => "Rapid",
            Self::Classical => "Classical",
            Self::Correspondence => "Correspondence",
        }
    }
}

/// The key and the title of what a game is rated in.
pub(super) fn perf(variant: WireVariant, time_control: &TimeControl) -> (&'static str, &'static str) {
    let speed = Speed::of(time_control);
    match variant {
        WireVariant::Standard => (speed.key(), speed.title()),
        WireVariant::Chess960 => ("chess960", "Chess960"),
    }
}

/// Base and increment of White's first period, in milliseconds; `None` without a clock.
pub(super) fn clock_ms(time_control: &TimeControl) -> Option<(u32, u32)> {
    let TimeControl::Clock { periods, .. } = time_control else { return None };
    let Period { base_ms, increment_ms, .. } = *periods.first()?;
    Some((base_ms, increment_ms.unwrap_or_default()))
}

fn clock_s(time_control: &TimeControl) -> Option<(u32, u32)> {
    clock_ms(time_control).map(|(base, increment)| (base / 1_000, increment / 1_000))
}

/// The time control of a challenge.
pub(super) fn time_control(time_control: &TimeControl) -> Value {
    match time_control {
        TimeControl::Days { days } => json!({ "type": "correspondence", "daysPerTurn": days }),
        TimeControl::Unlimited => json!({ "type": "unlimited" }),
        TimeControl::Clock { .. } => {
            let (limit, increment) = clock_s(time_control).unwrap_or_default();
            let show = format!("{}+{increment}", minutes(limit));
            json!({ "type": "clock", "limit": limit, "increment": increment, "show": show })
        }
    }
}

/// Minutes as Lichess shows them: quarters as signs.
fn minutes(seconds: u32) -> String {
    match seconds {
        15 => "¼".to_owned(),
        30 => "½".to_owned(),
        45 => "¾".to_owned(),
        90 => "1.5".to_owned(),
        _ => (seconds / 60).to_string(),
    }
}

/// A variant: one that starts from a position of its own is "From Position", or clients begin with the usual one.
pub(super) fn variant(variant: WireVariant, has_own_start: bool) -> Value {
    match variant {
        WireVariant::Chess960 => json!({ "key": "chess960", "name": "Chess960", "short": "960" }),
        WireVariant::Standard if has_own_start => {
            json!({ "key": "fromPosition", "name": "From Position", "short": "FEN" })
        }
        WireVariant::Standard => json!({ "key": "standard", "name": "Standard", "short": "Std" }),
    }
}

/// How a game stands: name and number.
pub(super) type Status = (&'static str, u8);

/// A game that goes on.
pub(super) const STARTED: Status = ("started", 20);

/// How a game ended, and who has won.
pub(super) fn ended(outcome: &OutcomeView) -> (Status, Option<WireColor>) {
    let winner = match outcome.score {
        WireScore::WhiteWins => Some(WireColor::White),
        WireScore::BlackWins => Some(WireColor::Black),
        _ => None,
    };
    let is_drawn = outcome.score == WireScore::Draw;
    let draw = ("draw", 34);
    let status = match outcome.reason {
        _ if outcome.score == WireScore::NoResult => ("aborted", 25),
        WireReason::Checkmate => ("mate", 30),
        // Without a winner some clients read "resign" as "aborted".
        WireReason::Resignation if winner.is_some() => ("resign", 31),
        WireReason::Stalemate => ("stalemate", 32),
        WireReason::FlagFall => ("outoftime", 35),
        WireReason::Abandonment if winner.is_some() => ("timeout", 33),
        WireReason::Aborted | WireReason::FirstMoveLimit | WireReason::BothAway => ("aborted", 25),
        WireReason::Arbiter if !is_drawn => ("unknownFinish", 38),
        WireReason::Resignation
        | WireReason::Abandonment
        | WireReason::Arbiter
        | WireReason::DeadPosition
        | WireReason::Agreement
        | WireReason::ThreefoldRepetition
        | WireReason::FiftyMoves
        | WireReason::FivefoldRepetition
        | WireReason::SeventyFiveMoves => draw,
    };
    (status, winner)
}

/// A side.
pub(super) const fn color(color: WireColor) -> &'static str {
    match color {
        WireColor::White => "white",
        WireColor::Black => "black",
    }
}

/// Their words for reasons to decline, in the order of their document, and ours.
const DECLINES: [(&str, DeclineReason, &str); 11] = [
    ("generic", DeclineReason::No, "I'm not accepting challenges at the moment."),
    ("later", DeclineReason::Later, "This is not the right time for me, please ask again later."),
    (
        "toofast",
        DeclineReason::TooFast,
        "This time control is too fast for me, please challenge again with a slower game.",
    ),
    (
        "tooslow",
        DeclineReason::TooSlow,
        "This time control is too slow for me, please challenge again with a faster game.",
    ),
    ("timecontrol", DeclineReason::OtherTimeControl, "I'm not accepting challenges with this time control."),
    ("rated", DeclineReason::OtherRules, "Please send me a rated challenge instead."),
    ("casual", DeclineReason::OtherRules, "Please send me a casual challenge instead."),
    ("standard", DeclineReason::OtherVariant, "I'm not accepting variant challenges right now."),
    ("variant", DeclineReason::OtherVariant, "I'm not willing to play this variant right now."),
    ("nobot", DeclineReason::No, "I'm not accepting challenges from bots."),
    ("onlybot", DeclineReason::No, "I'm only accepting challenges from bots."),
];

/// A reason to decline, in their words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decline {
    pub(super) key: &'static str,
    pub(super) reason: DeclineReason,
    pub(super) sentence: &'static str,
}

impl Decline {
    /// The reason of a word, in whatever case; every other word is "generic".
    pub(super) fn of_word(word: &str) -> Self {
        let found = DECLINES.iter().find(|(key, ..)| key.eq_ignore_ascii_case(word));
        Self::of_row(found.unwrap_or(&DECLINES[0]))
    }

    /// The word for one of our reasons, about a challenge that is rated or not.
    pub(super) fn of_reason(reason: DeclineReason, is_rated: bool) -> Self {
        let key = match reason {
            DeclineReason::No | DeclineReason::OtherColor => "generic",
            DeclineReason::Later => "later",
            DeclineReason::TooFast => "toofast",
            DeclineReason::TooSlow => "tooslow",
            DeclineReason::OtherTimeControl => "timecontrol",
            DeclineReason::OtherVariant => "variant",
            DeclineReason::OtherRules if is_rated => "casual",
            DeclineReason::OtherRules => "rated",
        };
        Self::of_word(key)
    }

    fn of_row(&(key, reason, sentence): &(&'static str, DeclineReason, &'static str)) -> Self {
        Self { key, reason, sentence }
    }
}

/// Where a game comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Source {
    /// A challenge or a rematch, or nobody knows any more.
    #[default]
    Friend,
    /// A seek.
    Lobby,
    /// A pool.
    Pool,
}

impl Source {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Friend => "friend",
            Self::Lobby => "lobby",
            Self::Pool => "pool",
        }
    }
}

/// The scopes of a token, in their words, with commas between and no blanks: clients split at the comma and compare exactly.
pub(super) fn scopes(scopes: Scopes) -> String {
    let has = |scope| scopes.allow(Needs::Scope(scope));
    let mut words = Vec::new();
    if has(Scope::Play) {
        words.push("board:play");
    }
    if has(Scope::Play) && has(Scope::Bot) {
        words.push("bot:play");
    }
    words.push("challenge:read");
    if has(Scope::Challenge) || has(Scope::Play) {
        words.push("challenge:write");
    }
    words.join(",")
}

/// The address of a game, or of a challenge, on the page.
pub(super) fn url(site: &str, id: ChallengeId) -> String {
    format!("{site}/{id}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(base_ms: u32, increment_ms: u32) -> TimeControl {
        let period = Period { base_ms, increment_ms: Some(increment_ms), ..Period::default() };
        TimeControl::Clock { periods: vec![period], black_periods: None }
    }

    #[test]
    fn speeds_are_those_of_lichess() {
        for (base_s, increment_s, key) in [
            (15, 0, "ultraBullet"),
            (30, 0, "bullet"),
            (60, 2, "bullet"),
            (120, 1, "bullet"),
            (180, 0, "blitz"),
            (300, 3, "blitz"),
            (480, 0, "rapid"),
            (900, 10, "rapid"),
            (1_500, 0, "classical"),
        ] {
            let speed = Speed::of(&clock(base_s * 1_000, increment_s * 1_000));
            assert_eq!(speed.key(), key, "{base_s}+{increment_s}");
        }
        assert_eq!(Speed::of(&TimeControl::Unlimited), Speed::Correspondence);
    }

    #[test]
    fn a_time_control_is_shown_in_minutes() {
        assert_eq!(time_control(&clock(30_000, 0))["show"], "½+0");
        assert_eq!(time_control(&clock(180_000, 2_000))["show"], "3+2");
        assert_eq!(time_control(&TimeControl::Days { days: 3 })["daysPerTurn"], 3);
    }

    #[test]
    fn a_result_without_a_winner_has_no_word_that_needs_one() {
        let of = |score, reason| ended(&OutcomeView { score, reason, proof: None, played_out: None });
        assert_eq!(of(WireScore::WhiteWins, WireReason::Checkmate), (("mate", 30), Some(WireColor::White)));
        assert_eq!(of(WireScore::Draw, WireReason::Resignation), (("draw", 34), None));
        assert_eq!(of(WireScore::Draw, WireReason::FlagFall), (("outoftime", 35), None));
        assert_eq!(of(WireScore::Draw, WireReason::Abandonment), (("draw", 34), None));
        assert_eq!(
            of(WireScore::BlackWins, WireReason::Abandonment),
            (("timeout", 33), Some(WireColor::Black))
        );
        assert_eq!(of(WireScore::NoResult, WireReason::Arbiter), (("aborted", 25), None));
        assert_eq!(of(WireScore::BothLose, WireReason::Arbiter), (("unknownFinish", 38), None));
        assert_eq!(of(WireScore::Draw, WireReason::Arbiter), (("draw", 34), None));
    }

    #[test]
    fn a_word_to_decline_is_known_in_any_case_and_every_reason_of_ours_has_one() {
        assert_eq!(Decline::of_word("tooFast").reason, DeclineReason::TooFast);
        assert_eq!(Decline::of_word("noBot").key, "nobot");
        assert_eq!(Decline::of_word("whatever").key, "generic");
        assert_eq!(Decline::of_reason(DeclineReason::OtherRules, true).key, "casual");
        assert_eq!(Decline::of_reason(DeclineReason::OtherVariant, false).key, "variant");
    }

    #[test]
    fn scopes_have_no_blanks_between() {
        assert_eq!(scopes(Scopes::SESSION), "board:play,bot:play,challenge:read,challenge:write");
        assert_eq!(scopes(Scopes::NONE), "challenge:read");
    }
}
