//! The outlines of the pieces, as SVG paths in a square of 48 by 48: those of the page's first set.
//!
//! Deliberately absent: colours, and where a piece stands.

use svgtypes::{SimplePathSegment, SimplifyingPathParser};
use tiny_skia::{Path, PathBuilder};
use zeitnot_rules::board::Role;

/// The side of the square that the outlines are drawn in.
pub(super) const SIDE: f32 = 48.0;

/// The foot that all pieces have.
const BASE: &str = "M13.2 34.5h21.6c1.5 0 2.7 1.2 2.7 2.7v2.6c0 .7-.5 1.2-1.2 1.2H11.7c-.7 0-1.2-.5-1.2-1.2v-2.6c0-1.5 \
                    1.2-2.7 2.7-2.7z";

/// What a piece is drawn of, in this order: shapes, which are filled and outlined, then lines.
pub(super) struct Drawing {
    pub(super) shapes: Vec<Path>,
    pub(super) lines: Vec<Path>,
}

/// The drawing of a piece.
pub(super) fn drawing(role: Role) -> Drawing {
    let (shapes, lines) = outlines(role);
    let shapes = shapes.iter().copied().chain([BASE]).filter_map(path).collect();
    Drawing { shapes, lines: lines.iter().copied().filter_map(path).collect() }
}

const fn outlines(role: Role) -> (&'static [&'static str], &'static [&'static str]) {
    match role {
        Role::Pawn => (
            &[
                "M19.5 22.5h9c.6 6 2 9.3 5 12h-19c3-2.7 4.4-6 5-12z",
                "M24 9.5a6.4 6.4 0 0 1 4.3 11.1c1 .5 1.7 1.2 1.7 1.9H18c0-.7.7-1.4 1.7-1.9A6.4 6.4 0 0 1 24 9.5z",
            ],
            &[],
        ),
        Role::Knight => (
            &[
                "M14.5 34.5c-.2-6.2 2.6-9.3 7-12.9-2.6.1-4.3 1.9-6.9 2.7-2.3.7-4.6-1-4-3.4.9-3.6 4.3-8.4 8.4-10.7.1-1.6.5-3 \
               1.5-4.2l3.7 2.9C33.5 10.2 37 18 36.7 27c-.1 2.9-.5 5.2-1.1 7.5z",
            ],
            &["M26.5 13.5c4 2.6 6 7.2 5.9 13", "M20.2 15.3a.5.5 0 1 1 0 1 .5.5 0 0 1 0-1z"],
        ),
        Role::Bishop => (
            &[
                "M24 11c5.7 3.7 9 8.3 9 13 0 4.4-2.6 7.5-5.7 10.5h-6.6C17.6 31.5 15 28.4 15 24c0-4.7 3.3-9.3 9-13z",
                "M24 5.2a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
            ],
            &["M27.5 16.5l-4.7 7.8", "M18.3 30.5h11.4"],
        ),
        Role::Rook => {
            (&["M17 20h14l1.7 14.5H15.3z", "M12.5 9h6v3.8h3V9h5v3.8h3V9h6v8.2L32 20.5H16l-3.5-3.3z"], &[])
        }
        Role::Queen => (
            &[
                "M9.8 14.5L15 34.5h18l5.2-20-7.4 9-2.3-12.4L24 22.4l-4.5-11.3-2.3 12.4z",
                "M9.3 10.3a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4z",
                "M38.7 10.3a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4z",
                "M19 6.8a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4z",
                "M29 6.8a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4z",
            ],
            &["M15.5 30.2h17"],
        ),
        Role::King => (
            &[
                "M24 20c2.2-5.6 12.6-7.2 13.9.4.8 4.9-2.5 9.2-5.4 14.1h-17c-2.9-4.9-6.2-9.2-5.4-14.1 1.3-7.6 11.7-6 13.9-.4z",
                "M22.3 4h3.4v3.2H29v3.4h-3.3v4.2c1.5 1.7 1 4.2-1.7 6.7-2.7-2.5-3.2-5-1.7-6.7v-4.2H19V7.2h3.3z",
            ],
            &["M16.5 30.2h15"],
        ),
    }
}

/// The path of a text of SVG; `None` for one that is none.
pub(super) fn path(text: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    for segment in SimplifyingPathParser::from(text) {
        match segment.ok()? {
            SimplePathSegment::MoveTo { x, y } => path.move_to(x as f32, y as f32),
            SimplePathSegment::LineTo { x, y } => path.line_to(x as f32, y as f32),
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => {
                path.cubic_to(x1 as f32, y1 as f32, x2 as f32, y2 as f32, x as f32, y as f32);
            }
            SimplePathSegment::Quadratic { x1, y1, x, y } => {
                path.quad_to(x1 as f32, y1 as f32, x as f32, y as f32);
            }
            SimplePathSegment::ClosePath => path.close(),
        }
    }
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outline_is_a_path_inside_its_square() {
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            let (shapes, lines) = outlines(role);
            let drawing = drawing(role);
            assert_eq!(
                (drawing.shapes.len(), drawing.lines.len()),
                (shapes.len() + 1, lines.len()),
                "{role:?}"
            );
            for path in drawing.shapes.iter().chain(&drawing.lines) {
                let bounds = path.bounds();
                let inside = bounds.left() >= 0.0 && bounds.top() >= 0.0;
                assert!(inside && bounds.right() <= SIDE && bounds.bottom() <= SIDE, "{role:?}: {bounds:?}");
            }
        }
    }
}
