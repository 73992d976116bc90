//! What may be said: one line of text that people can see.
//!
//! Deliberately absent: what it means. A page writes it as text, never as markup.

use unicode_normalization::char::is_combining_mark;
use zeitnot_protocol::Limits;

/// The most characters.
const CHARS_MAX: usize = Limits::STANDARD.chat_chars as usize;

/// Marks on one letter: the scripts that people write in need no more, and a pile of them covers the lines around it.
const MARKS_MAX: usize = Limits::STANDARD.chat_marks as usize;

/// Why something cannot be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum BadText {
    /// Nothing can be seen.
    #[error("text is empty")]
    Empty,
    /// It is too long.
    #[error("text has more than {CHARS_MAX} characters")]
    TooLong,
    /// It would cover other text.
    #[error("text has more than {MARKS_MAX} combining marks on one letter")]
    TooManyMarks,
    /// It would move, hide or turn round other text.
    #[error("text has a control character, or one that cannot be seen")]
    Invisible,
}

/// The text without white space around it, if it can be said.
///
/// # Errors
/// See [`BadText`].
pub(crate) fn checked(text: &str) -> Result<&str, BadText> {
    let text = text.trim();
    if text.is_empty() {
        return Err(BadText::Empty);
    }
    if text.chars().nth(CHARS_MAX).is_some() {
        return Err(BadText::TooLong);
    }
    let mut before = Kind::Blank;
    let mut marks = 0;
    for character in text.chars() {
        let kind = Kind::of(character);
        let fits = match kind {
            Kind::Visible | Kind::Blank | Kind::Mark => true,
            Kind::Selector => before == Kind::Visible,
            Kind::Joiner => matches!(before, Kind::Visible | Kind::Selector),
            Kind::Rejected => false,
        };
        if !fits {
            return Err(BadText::Invisible);
        }
        // A selector or a joiner between two marks does not begin another letter.
        marks = match kind {
            Kind::Mark => marks + 1,
            Kind::Selector | Kind::Joiner => marks,
            _ => 0,
        };
        if marks > MARKS_MAX {
            return Err(BadText::TooManyMarks);
        }
        before = if kind == Kind::Mark { Kind::Visible } else { kind };
    }
    Ok(text)
}

/// What a character does. Scripts and emoji need selectors and joiners, after a character that can be
/// seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Visible,
    Blank,
    /// It is drawn on the letter before it.
    Mark,
    Selector,
    Joiner,
    Rejected,
}

impl Kind {
    fn of(character: char) -> Self {
        match character {
            '\u{fe00}'..='\u{fe0f}' => Self::Selector,
            '\u{200c}' | '\u{200d}' => Self::Joiner,
            hidden if is_invisible(hidden) => Self::Rejected,
            blank if blank.is_whitespace() => Self::Blank,
            mark if is_combining_mark(mark) => Self::Mark,
            _ => Self::Visible,
        }
    }
}

/// Controls, separators of lines, formatting characters (Unicode category Cf) and other characters
/// that show nothing.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}'
            | '\u{8e2}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'
            | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            | '\u{16fe4}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_of_any_script_can_be_said() {
        for text in [
            "Good luck!",
            "a",
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
            "\u{1f469}\u{200d}\u{1f4bb} \u{2764}\u{fe0f}\u{200d}\u{1f525}\u{200a}!",
            "na\u{ef}ve, nai\u{308}ve",
            "<b>\"&amp;\\",
        ] {
            assert_eq!(checked(text), Ok(text));
        }
        assert_eq!(checked(" \t gg \n\u{3000}"), Ok("gg"));
    }

    #[test]
    fn a_letter_has_a_few_marks() {
        let acute = |count: usize| format!("e{}", "\u{301}".repeat(count));
        for text in
            [acute(MARKS_MAX), format!("{0}{0} {0}", acute(MARKS_MAX)), "\u{e17}\u{e35}\u{e48}".to_owned()]
        {
            assert_eq!(checked(&text), Ok(&*text));
        }
        let joined = format!("{}\u{200d}\u{301}", acute(MARKS_MAX));
        for text in [acute(MARKS_MAX + 1), acute(150), joined, "\u{301}".repeat(MARKS_MAX + 1)] {
            assert_eq!(checked(&text), Err(BadText::TooManyMarks));
        }
    }

    #[test]
    fn one_to_two_hundred_characters() {
        for text in ["", " ", "\n\t\u{a0}"] {
            assert_eq!(checked(text), Err(BadText::Empty));
        }
        let most = "\u{1f600}".repeat(CHARS_MAX);
        assert_eq!(checked(&most), Ok(&*most));
        assert_eq!(checked(&format!("  {most} ")), Ok(&*most), "what is around it is not counted");
        assert_eq!(checked(&format!("{most}x")), Err(BadText::TooLong));
    }

    #[test]
    fn nothing_that_hides_or_turns_round() {
        for text in [
            "a\0b",
            "a\nb",
            "a\tb",
            "\u{1b}[2J",
            "a\u{7f}",
            "a\u{85}b",
            "a\u{202e}b",
            "a\u{2066}b\u{2069}",
            "\u{200f}a",
            "a\u{200b}b",
            "\u{feff}a",
            "a\u{ad}b",
            "a\u{2028}b",
            "a\u{e0041}",
            "\u{3164}",
            "\u{2800}",
            "\u{16fe4}",
            "\u{1d159}",
            "\u{200d}",
            "a\u{200d}\u{200d}b",
            "a \u{200c}b",
            "\u{fe0f}",
            "a\u{fe0f}\u{fe0f}",
            "\u{e0100}",
        ] {
            assert_eq!(checked(text), Err(BadText::Invisible), "{text:?}");
        }
    }
}
