/** Positions, premove targets, typed moves and claims: what the page itself knows of chess. */
import { describe, expect, test } from "vitest";
import { grounds, positionKey } from "../src/chess/claims";
import { readTyped } from "../src/chess/notation";
import { START_FEN, isCapture, play, readFen, writeFen } from "../src/chess/position";
import { playable, premoves, reach } from "../src/chess/reach";
import { nameOf, squareOf } from "../src/chess/square";

/** German ones: English letters work beside them. */
const LETTERS = { p: "", n: "S", b: "L", r: "T", q: "D", k: "K" };
const sq = (name: string): number => squareOf(name) ?? -1;
const after = (fen: string, ...moves: string[]): string =>
  writeFen(moves.reduce((position, uci) => play(position, uci), readFen(fen)));

describe("a position", () => {
  test.each([
    START_FEN,
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 34",
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
    "8/P6k/8/8/3pP3/8/8/K7 b - e3 0 9",
  ])("%s is read and written", (fen) => {
    expect(writeFen(readFen(fen))).toBe(fen);
  });

  test("a right that K would not name is written as its file", () => {
    const fen = "1r2k1rr/8/8/8/8/8/8/4K3 b g - 0 1";
    expect(writeFen(readFen(fen))).toBe(fen);
  });

  test.each([
    [
      "two steps make an en passant square",
      START_FEN,
      ["e2e4"],
      "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    ],
    [
      "en passant takes the pawn beside",
      "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
      ["d4e3"],
      "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2",
    ],
    [
      "castling by the king's step",
      "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
      ["e1g1"],
      "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1",
    ],
    [
      "castling by taking one's rook",
      "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
      ["e1a1", "e8h8"],
      "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2",
    ],
    [
      "Chess960: king and rook change places",
      "4k3/8/8/8/8/8/8/5RK1 w F - 0 1",
      ["g1f1"],
      "4k3/8/8/8/8/8/8/2KR4 b - - 1 1",
    ],
    [
      "a captured rook castles no more",
      "r3k2r/8/8/8/8/8/6b1/R3K2R b KQkq - 0 1",
      ["g2h1"],
      "r3k2r/8/8/8/8/8/8/R3K2b w Qkq - 0 2",
    ],
    ["a promotion", "8/P6k/8/8/8/8/8/K7 w - - 4 1", ["a7a8n"], "N7/7k/8/8/8/8/8/K7 b - - 0 1"],
  ])("%s", (_, fen, moves, expected) => {
    expect(after(fen, ...moves)).toBe(expected);
  });

  test("a capture is one that takes something, castling is none", () => {
    expect(isCapture(readFen("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), sq("d4"), sq("e3"))).toBe(true);
    expect(isCapture(readFen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), sq("e1"), sq("a1"))).toBe(false);
  });
});

describe("a premove", () => {
  test("goes where the piece could go if the way were free", () => {
    const start = readFen(START_FEN);
    const names = (from: string): string[] => reach(start, sq(from)).map(nameOf).sort();
    expect(names("e7")).toEqual(["d6", "e5", "e6", "f6"]);
    expect(names("g8")).toEqual(["e7", "f6", "h6"]);
    expect(names("a8")).toHaveLength(14);
    expect(names("e8")).toEqual(expect.arrayContaining(["g8", "c8", "a8", "h8", "e7"]));
  });

  test("of a pawn one step from the end names the piece", () => {
    expect(premoves(readFen("8/P6k/8/8/8/8/8/K7 b - - 0 1")).filter((uci) => uci.startsWith("a7a8"))).toEqual([
      "a7a8q",
      "a7a8r",
      "a7a8b",
      "a7a8n",
    ]);
  });

  test("is played when it is legal, in either way of writing castling, and else forgotten", () => {
    const position = readFen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    expect(playable("a1b1", ["a1b1", "e1g1"], position)).toBe("a1b1");
    expect(playable("e1h1", ["a1b1", "e1g1"], position)).toBe("e1g1");
    expect(playable("e1g1", ["e1h1", "e1a1"], position)).toBe("e1h1");
    expect(playable("e1c1", ["e1g1"], position)).toBeNull();
    expect(playable("h1h8", ["h1h7"], position)).toBeNull();
  });
});

describe("a typed move", () => {
  const fen = "r3k2r/pP1n1n2/8/3Pp3/2N1N3/8/8/R3K2R w KQkq e6 0 1";
  const legal = [
    "e1g1",
    "e1c1",
    "e1e2",
    "c4e5",
    "c4d6",
    "e4d6",
    "d5e6",
    "d5d6",
    "b7b8q",
    "b7b8n",
    "b7a8q",
    "h1h2",
    "e4f6",
  ];
  const read = (text: string): string => {
    const typed = readTyped(text, legal, readFen(fen), LETTERS);
    return typed.kind === "move" ? typed.uci : typed.kind;
  };
  test.each([
    ["e1g1", "e1g1"],
    ["E4-F6", "e4f6"],
    ["O-O", "e1g1"],
    ["0-0-0", "e1c1"],
    ["ooo", "e1c1"],
    ["Ke2", "e1e2"],
    ["Nf6+", "e4f6"],
    ["Nxe5", "c4e5"],
    ["Sxe5!", "c4e5"],
    ["Nd6", "several"],
    ["Ncd6", "c4d6"],
    ["N4d6", "several"],
    ["Nc4d6", "c4d6"],
    ["d6", "d5d6"],
    ["dxe6", "d5e6"],
    ["dxe6 e.p.", "d5e6"],
    ["e6", "none"],
    ["b8=Q", "b7b8q"],
    ["b8D", "b7b8q"],
    ["b8(N)", "b7b8n"],
    ["bxa8=Q", "b7a8q"],
    ["b8", "none"],
    ["Th2", "h1h2"],
    ["Kg1", "none"],
    ["nxe5", "c4e5"],
    ["sxe5", "c4e5"],
    ["ke2", "e1e2"],
    ["th2", "h1h2"],
    ["b8=n", "b7b8n"],
    ["hello", "none"],
    ["", "none"],
  ])("%s is %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("a claim", () => {
  const dance = ["g1f3", "g8f6", "f3g1", "f6g8"];
  const line = (moves: readonly string[]) => {
    const positions = [readFen(START_FEN)];
    for (const uci of moves) positions.push(play(positions[positions.length - 1] ?? readFen(START_FEN), uci));
    return positions;
  };

  test("rests on the third time", () => {
    expect(grounds(line([...dance, ...dance]), [], true)).toEqual([{ uci: null, rule: "threefold", count: 3 }]);
    expect(grounds(line([...dance, ...dance.slice(0, 3)]), ["f6g8", "a7a6"], true)).toEqual([
      { uci: "f6g8", rule: "threefold", count: 3 },
    ]);
    expect(grounds(line([...dance, ...dance.slice(0, 3)]), ["f6g8"], false)).toEqual([]);
  });

  test("rests on fifty quiet moves", () => {
    const quiet = readFen("4k3/8/8/8/8/8/8/4K2R w - - 99 80");
    expect(grounds([quiet], ["h1h2"], true)).toEqual([{ uci: "h1h2", rule: "fifty", count: 50 }]);
    expect(grounds([readFen("4k3/8/8/8/8/8/8/4K2R w - - 100 80")], [], true)).toEqual([
      { uci: null, rule: "fifty", count: 50 },
    ]);
  });

  test("takes an en passant square for a difference only where a pawn stands beside", () => {
    expect(positionKey(readFen("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"))).toBe(
      positionKey(readFen("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1")),
    );
    expect(positionKey(readFen("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"))).not.toBe(
      positionKey(readFen("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1")),
    );
  });
});

describe("small letters and letters of other languages", () => {
  const FRENCH = { p: "", n: "C", b: "F", r: "T", q: "D", k: "R" };
  const ENGLISH = { p: "", n: "N", b: "B", r: "R", q: "Q", k: "K" };
  const read = (text: string, letters: typeof FRENCH, fen: string, moves: readonly string[]): string => {
    const typed = readTyped(text, moves, readFen(fen), letters);
    return typed.kind === "move" ? typed.uci : typed.kind;
  };

  test("a small letter means a piece where no pawn can be meant", () => {
    expect(read("nc6", ENGLISH, START_FEN.replace(" w ", " b "), ["b8c6", "c7c6"])).toBe("b8c6");
    // A pawn on b3 and a bishop on f1 can both reach c4, and the bishop alone b5.
    const fen = "4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1";
    const moves = ["b3c4", "f1c4", "b3b4", "f1b5"];
    expect(["bc4", "bxc4", "Bc4", "Bxc4", "bb5"].map((text) => read(text, ENGLISH, fen, moves))).toEqual([
      "several",
      "b3c4",
      "f1c4",
      "f1c4",
      "f1b5",
    ]);
  });

  test("the language's own letters come first, English ones after them", () => {
    // Re2 is the king's move in French; Rh2 can only be the rook's.
    const fen = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
    const moves = ["e1e2", "e1f2", "h1h2", "h1e1"];
    expect(["Re2", "Th2", "Rh2", "re2", "Ke2"].map((text) => read(text, FRENCH, fen, moves))).toEqual([
      "e1e2",
      "h1h2",
      "h1h2",
      "e1e2",
      "e1e2",
    ]);
  });
});
