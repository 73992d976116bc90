//! The tags of a game that was played elsewhere, as its record keeps them: who played, where and when.
//!
//! The form of names and values is decided here, because a record must stay readable. Which tags are kept, and what they
//! mean, is decided by the server.
//!
//! Invariants: there are at most [`Tags::COUNT_MAX`], each with another name. A name has 1 to [`Tags::NAME_CHARS_MAX`]
//! characters, which are ASCII letters, digits and `_`. A value has 1 to [`Tags::VALUE_CHARS_MAX`] characters in at most
//! [`Tags::VALUE_BYTES_MAX`] bytes; none of them controls how a line is written or read, and white space is single spaces
//! between others. What PGN writes of it is read as the same value again.

/// Names and values, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The most tags of a game.
    pub const COUNT_MAX: usize = 32;
    /// The most characters of a name.
    pub const NAME_CHARS_MAX: usize = 32;
    /// The most characters of a value.
    pub const VALUE_CHARS_MAX: usize = 100;
    /// The most bytes of a value in UTF-8.
    pub const VALUE_BYTES_MAX: usize = 200;

    /// The first of the tags that can be kept. Values are cleaned, and cut where they are too long; tags without a value, with
    /// a name that came before, or with one that cannot be are left out.
    #[must_use]
    pub fn of<'a>(tags: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut kept = Self::default();
        for (name, value) in tags {
            let value = Self::cleaned(value);
            if is_name(name) && !value.is_empty() && kept.get(name).is_none() {
                kept.0.push((name.to_owned(), value));
            }
            if kept.0.len() == Self::COUNT_MAX {
                break;
            }
        }
        kept
    }

    /// A value as it is kept; empty for one that cannot be.
    #[must_use]
    pub fn cleaned(value: &str) -> String {
        let shown = value.chars().map(|letter| match letter {
            '{' => '(',
            '}' => ')',
            _ if letter.is_control() || is_directional(letter) => ' ',
            _ => letter,
        });
        let shown: String = shown.collect();
        let words: Vec<&str> = shown.split_whitespace().collect();
        let mut value = words.join(" ");
        let letters = value.char_indices().map(|(at, letter)| at + letter.len_utf8());
        let end = letters.take(Self::VALUE_CHARS_MAX).take_while(|end| *end <= Self::VALUE_BYTES_MAX).last();
        value.truncate(end.unwrap_or_default());
        value.truncate(value.trim_end().len());
        value
    }

    /// The value of a tag.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(tag, _)| *tag == name).map(|(_, value)| value)
    }

    /// Names and values, in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }
}

fn is_name(text: &str) -> bool {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_plain && (1..=Tags::NAME_CHARS_MAX).contains(&text.len())
}

/// Whether a character decides in which direction others are shown, or where lines and files begin.
const fn is_directional(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_one_clean_line() {
        for (value, kept) in [
            ("Carlsen, Magnus", "Carlsen, Magnus"),
            (
                " \u{416}\u{443}\u{43a}\u{43e}\u{432}\t \u{2028}A.\r\n",
                "\u{416}\u{443}\u{43a}\u{43e}\u{432} A.",
            ),
            ("\u{202e}neslraC {1}\u{0}", "neslraC (1)"),
            ("\"\\", "\"\\"),
        ] {
            let tags = Tags::of([("White", value)]);
            assert_eq!(tags.get("White"), Some(kept));
            assert_eq!(Tags::of(tags.iter()), tags, "what is clean stays as it is");
        }
        let long = format!("{} {}", "x".repeat(Tags::VALUE_CHARS_MAX - 1), "y".repeat(9));
        assert_eq!(Tags::of([("Event", &*long)]).get("Event").map(str::len), Some(Tags::VALUE_CHARS_MAX - 1));
        let wide = "\u{6226}".repeat(90);
        assert_eq!(Tags::of([("Event", &*wide)]).get("Event").map(str::len), Some(198));
    }

    #[test]
    fn a_tag_that_cannot_be_kept_is_left_out() {
        let long = "x".repeat(Tags::NAME_CHARS_MAX + 1);
        let tags =
            Tags::of([("", "1"), ("a b", "1"), (&long, "1"), ("Round", " \t"), ("Site", "a"), ("Site", "b")]);
        assert_eq!(tags.iter().collect::<Vec<_>>(), [("Site", "a")]);
        let many: Vec<String> = (0..99).map(|number| format!("T{number}")).collect();
        let tags = Tags::of(many.iter().map(|name| (&**name, "1")));
        assert_eq!(tags.iter().len(), Tags::COUNT_MAX);
    }
}
