/** What is asked of the server about a game that is over: of its own by its id, of one that was brought along by its moves. */
import { afterEach, expect, test, vi } from "vitest";
import { askEvaluation, askKnownEvaluations, askLines } from "../src/net/analysis";
import type { Evaluable } from "../src/state/analysis/evaluable";

const OWN: Evaluable = { kind: "game", key: "id" };
const BROUGHT: Evaluable = {
  kind: "brought",
  key: "pgn-1-2",
  start: "fen",
  chess960: true,
  moves: ["e2e4", "e7e5"],
  result: "1-0",
};
const { kind: _, key: __, ...GAME } = BROUGHT;

/** Each request: its path, and its body if it has one. */
let asked: [string, unknown?][] = [];

function answer(json: object, status = 200): void {
  asked = [];
  vi.stubGlobal("fetch", (path: string, { body }: RequestInit) => {
    asked.push(typeof body === "string" ? [path, JSON.parse(body)] : [path]);
    return Promise.resolve(new Response(JSON.stringify(json), { status }));
  });
}

/** A browser with an account, or without one; how often it became a guest. */
function somebody(maybeSomebody: boolean) {
  const who = {
    guests: 0,
    maybeSomebody,
    becomeGuest: async () => {
      who.guests += 1;
      return null;
    },
  };
  return who;
}

afterEach(() => vi.unstubAllGlobals());

test("a position of a game of the server is asked for by nobody in particular, a line that leaves it as somebody", async () => {
  answer({ game: "id", ply: 1 });
  const nobody = somebody(false);
  await askEvaluation(nobody, OWN, { ply: 1, moves: [] });
  expect(nobody.guests).toBe(0);
  await askEvaluation(nobody, OWN, { ply: 1, moves: ["a7a6", "a2a3"] });
  expect(nobody.guests).toBe(1);
  expect(asked).toEqual([["/api/games/id/evaluation?ply=1"], ["/api/games/id/evaluation?ply=1&moves=a7a6,a2a3"]]);
});

test("a game that was brought along goes with the question, always as somebody, and keeps its key", async () => {
  answer({ game: "a name of the server", ply: 1 });
  const nobody = somebody(false);
  const found = await askEvaluation(nobody, BROUGHT, { ply: 1, moves: [] });
  expect([found, nobody.guests]).toEqual([{ kind: "there", value: { game: "pgn-1-2", ply: 1 } }, 1]);
  const { signal } = new AbortController();
  await askLines(somebody(true), BROUGHT, { ply: 0, moves: ["a2a3"] }, "usual", signal);
  await askLines(somebody(true), BROUGHT, { ply: 2, moves: [] }, "deeper", signal);
  expect(asked).toEqual([
    ["/api/analysis/evaluation", { ...GAME, ply: 1, aside: [] }],
    ["/api/analysis/lines", { ...GAME, ply: 0, aside: ["a2a3"] }],
    ["/api/analysis/lines/deeper", { ...GAME, ply: 2, aside: [] }],
  ]);
});

test("what the server knows is asked for of its own games alone", async () => {
  answer({ evaluations: [{ ply: 3 }] });
  expect(await askKnownEvaluations(OWN)).toEqual([{ ply: 3 }]);
  expect(await askKnownEvaluations(BROUGHT)).toEqual([]);
  expect(asked).toEqual([["/api/games/id/evaluations"]]);
});

test("what the server rejects comes with its code", async () => {
  answer({ code: "has_live_games", message: "" }, 409);
  const rejected = await askEvaluation(somebody(true), BROUGHT, { ply: 0, moves: [] });
  expect(rejected).toMatchObject({ kind: "rejected", code: "has_live_games" });
});
