/** What has been captured, and who is ahead, from two positions. */
import { describe, expect, test } from "vitest";
import { capturedBy } from "../src/chess/material";
import { START_FEN, readFen } from "../src/chess/position";

const start = readFen(START_FEN);

describe("captured pieces", () => {
  test("none in the first position", () => {
    expect(capturedBy("white", start, start)).toEqual({ pieces: [], ahead: 0 });
  });

  test("are the opponent's that are missing, the most valuable first", () => {
    const now = readFen("rnb1kb1r/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1");
    expect(capturedBy("white", start, now)).toEqual({
      pieces: [
        { role: "q", count: 1 },
        { role: "n", count: 1 },
        { role: "p", count: 1 },
      ],
      ahead: 10,
    });
    expect(capturedBy("black", start, now)).toEqual({ pieces: [{ role: "n", count: 1 }], ahead: -10 });
  });

  test("a pawn that has promoted was not captured, and the new queen counts", () => {
    const now = readFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNQ w KQkq - 0 1");
    expect(capturedBy("black", start, now)).toEqual({ pieces: [{ role: "r", count: 1 }], ahead: -3 });
    expect(capturedBy("white", start, now).ahead).toBe(3);
  });

  test("are counted from the position that the game began with", () => {
    const first = readFen("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1");
    expect(capturedBy("black", first, readFen("4k3/8/8/8/8/8/P7/4K3 b - - 0 1"))).toEqual({
      pieces: [{ role: "p", count: 1 }],
      ahead: -1,
    });
  });
});
