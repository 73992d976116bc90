//! The page's icon as PNG: a white knight on green, as in the page's own drawing.

use std::sync::LazyLock;

use bytes::Bytes;
use tiny_skia::{Color, FillRule, Paint, PathBuilder, Pixmap, Rect, Transform};

use super::pieces::{SIDE, path};

/// The side of the icon, in pixels.
const PIXELS: u32 = 48;

/// How round its corners are, in the units of the drawing, and the part of that which makes a Bézier curve an arc.
const CORNER: f32 = 10.0;
const ARC: f32 = 0.552_284_8;

const KNIGHT: &str = "M15 34c0-6 3-9 6.5-12.5-3 .5-5 2-7.5 2.5-2 .3-3.5-1.2-3-3 1-3.5 4-8 9-10.5L20.5 7l4.5 3c7.5 1.5 10.5 \
                      8.5 10.5 16.5 0 3-.3 5-.8 7.5z";

static ICON: LazyLock<Option<Bytes>> = LazyLock::new(draw);

/// The icon, drawn once; `None` when it cannot be, which is a bug.
pub(crate) fn icon() -> Option<Bytes> {
    ICON.clone()
}

fn draw() -> Option<Bytes> {
    let mut picture = Pixmap::new(PIXELS, PIXELS)?;
    let scale = PIXELS as f32 / SIDE;
    let at = Transform::from_scale(scale, scale);
    picture.fill_path(&round()?, &paint(0x2f, 0x6f, 0x5e), FillRule::Winding, at, None);
    let white = paint(0xff, 0xff, 0xff);
    picture.fill_path(&path(KNIGHT)?, &white, FillRule::Winding, at, None);
    picture.fill_rect(Rect::from_xywh(13.0, 35.0, 23.0, 5.0)?, &white, at, None);
    picture.encode_png().ok().map(Bytes::from)
}

/// The whole icon with round corners.
fn round() -> Option<tiny_skia::Path> {
    let (far, near, arc) = (SIDE - CORNER, CORNER, CORNER * (1.0 - ARC));
    let mut path = PathBuilder::new();
    path.move_to(near, 0.0);
    path.line_to(far, 0.0);
    path.cubic_to(SIDE - arc, 0.0, SIDE, arc, SIDE, near);
    path.line_to(SIDE, far);
    path.cubic_to(SIDE, SIDE - arc, SIDE - arc, SIDE, far, SIDE);
    path.line_to(near, SIDE);
    path.cubic_to(arc, SIDE, 0.0, SIDE - arc, 0.0, far);
    path.line_to(0.0, near);
    path.cubic_to(0.0, arc, arc, 0.0, near, 0.0);
    path.close();
    path.finish()
}

fn paint(red: u8, green: u8, blue: u8) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(Color::from_rgba8(red, green, blue, u8::MAX));
    paint
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_has_a_white_knight_and_clear_corners() {
        let picture = Pixmap::decode_png(&icon().unwrap()).unwrap();
        let at = |x, y| picture.pixel(x, y).unwrap();
        assert_eq!((picture.width(), picture.height()), (PIXELS, PIXELS));
        assert_eq!(at(0, 0).alpha(), 0);
        assert_eq!((at(24, 37).red(), at(24, 20).red(), at(5, 24).red()), (0xff, 0xff, 0x2f));
    }
}
