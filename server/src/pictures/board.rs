//! Drawing a board: squares, the last move, pieces, and a frame around it.

use tiny_skia::{Color as Paint, FillRule, LineCap, LineJoin, Pixmap, Rect, Stroke, Transform};
use zeitnot_rules::board::{Color, File, Rank, Square};

use super::Scene;
use super::pieces::{Drawing, SIDE, drawing};

/// The size that those who show links want, in pixels.
pub(crate) const WIDTH: u32 = 1_200;
pub(crate) const HEIGHT: u32 = 630;

/// A square of the board, in pixels.
const SQUARE: f32 = 72.0;

/// The board stands in the middle.
const LEFT: f32 = (WIDTH as f32 - 8.0 * SQUARE) / 2.0;
const TOP: f32 = (HEIGHT as f32 - 8.0 * SQUARE) / 2.0;

/// How wide the edge of the board is.
const EDGE: f32 = 10.0;

/// The colours, red, green and blue: those of the page.
const AROUND: [u8; 3] = [0x2f, 0x6f, 0x5e];
const AROUND_BOARD: [u8; 3] = [0x1f, 0x4c, 0x40];
const LIGHT: [u8; 3] = [0xec, 0xdf, 0xc8];
const DARK: [u8; 3] = [0xb0, 0x8a, 0x68];
const LIGHT_LAST: [u8; 3] = [0xc9, 0xc3, 0x5a];
const DARK_LAST: [u8; 3] = [0xa8, 0x9f, 0x3c];
const WHITE_PIECE: [u8; 3] = [0xff, 0xfd, 0xf7];
const BLACK_PIECE: [u8; 3] = [0x2b, 0x27, 0x24];
const BLACK_DETAIL: [u8; 3] = [0xd9, 0xd0, 0xc2];

/// The picture as PNG; `None` when it cannot be written, which is a bug.
pub(super) fn draw(scene: &Scene) -> Option<Vec<u8>> {
    let mut picture = Pixmap::new(WIDTH, HEIGHT)?;
    picture.fill(colour(AROUND));
    let edge =
        Rect::from_xywh(LEFT - EDGE, TOP - EDGE, 8.0 * SQUARE + 2.0 * EDGE, 8.0 * SQUARE + 2.0 * EDGE)?;
    picture.fill_rect(edge, &paint(AROUND_BOARD), Transform::identity(), None);
    for file in File::ALL {
        for rank in Rank::ALL {
            let square = Square::new(file, rank);
            let (x, y) = place(square, scene.seen_by);
            let area = Rect::from_xywh(x, y, SQUARE, SQUARE)?;
            picture.fill_rect(area, &paint(ground(square, scene.last)), Transform::identity(), None);
            if let Some(piece) = scene.position.piece_at(square) {
                let scale = SQUARE / SIDE;
                let at = Transform::from_scale(scale, scale).post_translate(x, y);
                draw_piece(&mut picture, &drawing(piece.role), piece.color, at);
            }
        }
    }
    picture.encode_png().ok()
}

/// The upper left corner of a square, in pixels.
fn place(square: Square, seen_by: Color) -> (f32, f32) {
    let (file, rank) = (square.file().index() as f32, square.rank().index() as f32);
    match seen_by {
        Color::White => (LEFT + file * SQUARE, TOP + (7.0 - rank) * SQUARE),
        Color::Black => (LEFT + (7.0 - file) * SQUARE, TOP + rank * SQUARE),
    }
}

/// The colour of a square.
fn ground(square: Square, last: Option<(Square, Square)>) -> [u8; 3] {
    let is_dark = (square.file().index() + square.rank().index()).is_multiple_of(2);
    let is_last = last.is_some_and(|(from, to)| [from, to].contains(&square));
    match (is_dark, is_last) {
        (false, false) => LIGHT,
        (true, false) => DARK,
        (false, true) => LIGHT_LAST,
        (true, true) => DARK_LAST,
    }
}

fn draw_piece(picture: &mut Pixmap, piece: &Drawing, color: Color, at: Transform) {
    let (inside, lines) = match color {
        Color::White => (WHITE_PIECE, BLACK_PIECE),
        Color::Black => (BLACK_PIECE, BLACK_DETAIL),
    };
    let stroke =
        Stroke { width: 1.6, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
    for shape in &piece.shapes {
        picture.fill_path(shape, &paint(inside), FillRule::Winding, at, None);
        picture.stroke_path(shape, &paint(BLACK_PIECE), &stroke, at, None);
    }
    for line in &piece.lines {
        picture.stroke_path(line, &paint(lines), &stroke, at, None);
    }
}

fn colour([red, green, blue]: [u8; 3]) -> Paint {
    Paint::from_rgba8(red, green, blue, u8::MAX)
}

fn paint(rgb: [u8; 3]) -> tiny_skia::Paint<'static> {
    let mut paint = tiny_skia::Paint::default();
    paint.set_color(colour(rgb));
    paint
}

#[cfg(test)]
mod tests {
    use zeitnot_rules::board::Position;

    use super::*;

    fn drawn(seen_by: Color, last: Option<(Square, Square)>) -> Pixmap {
        let scene = Scene { position: Position::standard(), last, seen_by };
        Pixmap::decode_png(&draw(&scene).unwrap()).unwrap()
    }

    /// The colour in a square, by file and rank from the lower left corner of the picture, a little off its edge.
    fn seen(picture: &Pixmap, file: u32, rank: u32) -> [u8; 3] {
        let side = SQUARE as u32;
        let (x, y) = (LEFT as u32 + file * side + 3, TOP as u32 + (7 - rank) * side + 3);
        let pixel = picture.pixel(x, y).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    /// Whether a piece of this colour stands in a square: its middle has that colour.
    fn has(picture: &Pixmap, file: u32, rank: u32, inside: [u8; 3]) -> bool {
        let side = SQUARE as u32;
        let (x, y) = (LEFT as u32 + file * side + side / 2, TOP as u32 + (7 - rank) * side + side * 4 / 5);
        let pixel = picture.pixel(x, y).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()] == inside
    }

    #[test]
    fn squares_pieces_and_the_last_move_are_where_they_belong() {
        let e2e4 = (Square::new(File::E, Rank::Second), Square::new(File::E, Rank::Fourth));
        let picture = drawn(Color::White, Some(e2e4));
        assert_eq!((picture.width(), picture.height()), (WIDTH, HEIGHT));
        assert_eq!((seen(&picture, 0, 0), seen(&picture, 1, 0)), (DARK, LIGHT), "a1 is dark");
        assert_eq!((seen(&picture, 4, 1), seen(&picture, 4, 3)), (LIGHT_LAST, LIGHT_LAST));
        assert!(has(&picture, 0, 0, WHITE_PIECE) && has(&picture, 0, 7, BLACK_PIECE));
        assert!(!has(&picture, 0, 4, WHITE_PIECE) && !has(&picture, 0, 4, BLACK_PIECE));
        let turned = drawn(Color::Black, None);
        assert!(has(&turned, 0, 0, BLACK_PIECE) && has(&turned, 7, 7, WHITE_PIECE));
        assert_eq!(seen(&turned, 4, 1), LIGHT);
    }
}
