/**
 * The position on a board as a picture, drawn as the page shows it: its colours, its pieces and the last move, without
 * arrows, marks of a finger and letters. Loaded when somebody saves one.
 */

/** A square of the picture, in px. */
const SIDE = 96;
/** A piece is drawn on so many units. */
const PIECE = 48;

/** As the address of a PNG. */
export function pictureOf(board: Element): string {
  const canvas = document.createElement("canvas");
  canvas.width = 8 * SIDE;
  canvas.height = 8 * SIDE;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser draws nothing");
  const frame = board.getBoundingClientRect();
  for (const cell of board.querySelectorAll(".cell")) {
    const box = cell.getBoundingClientRect();
    const at = (from: number, to: number, length: number): number => Math.round((from - to) / length) * SIDE;
    pen.setTransform(1, 0, 0, 1, at(box.left, frame.left, box.width), at(box.top, frame.top, box.height));
    pen.fillStyle = groundOf(cell);
    pen.fillRect(0, 0, SIDE, SIDE);
    pen.scale(SIDE / PIECE, SIDE / PIECE);
    const piece = cell.querySelector(".piece");
    if (piece) drawPiece(pen, piece);
  }
  return canvas.toDataURL("image/png");
}

/** What marks a check is no plain colour: its square has that of the others. */
function groundOf(cell: Element): string {
  const shade = cell.classList.contains("light") ? "light" : "dark";
  const plain = cell.classList.contains("check") ? document.querySelector(`.cell.${shade}:not(.check, .last)`) : cell;
  return getComputedStyle(plain ?? cell).backgroundColor;
}

/** The shapes of a piece have their colours only where it stands, so they are put there for a moment. */
function drawPiece(pen: CanvasRenderingContext2D, piece: Element): void {
  const symbol = document.getElementById((piece.querySelector("use")?.getAttribute("href") ?? "").slice(1));
  const copy = piece.cloneNode() as Element;
  copy.append(...(symbol?.cloneNode(true).childNodes ?? []));
  piece.after(copy);
  for (const shape of copy.children) drawShape(pen, shape);
  copy.remove();
}

function drawShape(pen: CanvasRenderingContext2D, shape: Element): void {
  const { fill, stroke, strokeWidth, fontWeight, fontSize, fontFamily } = getComputedStyle(shape);
  const number = (name: string): number => Number(shape.getAttribute(name));
  pen.fillStyle = fill;
  if (shape.tagName === "text") {
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    pen.textAlign = "center";
    pen.fillText(shape.textContent ?? "", number("x"), number("y"));
    return;
  }
  const path = new Path2D(shape.getAttribute("d") ?? undefined);
  if (shape.tagName === "circle") path.arc(number("cx"), number("cy"), number("r"), 0, 2 * Math.PI);
  if (fill !== "none") pen.fill(path);
  if (stroke === "none") return;
  pen.lineJoin = "round";
  pen.lineCap = "round";
  pen.lineWidth = Number.parseFloat(strokeWidth);
  pen.strokeStyle = stroke;
  pen.stroke(path);
}
