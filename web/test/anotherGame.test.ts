/** Another game while the clocks of an own one run: what is asked about first. */
import { expect, test } from "vitest";
import { fromSnapshot } from "zeitnot-client";
import { asksFirst } from "../src/state/anotherGame";
import { type App, firstApp } from "../src/state/app";
import { NO_PAIRING, withPool } from "../src/state/pairing";
import { DEFAULT_SETTINGS } from "../src/state/settings";
import { AT, GAME, WHITE, challenge, snapshot } from "./scene";

const idle: App = { ...firstApp(DEFAULT_SETTINGS, { at: "home" }), account: WHITE };
const playing = (change: Parameters<typeof snapshot>[0] = {}): App => ({
  ...idle,
  games: { [GAME]: fromSnapshot(snapshot(change), AT) },
});
const days = { kind: "days", days: 3 } as const;

test("a pool is, and a challenge with clocks, wherever it is known from", () => {
  const calls = { blitz: challenge("blitz"), slow: challenge("slow", { time_control: days }) };
  const lobby = { seeks: [challenge("seek")], pools: {}, here: 2, live: { total: 0, games: [] }, liveAt: 0, moved: [] };
  const app: App = { ...playing(), challenges: calls, lobby, invitations: { link: challenge("link"), new: "unread" } };
  expect(asksFirst(app, { pool: "5+3" })).toBe(true);
  const asked = ["blitz", "slow", "seek", "link", "new", "unknown"].map((id) => asksFirst(app, { challenge: id }));
  expect(asked).toEqual([true, false, true, true, false, false]);
});

test("nothing is without a game whose clocks run, nor while one waits in a pool all the same", () => {
  expect(asksFirst(idle, { pool: "5+3" })).toBe(false);
  expect(asksFirst(playing({ time_control: days }), { pool: "5+3" })).toBe(false);
  expect(asksFirst({ ...playing(), pairing: withPool(NO_PAIRING, "3+2", [GAME], 0) }, { pool: "5+3" })).toBe(false);
});
