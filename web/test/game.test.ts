/** What the page makes of a game: its positions, what a person may do in it, and how its clocks are written. */
import { applyMessage, fromSnapshot } from "zeitnot-client";
import { describe, expect, test } from "vitest";
import type { ServerMessage, Snapshot } from "#protocol";
import { creditToShow, passed, writeClock } from "../src/state/clock";
import { isRepeated, positionsOf } from "../src/state/positions";
import { announceGame } from "../src/state/announcements";
import { availableActionsOf } from "../src/state/availableActions";
import { whyNoDraw } from "../src/state/drawOffers";
import { START_FEN, play, readFen, writeFen } from "../src/chess/position";
import { AT, GAME, move, snapshot } from "./scene";
import { catalogue as en } from "../src/text/en";

const begun = () => fromSnapshot(snapshot(), AT);
const fold = (...messages: ServerMessage[]) =>
  messages.reduce((game, message) => applyMessage(game, message, AT), begun());

test("has a position for every ply, and the server's for the last", () => {
  const game = fold(move(1), move(2), move(3));
  const line = positionsOf(game);
  expect(line).toHaveLength(4);
  expect(line.map((position) => writeFen(position).split(" ")[0])[3]).toBe(move(3).d.fen.split(" ")[0]);
  expect(positionsOf(game)).toBe(line);
});

test("a position that stands for the second time is told where the third time ends the game", () => {
  const shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
  const after = (plies: number, change: Partial<Snapshot> = {}) => {
    const line = Array.from({ length: plies }, (_, at) => ({
      ply: at + 1,
      uci: shuffle[at % 4] ?? "",
      san: "N",
      white_ms: null,
      black_ms: null,
      took: null,
      credit: 0,
    }));
    const fen = writeFen(line.reduce((now, { uci }) => play(now, uci), readFen(START_FEN)));
    return fromSnapshot(snapshot({ plies: line, ply_count: plies, fen, ...change }), AT);
  };
  expect([0, 3, 4, 5, 8].map((plies) => isRepeated(after(plies)))).toEqual([false, false, true, true, false]);
  const options = { profile: "fide_board", ilc: "off", no_draw_offer_before_move: 0 } as const;
  expect(isRepeated(after(4, { options })), "where it is claimed").toBe(false);
});

describe("clocks", () => {
  test.each([
    [0, "0.0"],
    [1, "0.1"],
    [9_950, "10.0"],
    [19_999, "20.0"],
    [20_000, "0:20"],
    [59_001, "1:00"],
    [180_000, "3:00"],
    [754_000, "12:34"],
    [3_600_000, "1:00:00"],
    [90_061_000, "1d 01:01:01"],
  ])("%i ms is %s", (ms, text) => {
    expect(writeClock(ms)).toBe(text);
  });

  test("are spoken once at a mark", () => {
    expect([passed(60_010, 59_990), passed(59_990, 59_000), passed(70_000, 9000), passed(30_001, 30_000)]).toEqual([
      60_000,
      null,
      10_000,
      30_000,
    ]);
  });
});

test("lag compensation is told of the side that has moved, and only if it is worth something", () => {
  const forgiven = (ply: 1 | 2, credit: number): ServerMessage => {
    const made = move(ply);
    return { ...made, d: { ...made.d, credit } };
  };
  const told = (...messages: ServerMessage[]) =>
    (["white", "black"] as const).map((color) => creditToShow(fold(...messages), color));
  expect(told()).toEqual([null, null]);
  expect(told(forgiven(1, 100))).toEqual([100, null]);
  expect(told(forgiven(1, 99))).toEqual([null, null]);
  expect(told(forgiven(1, 300), forgiven(2, 250))).toEqual([null, 250]);
});

describe("rights", () => {
  const turn: ServerMessage = {
    t: "turn",
    d: { game: GAME, on: 3, fen: "", legal: ["g1f3"], white_ms: 1, black_ms: 1 },
  };
  test("before both have moved one may abort, then offer a draw", () => {
    expect(availableActionsOf(begun(), "white")).toMatchObject({
      abort: true,
      offerDraw: false,
      resign: true,
      takeback: false,
      claim: null,
    });
    expect(availableActionsOf(fold(move(1), move(2)), "white")).toMatchObject({ abort: false, offerDraw: true });
  });

  test("a draw that was offered before the page was opened counts: the snapshot says when", () => {
    const before = snapshot({
      ply_count: 30,
      state: { phase: "playing", draw_offered_at: { white: 20, black: null } },
    });
    const game = fromSnapshot(before, AT);
    expect(whyNoDraw(game, "white")).toEqual({ why: "again", move: 21 });
    expect(whyNoDraw(game, "black")).toBeNull();
  });

  test("against a program no time is given", () => {
    const casual = { ...fold(move(1), move(2)).options, profile: "casual" } as const;
    const game = { ...fold(move(1), move(2)), options: casual };
    expect(availableActionsOf(game, "white").giveTime).toBe(true);
    const black = { ...game.players.black, bot: true };
    expect(availableActionsOf({ ...game, players: { ...game.players, black } }, "white").giveTime).toBe(false);
  });

  test("a draw can be offered again after 20 plies online, and elsewhere after the opponent's move", () => {
    const offer: ServerMessage = { t: "draw_offered", d: { game: GAME, seq: 4, by: "white" } };
    const declined: ServerMessage = { t: "draw_declined", d: { game: GAME, seq: 5, by: "black" } };
    const offered = fold(move(1), move(2), offer);
    expect(whyNoDraw(offered, "white")).toEqual({ why: "open" });
    const over = applyMessage(offered, declined, AT);
    expect(whyNoDraw(over, "white")).toEqual({ why: "again", move: 12 });
    expect(availableActionsOf(over, "white")).toMatchObject({ offerDraw: false, noDraw: { move: 12 } });
    expect(availableActionsOf(over, "black").offerDraw).toBe(true);
    // It is said at once, to the one who had offered.
    const said = (seat: "white" | "black") => announceGame(en, declined, offered, over, seat).say;
    expect([said("white"), said("black")]).toEqual([
      "Guest-B declines the draw. You can offer again from move 12 on.",
      "Guest-B declines the draw",
    ]);
    // A move says both.
    const answer = { ...move(3), d: { ...move(3).d, seq: 5 } };
    const asked = fold(move(1), move(2), { t: "draw_offered", d: { game: GAME, seq: 4, by: "black" } });
    const answered = applyMessage(asked, answer, AT);
    const heard = (seat: "white" | "black") => announceGame(en, answer, asked, answered, seat).say;
    expect(heard("black")).toBe(`${heard("white")}. Guest-W declines the draw. You can offer again from move 12 on.`);
    expect([21, 22].map((plyCount) => whyNoDraw({ ...over, plyCount }, "white") === null)).toEqual([false, true]);
    const board = { ...over, options: { ...over.options, profile: "fide_board" } } as const;
    expect([2, 3, 4].map((plyCount) => whyNoDraw({ ...board, plyCount }, "white"))).toEqual([
      { why: "again", move: 3 },
      { why: "again", move: 3 },
      null,
    ]);
    const late = { ...begun(), plyCount: 8, options: { ...over.options, no_draw_offer_before_move: 30 } };
    expect(whyNoDraw(late, "black")).toEqual({ why: "early", moves: 30 });
    expect(whyNoDraw(begun(), "white")).toEqual({ why: "unmoved" });
  });

  test("each profile has its own", () => {
    const of = (profile: "casual" | "fide_board" | "us_chess") => {
      const game = [move(1), move(2), turn].reduce<ReturnType<typeof begun>>(
        (g, m) => applyMessage(g, m, AT),
        fromSnapshot(snapshot({ options: { profile, ilc: "off", no_draw_offer_before_move: 0 } }), AT),
      );
      return availableActionsOf(game, "white");
    };
    expect(of("casual")).toMatchObject({ takeback: true, giveTime: true, claim: { withMove: false, fifty: false } });
    expect(of("fide_board")).toMatchObject({
      takeback: false,
      giveTime: false,
      abort: false,
      claim: { withMove: true, fifty: true },
    });
    expect(of("us_chess")).toMatchObject({ claim: { withMove: true, fifty: true } });
  });

  test("an absence can be claimed from its instant on; spectators have no rights", () => {
    const away: ServerMessage = { t: "presence", d: { game: GAME, color: "black", here: false, claim_in_ms: 60_000 } };
    expect(availableActionsOf(fold(away), "white").claimAbsenceAt).toBe(61_000);
    expect(
      availableActionsOf(fold(away, { t: "presence", d: { game: GAME, color: "black", here: true } }), "white")
        .claimAbsenceAt,
    ).toBeNull();
    expect(availableActionsOf(fold(away), null).resign).toBe(false);
  });
});
