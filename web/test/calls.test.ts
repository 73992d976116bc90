/** What calls a player back, and what does not. */
import { describe, expect, test } from "vitest";
import type { ServerMessage } from "#protocol";
import { reduce } from "../src/reducer";
import { type App, firstApp } from "../src/state/app";
import { type Call, called, putAway, runningGame, waitingFor } from "../src/state/calls";
import { DEFAULT_SETTINGS } from "../src/state/settings";
import { AT, BLACK, GAME, WHITE, challenge, move, snapshot } from "./scene";

const fresh: App = { ...firstApp(DEFAULT_SETTINGS, { at: "home" }), account: WHITE };
const receive = (app: App, message: ServerMessage) =>
  reduce(app, { on: "message", message, arrival: AT, answers: null, now: 0 });
const folded = (...messages: ServerMessage[]): App => messages.reduce((app, one) => receive(app, one).app, fresh);
const calls = (app: App, message: ServerMessage): Call[] =>
  receive(app, message).effects.flatMap((effect) => (effect.do === "call" ? [effect.call] : []));
const begun: ServerMessage = { t: "snapshot", d: snapshot() };
const turn = (on: number): ServerMessage => ({
  t: "turn",
  d: { game: GAME, on, fen: move(2).d.fen, legal: ["g1f3"], white_ms: 180_000, black_ms: 180_000 },
});

describe("the game to go back to", () => {
  const other = "OTHER0000001";
  const days = { kind: "days", days: 3 } as const;
  const ended: ServerMessage = {
    t: "ended",
    d: { game: GAME, seq: 2, score: "0-1", reason: "resignation", white_ms: 1, black_ms: 1 },
  };

  test("is one's own with clocks, first one in which it is one's move, and none that has ended", () => {
    expect(runningGame(fresh)).toBeNull();
    expect(runningGame({ ...folded(begun), account: null })).toBeNull();
    expect(runningGame(folded({ t: "snapshot", d: snapshot({ time_control: days }) }))).toBeNull();
    const later: ServerMessage = { t: "snapshot", d: snapshot({ game: other, began: snapshot().began + 60 }) };
    expect(runningGame(folded(begun, later))?.id).toBe(other);
    expect(runningGame(folded(begun, later), other)?.id).toBe(GAME);
    expect(runningGame(folded(begun, later, move(1), move(2), turn(3)))?.id).toBe(GAME);
    expect(runningGame(folded(begun, ended))).toBeNull();
  });
});

describe("a call", () => {
  test("says that a game of one's own begins, and nothing of others' games or one that is known", () => {
    expect(calls(fresh, begun)).toEqual([
      { id: GAME, title: "Your game against Guest-B begins", text: "The game begins. You play White." },
    ]);
    expect(calls({ ...fresh, account: null }, begun)).toEqual([]);
    expect(calls(folded(begun), begun)).toEqual([]);
  });

  test("says one's move once, with the move before it; the server's repetition is none", () => {
    const waiting = folded(begun, move(1), move(2));
    expect(calls(waiting, turn(3))).toEqual([{ id: GAME, title: "Your move against Guest-B", text: "Black: e5" }]);
    expect(receive(waiting, turn(3)).effects).toContainEqual({ do: "vibrate" });
    const known = receive(waiting, turn(3)).app;
    expect(calls(known, turn(3))).toEqual([]);
    expect(receive(known, turn(3)).effects).not.toContainEqual({ do: "vibrate" });
  });

  test("says the opponent's offer and the end, and not one's own offer", () => {
    const offer = (by: "white" | "black"): ServerMessage => ({ t: "draw_offered", d: { game: GAME, seq: 2, by } });
    expect(calls(folded(begun), offer("black")).map(({ title }) => title)).toEqual(["Guest-B offers a draw"]);
    expect(calls(folded(begun), offer("white"))).toEqual([]);
    const end: ServerMessage = {
      t: "ended",
      d: { game: GAME, seq: 2, score: "0-1", reason: "abandonment", white_ms: 1, black_ms: 1 },
    };
    expect(calls(folded(begun), end)).toEqual([{ id: GAME, title: "You lose", text: "Against Guest-B. You left." }]);
  });

  test("says a challenge to this player once, and no open one", () => {
    const to: ServerMessage = { t: "challenge", d: challenge("C00000000001", { to: WHITE }) };
    expect(calls(fresh, to).map(({ id, title }) => [id, title])).toEqual([["C00000000001", "Guest-B challenges you"]]);
    expect(calls(folded(to), to)).toEqual([]);
    expect(calls(fresh, { t: "challenge", d: challenge("C00000000002") })).toEqual([]);
    expect(calls(fresh, { t: "challenge", d: challenge("C00000000003", { to: BLACK }) })).toEqual([]);
  });
});

test("what waits: challenges from others and games in which it is one's move, but for what is on the screen", () => {
  const app = folded(
    begun,
    move(1),
    move(2),
    turn(3),
    { t: "challenge", d: challenge("C00000000001", { to: WHITE }) },
    { t: "challenge", d: challenge("C00000000002", { by: { account: WHITE, name: "Guest-W" } }) },
  );
  expect([waitingFor(app), waitingFor(app, GAME), waitingFor(app, "C00000000001")]).toEqual([2, 1, 1]);
});

test("while one plays by the clock, the header has no challenge, and makes no sound of one; it has it on any other page and after the end", () => {
  const to: ServerMessage = { t: "challenge", d: challenge("C00000000001", { to: WHITE }) };
  const playing: App = { ...folded(begun), route: { at: "game", id: GAME } };
  const { app, effects } = receive(playing, to);
  expect([called(app).length, waitingFor(app, GAME), app.announcement.n]).toEqual([0, 1, playing.announcement.n + 1]);
  expect(effects.some((effect) => effect.do === "play")).toBe(false);
  expect(receive({ ...playing, route: { at: "home" } }, to).effects).toContainEqual({ do: "play", sound: "offer" });
  expect(called({ ...app, route: { at: "home" } })).toHaveLength(1);
  const end: ServerMessage = {
    t: "ended",
    d: { game: GAME, seq: 2, score: "0-1", reason: "resignation", white_ms: 1, black_ms: 1 },
  };
  const over = receive(app, end).app;
  expect(called(over).map(({ challenge: id }) => id)).toEqual(["C00000000001"]);
  // The result comes first.
  expect(over.announcement.text).toMatch(/resigned.*Guest-B challenges you/u);
});

test.each([{ kind: "days", days: 3 }, { kind: "unlimited" }] as const)(
  "a game with a clock of the kind $kind hides no challenge",
  (control) => {
    const to: ServerMessage = { t: "challenge", d: challenge("C00000000001", { to: WHITE }) };
    const game: ServerMessage = { t: "snapshot", d: snapshot({ time_control: control }) };
    const { app, effects } = receive({ ...folded(game), route: { at: "game", id: GAME } }, to);
    expect(called(app)).toHaveLength(1);
    expect(effects).toContainEqual({ do: "play", sound: "offer" });
  },
);

test("the header has the challenges that were not put away, and the home page the others", () => {
  const to = (id: string, change = {}): ServerMessage => ({
    t: "challenge",
    d: challenge(id, { to: WHITE, ...change }),
  });
  const app = folded(
    to("C00000000001"),
    to("C00000000002"),
    to("C00000000003", { by: { account: WHITE, name: "Guest-W" } }),
    to("C00000000004", { accepted_by: { account: WHITE, name: "Guest-W" } }),
    to("C00000000005", { rematch_of: GAME }),
  );
  const ids = (here: App) => [called(here), putAway(here)].map((some) => some.map((one) => one.challenge));
  expect(ids({ ...app, route: { at: "game", id: GAME } })).toEqual([["C00000000001", "C00000000002"], []]);
  const home = { ...app, putAway: { C00000000005: true, C00000000002: true } } as const;
  expect(ids(home)).toEqual([["C00000000001"], ["C00000000002", "C00000000005"]]);
  expect(ids({ ...home, route: { at: "game", id: "C00000000001" } })).toEqual([[], ["C00000000002", "C00000000005"]]);
});
