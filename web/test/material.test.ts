/** Which pieces a side has more than the other, and what they are worth. */
import { describe, expect, test } from "vitest";
import { materialOf } from "../src/chess/material";
import { START_FEN, readFen } from "../src/chess/position";

const both = (fen: string) => (["white", "black"] as const).map((color) => materialOf(color, readFen(fen)));

describe("material", () => {
  test("is even in the first position, and after an exchange", () => {
    const even = { more: [], ahead: 0 };
    expect(both(START_FEN)).toEqual([even, even]);
    expect(both("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1")).toEqual([even, even]);
  });

  test("names what each side has more of, the most valuable first", () => {
    expect(both("rnb1kb1r/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1")).toEqual([
      {
        more: [
          { role: "q", count: 1 },
          { role: "p", count: 1 },
        ],
        ahead: 10,
      },
      { more: [], ahead: -10 },
    ]);
  });

  test("a piece for pawns of the same worth puts nobody ahead", () => {
    expect(both("rnbqkbnr/1pp2ppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1")).toEqual([
      { more: [{ role: "p", count: 3 }], ahead: 0 },
      { more: [{ role: "n", count: 1 }], ahead: 0 },
    ]);
  });

  test("a position that nobody has reached by captures has only what is on the board", () => {
    expect(both("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")).toEqual([
      { more: [{ role: "p", count: 1 }], ahead: 1 },
      { more: [], ahead: -1 },
    ]);
  });
});
