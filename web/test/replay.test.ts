/** A finished game that is shown move by move, and how long one waits before the computer is offered. */
import { describe, expect, test } from "vitest";
import type { Origin } from "#protocol";
import { OPERA_GAME } from "../src/state/operaGame";
import {
  ALONE_AFTER_MS,
  APART_MS,
  NO_PAIRING,
  BEGUN_MS,
  READ_MS,
  isRead,
  meetsAgainIn,
  nobodyWaits,
  poolToPlay,
  waitsAlone,
  waitedForBeside,
  withOffer,
  withPool,
} from "../src/state/pairing";
import { fensOf, moveLabel, replayedOf } from "../src/state/replay";
import { GAME, challenge, snapshot } from "./scene";

describe("a replayed game", () => {
  test("the opera game ends with mate by rook and bishop", () => {
    const fens = fensOf(OPERA_GAME);
    expect(fens.length).toBe(34);
    expect(fens.at(-1)).toBe("1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17");
    expect(OPERA_GAME.moves.at(-1)).toEqual({ uci: "d1d8", san: "Rd8#" });
    expect(OPERA_GAME.moves.every(({ san }) => san !== "")).toBe(true);
  });

  test("a finished game of this server is one when all of it has come", () => {
    const plies = [{ ply: 1, uci: "e2e4", san: "e4" }];
    const outcome = { score: "1-0", reason: "resignation" } as const;
    const game = snapshot({ plies: plies as never, ply_count: 1, state: { phase: "ended", outcome } });
    expect(replayedOf(game)).toMatchObject({ id: GAME, white: "Guest-W", black: "Guest-B", outcome, moves: plies });
    for (const change of [{ ply_count: 2 }, { plies: [], ply_count: 0 }, { state: { phase: "playing" as const } }])
      expect(replayedOf({ ...game, ...change })).toBeNull();
    expect(replayedOf(null)).toBeNull();
    expect([replayedOf(game)?.isElsewhere, replayedOf({ ...game, origin: {} })?.isElsewhere]).toEqual([false, true]);
  });

  test("of an imported game the event and the year are said, the year once", () => {
    const plies = [{ ply: 1, uci: "e2e4", san: "e4" }] as never;
    const outcome = { score: "1-0", reason: "resignation" } as const;
    const game = snapshot({ plies, ply_count: 1, state: { phase: "ended", outcome } });
    const said = (origin: Origin) => replayedOf({ ...game, origin })?.occasion;
    expect(said({ event: "London", date: "1851.06.21" })).toBe("London, 1851");
    expect(said({ event: "Baltija WGM Cup 2012", date: "2012.??.??" })).toBe("Baltija WGM Cup 2012");
    expect([said({ event: "London" }), said({ date: "1851" }), said({ date: "????.??.??" })]).toEqual([
      "London",
      "1851",
      "",
    ]);
    expect(replayedOf(game)?.occasion).toBe("");
  });

  test("every move is numbered as in a score sheet", () => {
    expect([moveLabel(1, "e4"), moveLabel(2, "e5"), moveLabel(33, "Rd8#")]).toEqual(["1. e4", "1… e5", "17. Rd8#"]);
  });
});

describe("waiting alone", () => {
  const since = 5_000;
  const pairing = { ...withPool(NO_PAIRING, "5+3", [], since), pool: "5+3" } as const;

  test("is noticed after ten seconds, not before, and not while somebody else waits", () => {
    expect(waitsAlone(pairing, { "5+3": 1 }, since + ALONE_AFTER_MS - 1)).toBe(false);
    expect(waitsAlone(pairing, { "5+3": 1 }, since + ALONE_AFTER_MS)).toBe(true);
    expect(waitsAlone(pairing, { "5+3": 2 }, since + ALONE_AFTER_MS)).toBe(false);
  });

  test("needs a place in a pool", () => {
    expect(waitsAlone({ ...pairing, pool: null }, {}, since + ALONE_AFTER_MS)).toBe(false);
    expect(waitsAlone({ ...pairing, since: null }, { "5+3": 1 }, since + ALONE_AFTER_MS)).toBe(false);
  });

  test("for the last opponent is counted down from two seconds, once a pairing with somebody else is overdue", () => {
    expect(meetsAgainIn(null, since)).toBeNull();
    expect(meetsAgainIn(since, since + 600)).toBeNull();
    expect(meetsAgainIn(since, since + 800)).toBe(2);
    expect(meetsAgainIn(since, since + 1_200)).toBe(1);
    expect(meetsAgainIn(since, since + APART_MS + 500)).toBe(1);
    expect(meetsAgainIn(since, since + APART_MS + 1_000)).toBeNull();
  });
});

describe("that nobody waits", () => {
  const lobby = { seeks: [], pools: {}, here: 2, live: { total: 0, games: [] }, liveAt: 0, moved: [] };

  test("is said once the lobby is known, and not while anybody does", () => {
    expect(nobodyWaits({ lobby: null, pairing: NO_PAIRING })).toBe(false);
    expect(nobodyWaits({ lobby, pairing: NO_PAIRING })).toBe(true);
    expect(nobodyWaits({ lobby: { ...lobby, pools: { "3+2": 1 } }, pairing: NO_PAIRING })).toBe(false);
    expect(nobodyWaits({ lobby: { ...lobby, seeks: [challenge("Another00001")] }, pairing: NO_PAIRING })).toBe(false);
  });

  test("is not said to a player who waits, before and after the server has answered", () => {
    const asked = withPool(NO_PAIRING, "5+3", [], 0);
    expect(nobodyWaits({ lobby, pairing: asked })).toBe(false);
    expect(nobodyWaits({ lobby: { ...lobby, pools: { "5+3": 1 } }, pairing: { ...asked, pool: "5+3" } })).toBe(false);
  });
});

describe("the main button", () => {
  test("offers a pool of the usual speed in which somebody waits, the fullest and then the nearest, where nobody waits for the usual one", () => {
    expect(poolToPlay(NO_PAIRING, "5+3", {})).toBe("5+3");
    expect(poolToPlay(NO_PAIRING, "5+3", { "3+2": 1 })).toBe("3+2");
    expect(poolToPlay(NO_PAIRING, "5+3", { "3+2": 1, "5+3": 1 })).toBe("5+3");
    expect(poolToPlay(NO_PAIRING, "5+3", { "3+0": 1, "5+0": 1 })).toBe("5+0");
    expect(poolToPlay(NO_PAIRING, "5+3", { "3+0": 2, "5+0": 1 })).toBe("3+0");
    expect(poolToPlay(NO_PAIRING, "5+3", { "1+0": 2, "10+0": 1, "30+20": 1 })).toBe("5+3");
    expect(poolToPlay(NO_PAIRING, "30+20", { "15+10": 1, "30+0": 1 })).toBe("30+0");
  });

  test("beside it stands a pool of any speed, where nobody waits for what it offers", () => {
    expect(waitedForBeside(NO_PAIRING, "5+3", { "10+5": 1, "1+0": 1 })).toBe("10+5");
    expect(waitedForBeside(NO_PAIRING, "5+3", { "10+5": 1, "5+3": 1 })).toBeNull();
    expect(waitedForBeside(NO_PAIRING, "5+3", {})).toBeNull();
    expect(waitedForBeside({ ...NO_PAIRING, wanted: "3+2" }, "5+3", { "10+5": 1 })).toBeNull();
  });

  test("says what one waits for as long as one does", () => {
    const waiting = withPool(NO_PAIRING, "5+3", [], 0);
    expect(poolToPlay(waiting, "5+3", { "3+2": 1 })).toBe("5+3");
  });

  test("does what it says, and nothing when it is pressed before anybody can have read it", () => {
    const first = { pool: "5+3", since: 0 } as const;
    expect(withOffer(first, "5+3", 9_000)).toBe(first);
    const changed = withOffer(first, "3+2", 9_000);
    expect(changed.pool).toBe("3+2");
    expect([isRead(changed, 9_000 + READ_MS - 1), isRead(changed, 9_000 + READ_MS)]).toEqual([false, true]);
    const ends = withOffer(changed, null, 9_900);
    expect(ends).toEqual({ pool: null, since: 9_900 });
    expect([isRead(ends, 9_900 + BEGUN_MS - 1), isRead(ends, 9_900 + BEGUN_MS)]).toEqual([false, true]);
  });
});
