//! Paths with stars: `*` stands for anything within a name, `**` for any folders too.

pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    if let Some(rest) = pattern.strip_prefix("**") {
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        let starts = path.match_indices('/').map(|(at, _)| at + 1);
        return rest.is_empty() || [0].into_iter().chain(starts).any(|at| matches(rest, &path[at..]));
    }
    if let Some(rest) = pattern.strip_prefix('*') {
        let name = path.find('/').unwrap_or(path.len());
        return (0..=name).any(|at| path.is_char_boundary(at) && matches(rest, &path[at..]));
    }
    match (pattern.chars().next(), path.chars().next()) {
        (None, None) => true,
        (Some(a), Some(b)) if a == b => matches(&pattern[a.len_utf8()..], &path[b.len_utf8()..]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stays_within_a_name_and_two_do_not() {
        assert!(matches("server/*.rs", "server/a.rs") && !matches("server/*.rs", "server/src/a.rs"));
        assert!(matches("server/**", "server/src/a.rs") && matches("**/a.rs", "a.rs"));
        assert!(matches("server/**/tests/*.rs", "server/src/games/tests/play.rs"));
        assert!(matches("docs/protocol.md", "docs/protocol.md") && !matches("docs", "docs/protocol.md"));
    }
}
