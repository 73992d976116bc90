//! The picture of the server's modules in ARCHITECTURE.md: which module may import which.
//!
//! A block that is fenced with ```` ```arrows ```` draws the top modules, one with ```` ```arrows games ```` the modules
//! inside `games`. A line is `module -> module module`; a module without an arrow is a line by itself. A line that ends
//! with `(to come)` need not be built yet. `module -> *` may import everything.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::{Check::Arrows, Finding};

#[derive(Debug)]
pub(crate) struct Picture {
    pub(crate) file: String,
    /// The module whose inside is drawn; `None`: the top modules of the crate.
    pub(crate) folder: Option<String>,
    /// Where the block begins.
    pub(crate) line: usize,
    pub(crate) lines: Vec<Line>,
}

#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) module: String,
    pub(crate) targets: Vec<String>,
    pub(crate) to_come: bool,
    pub(crate) number: usize,
}

impl Picture {
    /// Every picture in a document.
    pub(crate) fn read(file: &str, text: &str) -> Vec<Self> {
        let mut pictures: Vec<Self> = Vec::new();
        let mut inside = false;
        for (line, number) in text.lines().zip(1..) {
            if inside {
                inside = !line.starts_with("```");
                if let (true, Some(picture)) = (inside && !line.trim().is_empty(), pictures.last_mut()) {
                    picture.lines.push(Line::read(line, number));
                }
            } else if let Some(title) = line.strip_prefix("```arrows") {
                let folder = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
                pictures.push(Self { file: file.to_owned(), folder, line: number, lines: Vec::new() });
                inside = true;
            }
        }
        pictures
    }

    pub(crate) fn allows(&self, from: &str, to: &str) -> bool {
        self.lines_of(from).any(|line| line.targets.iter().any(|target| target == to || target == "*"))
    }

    pub(crate) fn draws(&self, module: &str) -> bool {
        self.lines_of(module).next().is_some()
    }

    fn lines_of(&self, module: &str) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| line.module == module)
    }

    /// A ring among the drawn arrows, if there is one.
    pub(crate) fn cycle(&self) -> Option<Finding> {
        let mut arrows: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for line in &self.lines {
            arrows.entry(&line.module).or_default().extend(line.targets.iter().map(String::as_str));
        }
        let mut done = BTreeSet::new();
        let ring = arrows.keys().find_map(|module| ring_from(module, &arrows, &mut Vec::new(), &mut done))?;
        let text = format!("the arrows go round: {}", ring.join(" -> "));
        Some(Finding::at(Arrows, &self.file, self.line, text))
    }
}

impl Line {
    fn read(line: &str, number: usize) -> Self {
        let (line, to_come) = match line.trim_end().strip_suffix("(to come)") {
            Some(line) => (line, true),
            None => (line, false),
        };
        let (module, targets) = line.split_once("->").unwrap_or((line, ""));
        let targets = targets.split_whitespace().map(str::to_owned).collect();
        Self { module: module.trim().to_owned(), targets, to_come, number }
    }
}

fn ring_from<'a>(
    module: &'a str,
    arrows: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    path: &mut Vec<&'a str>,
    done: &mut BTreeSet<&'a str>,
) -> Option<Vec<&'a str>> {
    if let Some(start) = path.iter().position(|before| *before == module) {
        return Some([&path[start..], &[module]].concat());
    }
    if !done.insert(module) {
        return None;
    }
    path.push(module);
    let targets = arrows.get(module).into_iter().flatten();
    let ring = targets.copied().find_map(|target| ring_from(target, arrows, path, done));
    path.pop();
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(lines: &str) -> Picture {
        Picture::read("ARCHITECTURE.md", &format!("# A\n```arrows\n{lines}\n```\n")).remove(0)
    }

    #[test]
    fn a_line_names_a_module_and_what_it_may_import() {
        let picture = picture("server -> *\ngames -> net time\ngames -> ratings (to come)\ntime");
        assert!(picture.allows("games", "time") && picture.allows("games", "ratings"));
        assert!(picture.allows("server", "anything") && !picture.allows("time", "games"));
        assert!(picture.draws("time") && !picture.draws("net"));
        assert_eq!(picture.cycle(), None);
    }

    #[test]
    fn a_ring_is_found_wherever_it_begins() {
        let cycle = picture("a -> b d\nb -> c\nc -> b (to come)\nd").cycle().unwrap();
        assert_eq!(cycle.to_string(), "arrows: ARCHITECTURE.md:2: the arrows go round: b -> c -> b");
    }

    #[test]
    fn a_document_may_draw_the_inside_of_modules_too() {
        let text = "```text\nx -> y\n```\n```arrows\na\n```\n```arrows games\nactor -> feed\n```\nb -> c\n";
        let pictures = Picture::read("ARCHITECTURE.md", text);
        let folders: Vec<_> = pictures.iter().map(|picture| picture.folder.as_deref()).collect();
        assert_eq!(folders, [None, Some("games")]);
        assert!(pictures[1].allows("actor", "feed") && !pictures[1].draws("b"));
    }
}
