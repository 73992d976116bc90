/** A game folded from messages, and its clocks. */
import { describe, expect, test } from "vitest";
import type { ServerMessage, Snapshot } from "../../../protocol/bindings/protocol.js";
import { applyMessage, fromSnapshot, isComplete, movesOf, seatOf } from "../src/game.js";
import { delayOf, expectedCredit, firstClock, periodAt, shown } from "../src/clock.js";
import { AT, BLACK, GAME, WHITE, move, snapshot } from "./scene.js";

const begun = () => fromSnapshot(snapshot(), AT);
const fold = (...messages: ServerMessage[]) =>
  messages.reduce((game, message) => applyMessage(game, message, AT), begun());

describe("a game", () => {
  test("follows events in order and leaves out what is old or too new", () => {
    const game = fold(move(1), move(1), move(3), move(2));
    expect([game.seq, game.on, game.plyCount, game.plies.map((ply) => ply.san)]).toEqual([3, 3, 2, ["e4", "e5"]]);
  });

  test("knows the legal moves only of the position on the board", () => {
    const turn = (on: number): ServerMessage => ({
      t: "turn",
      d: { game: GAME, on, fen: "", legal: ["g1f3"], white_ms: 1, black_ms: 1 },
    });
    expect(fold(move(1), move(2), turn(1)).turn).toBeNull();
    expect(fold(move(1), move(2), turn(3)).turn?.legal).toEqual(["g1f3"]);
    expect(fold(move(1), move(2), turn(3), move(3)).turn).toBeNull();
  });

  test("is rated if the server says so", () => {
    expect([begun().isRated, fromSnapshot(snapshot({ rated: true }), AT).isRated]).toEqual([false, true]);
  });

  test("says what is known of where it was played if it was imported, which may be nothing", () => {
    const originOf = (change: Partial<Snapshot>) => fromSnapshot(snapshot(change), AT).origin;
    expect(originOf({ imported: true, origin: { event: "Paris Opera" } })).toEqual({ event: "Paris Opera" });
    expect(originOf({ imported: true })).toEqual({});
    expect(originOf({})).toBe(null);
  });

  test("says what it has done to the ratings, after its end and in a snapshot", () => {
    const ratings = { white: { before: 1500, after: 1508 }, black: { before: 1510, after: 1502 } };
    expect(fold({ t: "rated", d: { game: GAME, ...ratings } }).ratings).toEqual(ratings);
    expect([begun().ratings, fromSnapshot(snapshot({ ratings }), AT).ratings]).toEqual([null, ratings]);
  });

  test("an offer stands through one's own move and falls with the opponent's", () => {
    const offer: ServerMessage = { t: "draw_offered", d: { game: GAME, seq: 3, by: "white" } };
    const next = { ...move(2), d: { ...move(2).d, seq: 4 } };
    expect(fold(move(1), offer).drawOffer).toEqual({ by: "white", seq: 3 });
    const answered = fold(move(1), offer, next);
    expect([answered.drawOffer, answered.drawDeclined]).toEqual([null, "black"]);
    const own: ServerMessage = { t: "draw_offered", d: { game: GAME, seq: 2, by: "white" } };
    expect(fold(own, { ...move(1), d: { ...move(1).d, seq: 3 } }).drawOffer).toEqual({ by: "white", seq: 2 });
  });

  test("keeps who has declined a draw in words until the next move, and when a side last offered one", () => {
    const offer: ServerMessage = { t: "draw_offered", d: { game: GAME, seq: 3, by: "black" } };
    const declined = fold(move(1), offer, { t: "draw_declined", d: { game: GAME, seq: 4, by: "white" } });
    expect([declined.drawOffer, declined.drawDeclined]).toEqual([null, "white"]);
    expect(declined.drawOfferedAt).toEqual({ white: null, black: 1 });
    const next = applyMessage(declined, { ...move(2), d: { ...move(2).d, seq: 5 } }, AT);
    expect([next.drawDeclined, next.drawOfferedAt.black]).toEqual([null, 1]);
    const back = fromSnapshot(snapshot({ seq: 6, ply_count: 0 }), AT, next);
    expect([back.drawDeclined, back.drawOfferedAt.black]).toEqual([null, 0]);
  });

  test("goes back when moves are taken back", () => {
    const back: ServerMessage = {
      t: "taken_back",
      d: { game: GAME, seq: 4, plies: 1, ply: 1, fen: move(1).d.fen, white_ms: 180_000, black_ms: 180_000 },
    };
    const game = fold(move(1), move(2), back);
    expect([game.plyCount, game.on, game.fen, game.plies.length]).toEqual([1, 4, move(1).d.fen, 1]);
  });

  test("ends with its reason and proof, after the clocks stopped", () => {
    const flag: ServerMessage = { t: "flag_fell", d: { game: GAME, seq: 2, by: "white", white_ms: 0, black_ms: 9000 } };
    const ended: ServerMessage = {
      t: "ended",
      d: { game: GAME, seq: 3, score: "1/2-1/2", reason: "flag_fall", proof: "material", white_ms: 0, black_ms: 9000 },
    };
    expect(fold(flag).phase).toBe("deciding");
    expect(fold(flag, ended)).toMatchObject({
      phase: "ended",
      outcome: { score: "1/2-1/2", reason: "flag_fall", proof: "material" },
      clocks: { running: null, white: 0 },
    });
  });

  test("knows the claim that has ended it, and forgets a wrong one", () => {
    const claimed = (right: boolean): ServerMessage => ({
      t: "draw_claimed",
      d: { game: GAME, seq: 2, by: "white", uci: "g1f3", right },
    });
    expect(fold(claimed(true)).drawClaim).toEqual({ by: "white", uci: "g1f3" });
    expect(fold(claimed(false)).drawClaim).toBeNull();
  });

  test("has the corrected result of a snapshot behind its last event", () => {
    const ended: ServerMessage = {
      t: "ended",
      d: { game: GAME, seq: 2, score: "1-0", reason: "resignation", white_ms: 5, black_ms: 5 },
    };
    const played_out = { score: "1-0", reason: "resignation", corrected: 1_795_262_400 } as const;
    const outcome = { score: "0-1", reason: "arbiter", played_out } as const;
    const corrected = snapshot({ seq: 2, state: { phase: "ended", outcome } });
    expect(fromSnapshot(corrected, AT, fold(ended))).toMatchObject({ phase: "ended", outcome });
  });

  test("takes early plies from history, and only if they join", () => {
    const [first, second, third] = [move(1), move(2), move(3)].map(
      ({ d: { ply, uci, san, white_ms, black_ms, took, credit } }) => ({
        ply,
        uci,
        san,
        white_ms,
        black_ms,
        took,
        credit,
      }),
    );
    if (!first || !second || !third) throw new Error("three plies");
    const late = fromSnapshot(snapshot({ seq: 4, on: 4, ply_count: 3, plies: [third], fen: move(3).d.fen }), AT);
    expect(isComplete(late)).toBe(false);
    const history = (...plies: (typeof first)[]): ServerMessage => ({
      t: "history",
      d: { game: GAME, from: 1, ply_count: 3, plies },
    });
    expect(isComplete(applyMessage(late, history(first), AT))).toBe(false);
    const whole = applyMessage(late, history(first, second, third), AT);
    expect(whole.plies.map((ply) => ply.san)).toEqual(["e4", "e5", "Nf3"]);
    // A later snapshot keeps what was fetched.
    const again = fromSnapshot(
      snapshot({ seq: 4, on: 4, ply_count: 3, plies: [third], fen: move(3).d.fen }),
      AT,
      whole,
    );
    expect(isComplete(again)).toBe(true);
  });

  test("seats its two accounts", () => {
    expect([seatOf(begun(), WHITE), seatOf(begun(), BLACK), seatOf(begun(), null)]).toEqual(["white", "black", null]);
    expect(movesOf({ startFen: "8/8/8/8/8/8/8/8 b - - 0 1", plyCount: 3 }, "black")).toBe(2);
  });
});

describe("clocks", () => {
  test("stand until a side's second move in online rules, and run from the start over the board", () => {
    expect(fold(move(1)).clocks?.running).toBeNull();
    expect(fold(move(1), move(2)).clocks?.running).toBe("white");
    const board = fromSnapshot(
      snapshot({ options: { profile: "fide_board", ilc: "off", no_draw_offer_before_move: 0 } }),
      AT,
    );
    expect(board.clocks?.running).toBe("white");
  });

  test("count from when the message left the server", () => {
    const game = [move(1), move(2)].reduce((g, m) => applyMessage(g, m, { at: 5000, travelled: 40 }), begun());
    expect(game.clocks && shown(game.clocks, 5960)).toEqual({ white: 179_000, black: 180_000 });
    expect(game.clocks && shown(game.clocks, 4000)).toEqual({ white: 180_000, black: 180_000 });
  });

  test("a clock message says for how long the running clock stands yet", () => {
    const clock: ServerMessage = {
      t: "clock",
      d: { game: GAME, seq: 3, white_ms: 170_500, black_ms: 180_000, running: "white", stands_ms: 700 },
    };
    const game = applyMessage(fold(move(1), move(2)), clock, { at: 9040, travelled: 40 });
    expect([9000, 9700, 9800].map((now) => game.clocks && shown(game.clocks, now).white)).toEqual([
      170_500, 170_500, 170_400,
    ]);
  });

  test("a first move is awaited for 30 s from the move before, or for as long as a clock message says", () => {
    const late: ServerMessage = {
      t: "clock",
      d: { game: GAME, seq: 2, white_ms: 180_000, black_ms: 180_000, running: null, first_move_ms: 12_000 },
    };
    expect(begun().firstMoveBy).toBeNull();
    const answered = applyMessage(begun(), { ...late, d: { ...late.d, seq: 1 } }, { at: 5040, travelled: 40 });
    expect(answered.firstMoveBy).toBe(17_000);
    const black = applyMessage(answered, move(1), { at: 6040, travelled: 40 });
    expect(black.firstMoveBy).toBe(36_000);
    expect(fromSnapshot({ ...snapshot(), seq: black.seq }, AT, black).firstMoveBy).toBe(36_000);
    expect(applyMessage(black, late, { at: 8000, travelled: 0 }).firstMoveBy).toBe(20_000);
    expect(applyMessage(black, move(2), AT).firstMoveBy).toBeNull();
  });

  test("a first move is awaited for 30 min where a person plays a bot for no rating", () => {
    const { players } = snapshot();
    const against = { ...players, black: { ...players.black, bot: true } };
    const limit = (change: Partial<Snapshot>) =>
      applyMessage(fromSnapshot(snapshot(change), AT), move(1), { at: 1000, travelled: 0 }).firstMoveBy;
    expect(limit({ players: against })).toBe(1_801_000);
    expect(limit({ players: against, rated: true })).toBe(31_000);
    expect(limit({ players: { ...against, white: { ...players.white, bot: true } } })).toBe(31_000);
  });

  test("no first move has a limit where the clock runs from the start, or in days", () => {
    const board = snapshot({ options: { profile: "fide_board", ilc: "off", no_draw_offer_before_move: 0 } });
    expect(applyMessage(fromSnapshot(board, AT), move(1), AT).firstMoveBy).toBeNull();
    const days = snapshot({ time_control: { kind: "days", days: 2 } });
    expect(applyMessage(fromSnapshot(days, AT), move(1), AT).firstMoveBy).toBeNull();
  });

  test("what one's last moves were forgiven is not run down at once", () => {
    const forgiven = (credit: number, n: 1 | 2 | 3) => ({ ...move(n), d: { ...move(n).d, credit } });
    const game = fold(forgiven(30, 1), forgiven(250, 2), forgiven(60, 3));
    expect([game.clocks?.running, game.clocks?.stands]).toEqual(["black", 250]);
    expect(fold(forgiven(30, 1), forgiven(250, 2)).clocks).toMatchObject({ running: "white", stands: 30 });
    expect(expectedCredit([], 0)).toBe(0);
  });

  test("a clock message is the last word", () => {
    const clock: ServerMessage = {
      t: "clock",
      d: { game: GAME, seq: 3, white_ms: 170_500, black_ms: 180_000, running: "white" },
    };
    const game = applyMessage(fold(move(1), move(2)), clock, { at: 9000, travelled: 0 });
    expect(game.clocks && shown(game.clocks, 9500).white).toBe(170_000);
  });

  test("a delay runs first, in the period one is in", () => {
    const control = {
      kind: "clock" as const,
      periods: [{ moves: 2, base_ms: 60_000, delay_ms: 5000 }, { base_ms: 30_000 }],
    };
    expect([0, 1, 2, 9].map((moved) => delayOf(control, "white", moved, undefined))).toEqual([5000, 5000, 0, 0]);
    expect(delayOf(control, "white", 0, { increment_ms: 1 })).toBe(0);
    const clocks = { white: 1000, black: 1000, running: "black", since: 0, stands: 5000, isMeasured: true } as const;
    expect(shown(clocks, 5400)).toEqual({ white: 1000, black: 600 });
    expect(periodAt([{ moves: 40, base_ms: 1 }], 95)).toEqual({ moves: 40, base_ms: 1 });
  });

  test("begin with the first period's time, for each side its own", () => {
    const control = {
      kind: "clock" as const,
      periods: [{ base_ms: 60_000 }],
      black_periods: [{ base_ms: 30_000, moves: 9 }, { base_ms: 5 }],
    };
    expect([
      firstClock(control, "white"),
      firstClock(control, "black"),
      firstClock({ kind: "days", days: 2 }, "white"),
      firstClock({ kind: "unlimited" }, "black"),
    ]).toEqual([60_000, 30_000, 172_800_000, null]);
  });
});
