//! Names that nobody may choose, because a reader would take their owner for somebody else.
//!
//! Deliberately absent: names that hurt. A list cannot know them all; people do.

/// What the names of guests begin with. Nobody may choose such a name, in whatever case.
pub(super) const GUEST: &str = "Guest-";

/// What the names of the server's own computer opponents begin with; a number follows.
const COMPUTER: &str = "computer";

/// For each reason the names, in lower case and without `-` and `_`.
const RESERVED: &[&[&str]] = &[
    // They would speak for the server.
    &[
        "admin",
        "administrator",
        "arbiter",
        "chat",
        "help",
        "info",
        "mod",
        "moderator",
        "official",
        "operator",
        "owner",
        "postmaster",
        "root",
        "security",
        "server",
        "staff",
        "support",
        "sysadmin",
        "system",
        "webmaster",
        "zeitnot",
    ],
    // A notice or a score sheet that names them says something else.
    &[
        "black",
        "computer",
        "draw",
        "engine",
        "everybody",
        "everyone",
        "guest",
        "me",
        "nobody",
        "opponent",
        "player",
        "somebody",
        "spectator",
        "white",
        "you",
    ],
    // A program takes them for no name at all.
    &["anonymous", "deleted", "false", "nan", "nil", "none", "null", "true", "undefined", "unknown"],
];

/// Whether nobody may choose this name. Case, `-` and `_` make no difference.
pub(super) fn is_reserved(name: &str) -> bool {
    let begins_so = name.get(..GUEST.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(GUEST));
    let plain = name.chars().filter(|letter| !matches!(letter, '-' | '_'));
    let plain = plain.map(|letter| letter.to_ascii_lowercase()).collect::<String>();
    let number = plain.strip_prefix(COMPUTER).unwrap_or_default();
    let is_computer = !number.is_empty() && number.bytes().all(|letter| letter.is_ascii_digit());
    begins_so || is_computer || RESERVED.iter().any(|names| names.binary_search(&&*plain).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_in_order_and_plain() {
        for names in RESERVED {
            assert!(names.is_sorted(), "{names:?}");
            assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase())));
        }
    }

    #[test]
    fn case_and_hyphens_make_no_difference() {
        for reserved in [
            "admin",
            "Root",
            "Zeitnot",
            "WHITE",
            "null",
            "A-d_min",
            "Guest",
            "guest-12345",
            "Computer-3",
            "COMPUTER_12",
        ] {
            assert!(is_reserved(reserved), "{reserved}");
        }
        for free in [
            "Whitehead",
            "Blackburne",
            "Rooter",
            "Admiral",
            "Meier",
            "Guest1",
            "Drawish",
            "Computers",
            "Computer-x",
        ] {
            assert!(!is_reserved(free), "{free}");
        }
    }
}
